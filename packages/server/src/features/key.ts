/** What names a record: our own id, its Guid on every server, or its ActivityPub id. */
export type Key<Id extends number> =
  { readonly id: Id } | { readonly guid: string } | { readonly uri: string };

/** The column that such a key is for, and the value to find there. */
export function columnOf<Id extends number>(
  key: Key<Id>,
): readonly [column: "id" | "guid" | "uri", value: Id | string] {
  if ("id" in key) return ["id", key.id];
  return "guid" in key ? ["guid", key.guid] : ["uri", key.uri];
}
