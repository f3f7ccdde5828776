import type { FastifyRequest } from "fastify";
import { Type } from "../../lib/json-schema.ts";
import type { Page } from "../../features/page.ts";
import { readInput, uint } from "../../http/input/input.ts";

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
 */
export async function readPart<T>(
  request: FastifyRequest,
  size: number,
  read: (page: Page) => Promise<readonly T[]>,
): Promise<Part<T>> {
  const { offset = 0 } = readInput(LIST, request.parameters);
  const found = await read({ offset, limit: size + 1 });
  const before = Math.max(0, offset - size);
  return {
    items: found.slice(0, size),
    previous: offset > 0 ? `?offset=${before}` : undefined,
    next: found.length > size ? `?offset=${offset + size}` : undefined,
  };
}
