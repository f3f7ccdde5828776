import { asText, type Json } from "../../lib/archives/read-json.ts";
import { htmlFromBbcode } from "../../lib/html/html-from-bbcode.ts";
import { htmlToMarkdown } from "../../lib/markdown/markdown-from-html.ts";
import { parseTag } from "../../lib/markdown/tags.ts";
import { storableText } from "../../lib/well-formed.ts";
import { readLocation, readWarning } from "../../features/posts/index.ts";
import type { ImportItem, ItemWriting } from "../../features/imports/index.ts";
import { readFriendicaActivity } from "./friendica-activity.ts";
import { idIn, isOn, timeOf } from "./friendica-values.ts";

/** Friendica's `item.gravity`; all others are those of posts. */
const GRAVITIES: Readonly<Record<string, ItemPart>> = {
  "3": "activity",
  "6": "comment",
};

type ItemPart = "activity" | "comment" | "post";

/** The sign before a link to a tag or a person, and the link. */
const NAMED = /([#@!])\[url=[^\][\n]{0,2000}\]([^\][\n]{0,300})\[\/url\]/gi;

/**
 * A post or a comment of the owner's, in BBCode, or a like by the owner; all that others did is a
 * fault.
 * @param owner the address of the owner's profile
 * @param wanted read these, and nothing else
 */
export function* readItem(
  item: Json,
  owner: string,
  wanted: ItemPart,
): Generator<ImportItem, void, undefined> {
  const part = GRAVITIES[idIn(item, "gravity")] ?? "post";
  if (part !== wanted || isOn(item["deleted"])) return;
  const name = storableText(asText(item["uri"]));
  const kind = part === "activity" ? "like" : part;
  const isComment = part === "comment";
  if (owner === "" || !isSame(asText(item["author-link"]), owner))
    return yield { kind, name, fault: "of_others" };
  if (part === "activity") return yield readFriendicaActivity(item);
  if (name === "") return yield { kind, name, fault: "malformed" };
  const createdAt = timeOf(item["created"]);
  if (createdAt === undefined) return yield { kind, name, fault: "no_date" };
  const body = asText(item["body"]);
  const read = htmlFromBbcode(body.replaceAll(NAMED, "$1$2"));
  const text = textOf(item, read.html, tagsIn(body));
  if (read.shares && text === "" && read.pictures.length === 0)
    return yield { kind: "reshare", name, fault: "would_tell" };
  const writing = {
    ...{ source: `friendica ${name}`, text, createdAt },
    updatedAt: timeOf(item["edited"]) ?? createdAt,
    audience: isComment ? ("everyone" as const) : audienceOf(item),
    warning: readWarning(storableText(asText(item["content-warning"]))),
    nsfw: /(?:^|\s)#nsfw\b/i.test(text),
    ...{ language: null, tags: [], location: isComment ? null : placeOf(item) },
    media: read.pictures.map(({ url, text: words }) => ({
      ...{ name: url, url, text: storableText(words), focus: null },
    })),
    replyTo: isComment
      ? `friendica ${storableText(asText(item["thr-parent"]))}`
      : null,
  };
  yield { kind: "post", name, writing };
}

/** No real text names more. */
const MAX_TAGS = 100;

function tagsIn(body: string): Set<string> {
  const tags = [...body.matchAll(NAMED)]
    .filter(([, sign]) => sign === "#")
    .slice(0, MAX_TAGS)
    .map(([, , name]) => parseTag(name ?? ""));
  return new Set(tags.filter((tag) => tag !== undefined));
}

/** The title of a post is a heading above it. */
function textOf(item: Json, html: string, tags: Set<string>): string {
  const title = storableText(asText(item["title"])).trim();
  const heading = title === "" ? "" : htmlFromBbcode(`[h3]${title}[/h3]`).html;
  const named = { tags, people: new Map<string, string>() };
  return storableText(htmlToMarkdown(heading + html, { named })).trim();
}

/** The people for whom a post was are other people here. */
function audienceOf(item: Json): ItemWriting["audience"] {
  const isForSome = ["allow_cid", "allow_gid", "deny_cid", "deny_gid"].some(
    (name) => asText(item[name]) !== "",
  );
  if (isForSome) return "self";
  switch (idIn(item, "private")) {
    case "0":
      return "everyone";
    case "2":
      return "unlisted";
    default:
      return "self";
  }
}

function placeOf(item: Json): ItemWriting["location"] {
  const [lat = "", lng = ""] = asText(item["coord"])
    .trim()
    .split(/[\s,]+/);
  if (lat === "" || lng === "") return null;
  const address = storableText(asText(item["location"]));
  return readLocation({ address, lat, lng });
}

/** Addresses of profiles differ in their scheme and the last slash, from version to version. */
const isSame = (one: string, other: string): boolean =>
  plain(one) === plain(other);

const plain = (url: string) =>
  url
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/\/$/, "");
