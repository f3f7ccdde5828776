import type { FastifyRequest } from "fastify";
import { Type } from "../../lib/json-schema.ts";
import {
  isReadBackwards,
  type ListOrder,
  type Page,
} from "../../features/page.ts";
import { readInput, uint } from "../../http/input/input.ts";

const KEYED = Type.Object({
  before: uint("The record of the list before which the page ends"),
  after: uint("The record of the list after which the page begins"),
});

const LIST = Type.Object({
  offset: uint("How many of the list to leave out"),
});

/** One page of a list, with links for pagination. */
export type Part<T> = {
  readonly items: readonly T[];
  readonly previous: string | undefined;
  readonly next: string | undefined;
};

/**
 * Reads the page that `?offset=` selects, and one more record to know whether
 * there is a next one.
 * @param query the rest of the query of the list, such as `thread=…`
 */
export async function readPart<T>(
  request: Pick<FastifyRequest, "parameters">,
  size: number,
  read: (page: Page) => Promise<readonly T[]>,
  query = "",
): Promise<Part<T>> {
  const { offset = 0 } = readInput(LIST, request.parameters);
  const found = await read({ offset, limit: size + 1 });
  const before = Math.max(0, offset - size);
  const link = (at: number) =>
    `?${query === "" ? "" : `${query}&`}offset=${at}`;
  return {
    items: found.slice(0, size),
    previous: offset > 0 ? link(before) : undefined,
    next: found.length > size ? link(offset + size) : undefined,
  };
}

/**
 * Reads the page that `?before=` or `?after=` selects: links by the keys of records
 * neither repeat nor skip any while others are written.
 * @param path the list, with its own query or none
 */
export async function readKeyedPart<T extends { readonly id: number }>(
  request: FastifyRequest,
  list: { readonly path: string; readonly size: number; order: ListOrder },
  read: (page: Page) => Promise<readonly T[]>,
): Promise<Part<T>> {
  const { path, size, order } = list;
  const keys = readInput(KEYED, request.parameters);
  const page = { ...keys, offset: 0, limit: size + 1 };
  const found = await read(page);
  const isBackwards = isReadBackwards(page, order);
  const items = isBackwards ? found.slice(-size) : found.slice(0, size);
  const isKeyed = keys.before !== undefined || keys.after !== undefined;
  const hasMore = found.length > size;
  const isForward = order === "oldest first";
  const link = (name: string, item: T | undefined) =>
    item && `${path}${path.includes("?") ? "&" : "?"}${name}=${item.id}`;
  return {
    items,
    previous: (isBackwards ? hasMore : isKeyed)
      ? link(isForward ? "before" : "after", items[0])
      : undefined,
    next: (isBackwards ? items.length > 0 : hasMore)
      ? link(isForward ? "after" : "before", items.at(-1))
      : undefined,
  };
}
