/**
 * The names of an object: a guid, a URI, or both; a person has a handle. Each means the same on
 * every server.
 */
export type Names = readonly (string | null)[];

/** The keys of locks on them. */
export function keysOf(names: Names): string[] {
  return names.flatMap((name) => (name === null ? [] : `name:${name}`));
}
