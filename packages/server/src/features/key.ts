/** Identifies a record: by our own id, by its Guid on all servers, or by its ActivityPub id. */
export type Key<Id extends number> =
  { readonly id: Id } | { readonly guid: string } | { readonly uri: string };

/** Returns the column of such a key and the value to look up. */
export function columnOf<Id extends number>(
  key: Key<Id>,
): readonly [column: "id" | "guid" | "uri", value: Id | string] {
  if ("id" in key) return ["id", key.id];
  return "guid" in key ? ["guid", key.guid] : ["uri", key.uri];
}
