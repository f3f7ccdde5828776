import { isJsonArray, isJsonObject, type JsonObject } from "@kith/activitypub";
import type { Recipient } from "../../../features/people/index.ts";
import type { Uris } from "../records/uris.ts";
import { isForEveryone, isForFollowers } from "./note-parts.ts";

/**
 * Software that shows a limited object to the people it is addressed to. Mastodon would treat one
 * with tagged readers as a direct message; GoToSocial and Hollo show it to tagged readers only.
 * @see protocol section 6.2
 */
const READS_ADDRESSES: ReadonlySet<string> = new Set([
  "akkoma",
  "friendica",
  "hubzilla",
  "kith",
  "mastodon",
  "misskey",
  "mitra",
  "pleroma",
  "sharkey",
  "streams",
]);

/** Does this software show a limited object to a reader who is not tagged? */
export function readsAddresses(software: string | null): boolean {
  return software !== null && READS_ADDRESSES.has(software);
}

/**
 * Names readers of a limited object by tags as well.
 * @param activity one that is addressed to readers alone, or its object
 * @see protocol section 6.2
 */
export function tagReaders(
  uris: Uris,
  activity: JsonObject,
  readers: readonly Recipient[],
): JsonObject {
  const tags = readers.flatMap((reader) => {
    const href = uris.ofPerson(reader);
    return href === null
      ? []
      : [{ type: "Mention", name: `@${reader.handle}`, href }];
  });
  return tags.length === 0 ? activity : addTags(activity, tags);
}

function addTags(document: JsonObject, tags: JsonObject[]): JsonObject {
  const { object } = document;
  if (isJsonObject(object) && "attributedTo" in object)
    return { ...document, object: addTags(object, tags) };
  if (!("attributedTo" in document) || isForEveryone(document)) return document;
  // All software shows these to followers; a tag would make it a mention.
  if (isForFollowers(document)) return document;
  // A vote is not shown in a timeline: it is counted.
  if (isVote(document)) return document;
  const known = isJsonArray(document["tag"]) ? document["tag"] : [];
  const named = new Set(
    known.map((tag) => (isJsonObject(tag) ? tag["href"] : undefined)),
  );
  const added = tags.filter(({ href }) => !named.has(href));
  return { ...document, tag: [...known, ...added] };
}

function isVote(document: JsonObject): boolean {
  return "name" in document && !("content" in document);
}
