import type { FastifyRequest } from "fastify";
import { Type } from "../../lib/json-schema.ts";
import {
  isReadBackwards,
  type ListOrder,
  type Page,
} from "../../features/page.ts";
import { readInput, uint } from "../../http/input/input.ts";

/** The keys of a page. */
export const KEYED = Type.Object({
  before: uint("The record of the list before which the page ends"),
  after: uint("The record of the list after which the page begins"),
});

/** One page of a list, with links for pagination. */
export type Part<T> = {
  readonly items: readonly T[];
  readonly previous: string | undefined;
  readonly next: string | undefined;
};

/**
 * Reads the page that `?before=` or `?after=` selects: links by the keys of records
 * neither repeat nor skip any while others are written.
 * @param list its path with its own query, or its query alone, or nothing
 */
export async function readKeyedPart<T extends { readonly id: number }>(
  request: Pick<FastifyRequest, "parameters">,
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

/** Positive database ids, each once. Other text is no id, and names nothing. */
export function readIds(given: readonly string[] | undefined): number[] {
  const ids = (given ?? []).filter((it) => /^[1-9]\d{0,14}$/.test(it));
  return [...new Set(ids.map(Number))];
}

/** The lines of a text that are not blank. */
export function linesOf(written: string): string[] {
  return written
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
