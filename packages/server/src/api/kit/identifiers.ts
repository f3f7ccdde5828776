import type { PersonId } from "../../features/ids.ts";
import { isGuid } from "../../lib/guids.ts";

/**
 * Resolves a path segment that is a database id or a guid. Digits alone are
 * tried as an id first.
 * @param find looks one up by id or by guid
 */
export async function findByIdOrGuid<Id extends number, T>(
  identifier: string,
  find: (key: { id: Id } | { guid: string }) => Promise<T | undefined>,
): Promise<T | undefined> {
  const id = readId(identifier);
  const byId = id === undefined ? undefined : await find({ id: id as Id });
  if (byId !== undefined) return byId;
  return isGuid(identifier) ? find({ guid: identifier }) : undefined;
}

/** Parses a database id in a path; undefined if it cannot be one. */
export function readId(text: string): number | undefined {
  if (!/^\d{1,16}$/.test(text)) return undefined;
  const id = Number(text);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

/**
 * Parses an id; a segment that cannot be one becomes an id that no record has.
 */
export function readIdOrNone(text: string): number {
  return readId(text) ?? -1;
}

export type PersonIdentifier = { id: PersonId } | { guid: string };
