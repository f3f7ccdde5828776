import { refuse } from "../../lib/archives/archive-entry.ts";
import {
  asList,
  asObject,
  asText,
  readLists,
  type Json,
} from "../../lib/archives/read-json.ts";
import { isTime } from "../../lib/archives/read-values.ts";
import type { Unpacked } from "../../lib/archives/unpack.ts";
import { parseHandle } from "../../lib/handle.ts";
import { storableText } from "../../lib/well-formed.ts";
import { readLocation } from "../../features/posts/index.ts";
import type {
  ImportItem,
  ItemWriting,
  OldAccount,
  Source,
  SourceMedia,
} from "../../features/imports/index.ts";
import type { JsonFile } from "./json-file.ts";

const HEAD = /^\uFEFF?\s*\{\s*"(?:user|others_data)"\s*:\s*\{/;
const LISTS = ["contacts", "posts", "relayables", "blocks", "followed_tags"];
const OF_OTHERS = "others_data.relayables";
const OF_ACCOUNT = ["user.private_key", "user.profile"];
const RELAYABLES = "user.relayables";
const MAX_MEDIA = 64;
const MAX_ANSWERS = 50;
const MAX_ASPECTS = 100;

/**
 * The archive that diaspora* gives its people, of version 2.0: one JSON file. The pictures are
 * in another archive, so they are fetched from the pod, unless somebody put them beside it.
 * @param files in which pictures are found by their names on the pod
 * @returns undefined for another file
 * @see diaspora* federation library, `entity_type` and `entity_data`
 */
export function openDiasporaArchive(
  { head, file }: JsonFile,
  files: Unpacked,
): Source | undefined {
  if (!HEAD.test(head)) return undefined;
  const byName = new Map(
    [...files].map(([name, at]) => [name.slice(name.lastIndexOf("/") + 1), at]),
  );
  return {
    items: () => readItems(file),
    findOldAccount: () => findOldAccount(file),
    fileOf: (name) => byName.get(name),
  };
}

/** The archive has its private key in plain text, since its version 1.0. */
async function findOldAccount(file: string): Promise<OldAccount | undefined> {
  const lists = [...LISTS.map((name) => `user.${name}`), OF_OTHERS];
  let [handle, privateKeyPem] = ["", ""];
  for await (const { list, value } of readLists(file, lists, OF_ACCOUNT)) {
    if (list === "user.private_key") privateKeyPem = asText(value).trim();
    else if (list === "user.profile")
      handle = asText(readEntity(value).data["author"]).trim();
    if (handle !== "" && privateKeyPem !== "")
      return parseHandle(handle) && { handle, privateKeyPem };
  }
  return undefined;
}

async function* readItems(
  file: string,
): AsyncGenerator<ImportItem, void, undefined> {
  const lists = [...LISTS.map((name) => `user.${name}`), OF_OTHERS];
  let isFound = false;
  for await (const { list, value } of readLists(file, lists)) {
    isFound = true;
    if (list !== RELAYABLES) yield* readRecord(list, value);
  }
  if (!isFound) throw refuse("has nothing of an account in it");
  // A comment comes after the post, which an archive may name later.
  for await (const { list, value } of readLists(file, lists))
    if (list === RELAYABLES) yield readRelayable(value);
}

function* readRecord(
  list: string,
  value: unknown,
): Generator<ImportItem, void, undefined> {
  const name = asText(value);
  if (list === "user.posts") yield readPost(value);
  else if (list === "user.contacts") yield* readContact(asObject(value));
  else if (list === "user.blocks") yield { kind: "block", name, handle: name };
  else if (list === "user.followed_tags")
    yield { kind: "tag", name, tag: name };
  else yield { ...readRelayable(value), ...BY_OTHERS };
}

const BY_OTHERS = { kind: "comment", fault: "of_others" } as const;

/** Somebody whom the owner does not follow is left out: only the other one can follow. */
function* readContact(contact: Json): Generator<ImportItem, void, undefined> {
  const handle = asText(contact["account_id"]);
  if (contact["followed"] !== true && contact["receiving"] !== true) return;
  const follow = { kind: "follow", name: handle, handle } as const;
  const aspects = asList(contact["contact_groups_membership"])
    .slice(0, MAX_ASPECTS)
    .map(asText)
    .filter((aspect) => aspect.trim() !== "");
  if (aspects.length === 0) yield follow;
  for (const aspect of aspects) yield { ...follow, aspect };
}

/** An entity is `{ entity_type, entity_data }`, also inside of another one. */
function readEntity(value: unknown): { type: string; data: Json } {
  const { entity_type: type, entity_data: data } = asObject(value);
  return { type: asText(type), data: asObject(data) };
}

function readPost(value: unknown): ImportItem {
  const { type, data } = readEntity(value);
  const name = asText(data["guid"]);
  if (type === "reshare") return { kind: "reshare", name, fault: "would_tell" };
  if (type !== "status_message" || name === "")
    return { kind: "post", name, fault: "malformed" };
  if (!isTime(data["created_at"]))
    return { kind: "post", name, fault: "no_date" };
  const text = [asText(data["text"]), closedPollOf(data["poll"])];
  const writing = {
    ...readWriting(data, name),
    text: joined(text),
    // The recipients of a limited post are other people here.
    audience: data["public"] === true ? "everyone" : "self",
    nsfw: /(?:^|\s)#nsfw\b/i.test(asText(data["text"])),
    location: readPlace(data["location"]),
    media: asList(data["photos"]).slice(0, MAX_MEDIA).map(readPhoto),
    replyTo: null,
  } as const;
  return { kind: "post", name, writing };
}

/** Votes would notify others; a comment may belong to a post of one's own. */
function readRelayable(value: unknown): ImportItem {
  const { type, data } = readEntity(value);
  const name = asText(data["guid"]);
  if (type === "poll_participation")
    return { kind: "like", name, fault: "would_tell" };
  if (type === "like") return readLike(name, data);
  const parent = asText(data["thread_parent_guid"] ?? data["parent_guid"]);
  if (type !== "comment" || name === "" || parent === "")
    return { kind: "comment", name, fault: "malformed" };
  if (!isTime(data["created_at"]))
    return { kind: "comment", name, fault: "no_date" };
  const writing = {
    ...readWriting(data, name),
    text: storableText(asText(data["text"])).trim(),
    // It has the audience of its post.
    audience: "everyone",
    ...{ nsfw: false, location: null, media: [], replyTo: parent },
  } as const;
  return { kind: "post", name, writing };
}

/** Its date is not in the archive. */
function readLike(name: string, data: Json): ImportItem {
  const { positive } = data;
  const guid = asText(data["parent_guid"]);
  if (guid === "") return { kind: "like", name, fault: "malformed" };
  const isPositive = positive !== false && positive !== "false";
  const like = { target: { guid }, positive: isPositive, createdAt: null };
  return { kind: "like", name, like };
}

function readWriting(data: Json, source: string) {
  const createdAt = asText(data["created_at"]);
  const { edited_at: editedAt } = data;
  return {
    ...{ source, warning: null, language: null, tags: [], createdAt },
    updatedAt: isTime(editedAt) ? editedAt : createdAt,
  };
}

function readPhoto(value: unknown): SourceMedia {
  const { data } = readEntity(value);
  const name = asText(data["remote_photo_name"]);
  return {
    name,
    url: asText(data["remote_photo_path"]) + name,
    text: storableText(asText(data["text"])),
    focus: null,
  };
}

function readPlace(value: unknown): ItemWriting["location"] {
  const { address, lat, lng } = readEntity(value).data;
  if (asText(lat) === "" || asText(lng) === "") return null;
  return readLocation({
    address: asText(address),
    lat: asText(lat),
    lng: asText(lng),
  });
}

/** The answers of a poll as a list: nobody can vote any more, and votes are not counted there. */
function closedPollOf(value: unknown): string {
  const { data } = readEntity(value);
  const answers = asList(data["poll_answers"]).slice(0, MAX_ANSWERS);
  if (answers.length === 0) return "";
  const lines = answers.map(
    (it) => `- ${asText(readEntity(it).data["answer"])}`,
  );
  return joined([`**${asText(data["question"])}**`, lines.join("\n")]);
}

const joined = (parts: readonly string[]): string =>
  storableText(parts.filter((part) => part !== "").join("\n\n")).trim();
