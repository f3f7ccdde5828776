import type { FastifyRequest } from "fastify";
import { Type } from "../../lib/json-schema.ts";
import type { Page } from "../../features/page.ts";
import { readInput, uint } from "../../http/input/input.ts";

const LIST = Type.Object({
  offset: uint("How many of the list to leave out"),
});

/** One part of a list, with the way to its neighbours. */
export type Part<T> = {
  readonly items: readonly T[];
  readonly previous: string | undefined;
  readonly next: string | undefined;
};

/** Reads the part of a list that `?offset=` asks for, and one more, to know whether it goes on. */
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
