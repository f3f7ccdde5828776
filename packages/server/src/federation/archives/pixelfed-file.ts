import { htmlToMarkdown } from "../../lib/markdown/markdown-from-html.ts";
import { parseTag } from "../../lib/markdown/tags.ts";
import { readLanguageTag } from "../../lib/language-tag.ts";
import {
  asList,
  asObject,
  asText,
  readLists,
  readRecords,
  type Json,
} from "../../lib/archives/read-json.ts";
import { isTime } from "../../lib/archives/read-values.ts";
import { storableText } from "../../lib/well-formed.ts";
import { readWarning } from "../../features/posts/index.ts";
import type {
  ImportItem,
  ItemWriting,
  Source,
  SourceMedia,
} from "../../features/imports/index.ts";
import type { JsonFile } from "./json-file.ts";
import { handleOfProfile } from "./profile-handle.ts";

const ADDRESSES = /^\uFEFF?\s*\[\s*"https?:\/\//;
const KEPT_AWAY = /^\uFEFF?\s*\{\s*"(?:muted|blocked)"\s*:\s*\[/;
const STATUSES = /^\uFEFF?\s*\[\s*\{[^]*"media_attachments"\s*:/;
const MAX_NAMED = 100;
const MAX_MEDIA = 64;

/**
 * The files that Pixelfed gives its people: the addresses of people who are followed, of those
 * who are muted and blocked, and the posts in the form of its API, with the addresses of their
 * pictures. The list of followers has the form of the first one: `--kind` cannot tell them
 * apart, so nobody should upload it.
 * @returns undefined for another file
 */
export function openPixelfedFile({ head, file }: JsonFile): Source | undefined {
  const read = ADDRESSES.test(head)
    ? readFollows
    : KEPT_AWAY.test(head)
      ? readKeptAway
      : STATUSES.test(head)
        ? readStatuses
        : undefined;
  return read && { items: () => read(file), fileOf: () => undefined };
}

async function* readFollows(
  file: string,
): AsyncGenerator<ImportItem, void, undefined> {
  for await (const value of readRecords(file, "$.*")) {
    const name = asText(value);
    yield { kind: "follow", name, handle: handleOfProfile(name) };
  }
}

async function* readKeptAway(
  file: string,
): AsyncGenerator<ImportItem, void, undefined> {
  for await (const { list, value } of readLists(file, ["muted", "blocked"])) {
    const name = asText(value);
    const named = { name, handle: handleOfProfile(name) };
    yield list === "muted"
      ? { kind: "ignore", ...named }
      : { kind: "block", ...named };
  }
}

async function* readStatuses(
  file: string,
): AsyncGenerator<ImportItem, void, undefined> {
  for await (const value of readRecords(file, "$.*"))
    yield readStatus(asObject(value));
}

function readStatus(status: Json): ImportItem {
  const id = idOf(status["id"]);
  const name = asText(status["uri"]) || asText(status["url"]) || id;
  if (status["reblog"] !== null && status["reblog"] !== undefined)
    return { kind: "reshare", name, fault: "would_tell" };
  if (id === "") return { kind: "post", name, fault: "malformed" };
  const { created_at: createdAt } = status;
  if (!isTime(createdAt)) return { kind: "post", name, fault: "no_date" };
  const reply = idOf(status["in_reply_to_id"]);
  const tags = readTags(status);
  const writing = {
    source: `pixelfed ${id}`,
    text: storableText(
      htmlToMarkdown(asText(status["content"]), {
        named: { tags: new Set(tags), people: new Map() },
      }),
    ).trim(),
    audience: readAudience(status["visibility"]),
    warning: readWarning(asText(status["spoiler_text"])),
    nsfw: status["sensitive"] === true,
    language: readLanguageTag(asText(status["language"])) ?? null,
    ...{ location: null, tags, media: readMedia(status) },
    ...{ createdAt, updatedAt: createdAt },
    replyTo: reply === "" ? null : `pixelfed ${reply}`,
  };
  return { kind: "post", name, writing };
}

/** Ids are texts, and were numbers before. */
const idOf = (value: unknown): string =>
  typeof value === "number" ? String(value) : asText(value);

function readAudience(visibility: unknown): ItemWriting["audience"] {
  if (visibility === "public") return "everyone";
  return visibility === "unlisted" ? "unlisted" : "self";
}

function readTags(status: Json): string[] {
  return asList(status["tags"])
    .slice(0, MAX_NAMED)
    .map((tag) => parseTag(asText(asObject(tag)["name"])))
    .filter((tag) => tag !== undefined);
}

function readMedia(status: Json): SourceMedia[] {
  return asList(status["media_attachments"])
    .slice(0, MAX_MEDIA)
    .map(asObject)
    .map(({ url, description }) => ({
      name: asText(url),
      url: asText(url),
      text: storableText(asText(description)),
      focus: null,
    }));
}
