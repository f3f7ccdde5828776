import { ActivityPubError } from "../errors.ts";
import { isJsonObject } from "../json/json.ts";
import type { JsonObject } from "../json/json-types.ts";
import {
  countOf,
  firstOf,
  idOf,
  present,
  refsOf,
  idTextOf,
  typeOf,
} from "../values.ts";
import type { ObjectRef } from "../values.ts";

/** A collection or one page of it. */
export type Collection = {
  id?: string;
  /** From 0 to 2^31 - 1, clamped. A claim: use it for display only. */
  totalItems?: number;
  first?: string;
  last?: string;
  next?: string;
  prev?: string;
  /** Of the collection itself, else of an embedded first page. */
  items: ObjectRef[];
};

const COLLECTION_TYPES: ReadonlySet<string> = new Set([
  "Collection",
  "CollectionPage",
  "OrderedCollection",
  "OrderedCollectionPage",
]);

/**
 * Reads a collection or a page of one, ordered or not, with items under either name and the first page as id or embedded
 * (ActivityPub §5).
 * @throws {ActivityPubError} `not_a_collection`
 */
export function readCollection(json: JsonObject): Collection {
  const type = typeOf(json["type"], COLLECTION_TYPES);
  if (type === undefined || !COLLECTION_TYPES.has(type)) {
    throw new ActivityPubError("not_a_collection", "Not a collection");
  }
  const own = itemsOf(json);
  const first = firstOf(json["first"]);
  const page = isJsonObject(first) ? first : undefined;
  const useFirst = own.length === 0 && page !== undefined;
  return present<Collection>({
    id: idTextOf(json["id"]),
    totalItems: countOf(json["totalItems"]),
    first: idOf(first),
    last: idOf(json["last"]),
    prev: idOf(json["prev"]),
    next: idOf(json["next"]) ?? (useFirst ? idOf(page["next"]) : undefined),
    items: useFirst ? itemsOf(page) : own,
  });
}

function itemsOf(json: JsonObject): ObjectRef[] {
  const ordered = refsOf(json["orderedItems"]);
  return ordered.length > 0 ? ordered : refsOf(json["items"]);
}
