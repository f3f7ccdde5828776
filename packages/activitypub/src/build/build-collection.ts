import { membersOf } from "./build-parts.ts";
import type { JsonObject } from "../json/json-types.ts";

/** Builds a paged collection, without `@context`. A missing `first` means that the members are hidden. */
export function buildCollection(collection: {
  id: string;
  type: "OrderedCollection" | "Collection";
  totalItems: number;
  first?: string;
  last?: string;
}): JsonObject {
  return membersOf({
    id: collection.id,
    type: collection.type,
    totalItems: collection.totalItems,
    first: collection.first,
    last: collection.last,
  });
}

/** Builds one page of a collection, without `@context`; ordered by default. */
export function buildCollectionPage(page: {
  id: string;
  partOf: string;
  items: (string | JsonObject)[];
  next?: string;
  prev?: string;
  totalItems?: number;
  ordered?: boolean;
}): JsonObject {
  const ordered = page.ordered ?? true;
  return membersOf({
    id: page.id,
    type: ordered ? "OrderedCollectionPage" : "CollectionPage",
    partOf: page.partOf,
    totalItems: page.totalItems,
    next: page.next,
    prev: page.prev,
    // The name must match the type: Mastodon reads nothing from `items` of an ordered collection.
    [ordered ? "orderedItems" : "items"]: [...page.items],
  });
}
