import { formatHandle, parseHandle } from "../../lib/handle.ts";
import { readLanguageTag } from "../../lib/language-tag.ts";
import { htmlToMarkdown } from "../../lib/markdown/markdown-from-html.ts";
import { parseTag } from "../../lib/markdown/tags.ts";
import { storableText } from "../../lib/well-formed.ts";
import { readWarning } from "../../features/posts/index.ts";
import {
  asList,
  asObject,
  asText,
  type Json,
} from "../../lib/archives/read-json.ts";
import type {
  ImportItem,
  SourceMedia,
  ItemWriting,
} from "../../features/imports/index.ts";
import { isTime, readFocalPoint } from "../../lib/archives/read-values.ts";

/** Per kind; no real text names more. */
const MAX_NAMED = 100;
const MAX_MEDIA = 64;
const MAX_ANSWERS = 50;

type Actor = { readonly id: string; readonly host: string };
type NameOf = (url: string) => string | undefined;

/** An activity of an outbox as records; none for one that shows nothing. */
export function* readActivity(
  value: unknown,
  actor: Actor,
  nameOf: NameOf,
): Generator<ImportItem, void, undefined> {
  const activity = asObject(value);
  const name = asText(activity["id"]);
  const type = activity["type"];
  if (type === "Announce")
    return yield { kind: "reshare", name, fault: "would_tell" };
  const note = asObject(activity["object"]);
  const source = asText(note["id"]);
  const isNote = note["type"] === "Note" || note["type"] === "Question";
  if (type !== "Create" || !isNote || source === "")
    return yield { kind: "post", name, fault: "malformed" };
  if (activity["actor"] !== actor.id || note["attributedTo"] !== actor.id)
    return yield { kind: "post", name: source, fault: "of_others" };
  if (!isTime(note["published"]))
    return yield { kind: "post", name: source, fault: "no_date" };
  const writing = readNote(note, source, actor, nameOf);
  yield { kind: "post", name: source, writing };
}

function readNote(
  note: Json,
  source: string,
  actor: Actor,
  nameOf: NameOf,
): ItemWriting {
  const named = readNamed(note, actor);
  const createdAt = asText(note["published"]);
  const content = asText(note["content"]);
  return {
    source,
    text: storableText(
      [htmlToMarkdown(content, { named }), closedPollOf(note)]
        .filter((part) => part !== "")
        .join("\n\n"),
    ).trim(),
    audience: readAudience(note),
    warning: readWarning(asText(note["summary"])),
    nsfw: note["sensitive"] === true,
    language: readLanguage(note, content),
    location: null,
    tags: [...named.tags],
    media: readMedia(note, nameOf),
    createdAt,
    updatedAt: isTime(note["updated"]) ? asText(note["updated"]) : createdAt,
    replyTo: asText(note["inReplyTo"]) || null,
  };
}

const EVERYONE = new Set([
  "https://www.w3.org/ns/activitystreams#Public",
  "as:Public",
  "Public",
]);

/**
 * Followers of the old account are not those of the new one, so a post for them, as any other
 * that is not for everyone, is for its author alone.
 */
function readAudience(note: Json): ItemWriting["audience"] {
  const isFor = (field: string) =>
    asList(note[field]).some((it) => EVERYONE.has(asText(it)));
  if (isFor("to")) return "everyone";
  return isFor("cc") ? "unlisted" : "self";
}

function readNamed(note: Json, actor: Actor) {
  const tags = new Set<string>();
  const people = new Map<string, string>();
  for (const value of asList(note["tag"]).slice(0, 2 * MAX_NAMED)) {
    const { type, name, href } = asObject(value);
    const tag = type === "Hashtag" ? parseTag(asText(name)) : undefined;
    if (tag !== undefined) tags.add(tag);
    if (type !== "Mention") continue;
    const bare = asText(name).replace(/^@/, "");
    const handle = parseHandle(
      bare.includes("@") ? bare : `${bare}@${actor.host}`,
    );
    if (handle) people.set(asText(href), formatHandle(handle));
  }
  return { tags, people };
}

function readLanguage(note: Json, content: string): string | null {
  const [known] = Object.entries(asObject(note["contentMap"])).filter(
    ([, text]) => text === content,
  );
  return readLanguageTag(known?.[0]) ?? null;
}

function readMedia(note: Json, nameOf: NameOf): SourceMedia[] {
  return asList(note["attachment"])
    .slice(0, MAX_MEDIA)
    .map(asObject)
    .filter(({ url }) => asText(url) !== "")
    .map((attachment) => ({
      name: nameOf(asText(attachment["url"])) ?? asText(attachment["url"]),
      text: storableText(asText(attachment["name"])),
      focus: readFocalPoint(attachment["focalPoint"]),
    }));
}

/** The answers of a poll with their votes, as a list: nobody can vote any more. */
function closedPollOf(note: Json): string {
  const answers = [...asList(note["oneOf"]), ...asList(note["anyOf"])];
  return answers
    .slice(0, MAX_ANSWERS)
    .map(asObject)
    .map(({ name, replies }) => {
      const votes = asObject(replies)["totalItems"];
      const count = Number.isSafeInteger(votes) ? ` (${String(votes)})` : "";
      return `- ${inMarkdown(asText(name))}${count}`;
    })
    .join("\n");
}

const inMarkdown = (text: string) =>
  htmlToMarkdown(
    text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`),
    { named: { tags: new Set(), people: new Map() } },
  ).replace(/\s+/g, " ");
