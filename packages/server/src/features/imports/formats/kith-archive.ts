import { readLanguageTag } from "../../../lib/language-tag.ts";
import { storableText } from "../../../lib/well-formed.ts";
import { readLocation, readWarning } from "../../posts/index.ts";
import {
  asList,
  asObject,
  asText,
  readRecords,
  type Json,
} from "../../../lib/archives/read-json.ts";
import type { Unpacked } from "../../../lib/archives/unpack.ts";
import type { ImportItem, SourceMedia, ItemWriting } from "../import-item.ts";
import type { Source } from "../source-format.ts";
import { isTime, readFocalPoint } from "../../../lib/archives/read-values.ts";

/** Kith's own archive (docs/export.md). @returns undefined for another archive */
export function openKithArchive(files: Unpacked): Source | undefined {
  const isOne = ["account.json", "posts.json", "photos.json"].every((name) =>
    files.has(name),
  );
  if (!isOne) return undefined;
  return {
    items: () => readItems(files),
    fileOf: (name) => files.get(name),
  };
}

async function* readItems(
  files: Unpacked,
): AsyncGenerator<ImportItem, void, undefined> {
  const media = await readPhotos(files);
  for await (const post of recordsOf(files, "posts"))
    yield readPost(post, media);
  for await (const comment of recordsOf(files, "comments"))
    yield readComment(comment);
  for await (const aspect of recordsOf(files, "aspects"))
    for (const member of asList(aspect["members"])) {
      const handle = asText(member);
      const name = handle;
      yield { kind: "follow", name, handle, aspect: asText(aspect["name"]) };
    }
  for await (const { handle } of recordsOf(files, "blocks"))
    yield { kind: "block", name: asText(handle), handle: asText(handle) };
  for await (const { handle, endsAt } of recordsOf(files, "ignores"))
    // One with an end has ended, or ends soon.
    if (endsAt === null)
      yield { kind: "ignore", name: asText(handle), handle: asText(handle) };
  for await (const { host } of recordsOf(files, "host-blocks"))
    yield { kind: "host_block", name: asText(host), host: asText(host) };
  for await (const { postGuid } of recordsOf(files, "bookmarks")) {
    const guid = asText(postGuid);
    yield { kind: "bookmark", name: guid, post: { guid } };
  }
  for await (const { postGuid } of recordsOf(files, "likes"))
    yield { kind: "like", name: asText(postGuid), fault: "would_tell" };
}

/** The records of `name.json`, `name-2.json` and so on. */
async function* recordsOf(
  files: Unpacked,
  name: string,
): AsyncGenerator<Json, void, undefined> {
  for (let number = 1; ; number += 1) {
    const part = number === 1 ? name : `${name}-${number}`;
    const file = files.get(`${part}.json`);
    if (file === undefined) return;
    for await (const record of readRecords(file, "$.*")) yield asObject(record);
  }
}

/** An archive of somebody with more is not ours. */
const MAX_PHOTOS = 200_000;

/** The pictures by the Guids of their posts. */
async function readPhotos(
  files: Unpacked,
): Promise<ReadonlyMap<string, readonly SourceMedia[]>> {
  const found = new Map<string, SourceMedia[]>();
  let left = MAX_PHOTOS;
  for await (const photo of recordsOf(files, "photos")) {
    const postGuid = asText(photo["postGuid"]);
    if (postGuid === "" || (left -= 1) < 0) continue;
    const { file, text, focus } = photo;
    const media = { name: asText(file), text: storableText(asText(text)) };
    const ofPost = found.get(postGuid) ?? [];
    ofPost.push({ ...media, focus: readFocalPoint(focus) });
    found.set(postGuid, ofPost);
  }
  return found;
}

function readPost(
  post: Json,
  media: ReadonlyMap<string, readonly SourceMedia[]>,
): ImportItem {
  const guid = asText(post["guid"]);
  if (post["type"] === "Reshare" || asText(post["rootGuid"]) !== "")
    return { kind: "reshare", name: guid, fault: "would_tell" };
  if (guid === "") return { kind: "post", name: guid, fault: "malformed" };
  if (!isTime(post["createdAt"]))
    return { kind: "post", name: guid, fault: "no_date" };
  const writing = {
    ...readWriting(post, guid),
    text: [asText(post["text"]), closedPollOf(post)]
      .filter((part) => part !== "")
      .join("\n\n"),
    audience: readAudience(post),
    nsfw: post["nsfw"] === true,
    location: readPlace(post),
    media: media.get(guid) ?? [],
    replyTo: null,
  };
  return { kind: "post", name: guid, writing };
}

/** Recipients of a limited post may be other people here, so it is for its author alone. */
function readAudience(post: Json): ItemWriting["audience"] {
  if (post["public"] !== true) return "self";
  return post["listed"] === true ? "everyone" : "unlisted";
}

function readComment(comment: Json): ImportItem {
  const guid = asText(comment["guid"]);
  const postGuid = asText(comment["postGuid"]);
  if (guid === "" || postGuid === "")
    return { kind: "comment", name: guid, fault: "malformed" };
  if (!isTime(comment["createdAt"]))
    return { kind: "comment", name: guid, fault: "no_date" };
  const writing = {
    ...readWriting(comment, guid),
    text: asText(comment["text"]),
    // A comment has the audience of its post.
    audience: "everyone" as const,
    ...{ nsfw: false, location: null, media: [] },
    replyTo: asText(comment["parentGuid"]) || postGuid,
  };
  return { kind: "post", name: guid, writing };
}

function readWriting(record: Json, guid: string) {
  const createdAt = asText(record["createdAt"]);
  const { updatedAt } = record;
  return {
    source: guid,
    warning: readWarning(asText(record["warning"])),
    language: readLanguageTag(asText(record["language"])) ?? null,
    tags: [],
    createdAt,
    updatedAt: isTime(updatedAt) ? updatedAt : createdAt,
  };
}

function readPlace(post: Json): ItemWriting["location"] {
  const { address, lat, lng } = asObject(post["location"]);
  return asText(lat) === "" || asText(lng) === ""
    ? null
    : readLocation({
        address: asText(address),
        lat: asText(lat),
        lng: asText(lng),
      });
}

const MAX_ANSWERS = 50;

/** A poll with its answers and their votes, as text: nobody can vote any more. */
function closedPollOf(post: Json): string {
  const poll = asObject(post["poll"]);
  const answers = asList(poll["answers"]).slice(0, MAX_ANSWERS).map(asObject);
  if (answers.length === 0) return "";
  const lines = answers.map(({ text, votes }) => {
    const count = Number.isSafeInteger(votes) ? ` (${String(votes)})` : "";
    return `- ${asText(text)}${count}`;
  });
  return [`**${asText(poll["question"])}**`, lines.join("\n")].join("\n\n");
}
