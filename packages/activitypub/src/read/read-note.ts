import { ActivityPubError } from "../errors.ts";
import { isJsonObject } from "../json/json.ts";
import type { JsonObject, JsonValue } from "../json/json-types.ts";
import { firstText, languageOf, readLanguageMap } from "./language-map.ts";
import type { LanguageMap } from "./language-map.ts";
import { readAttachments, readTags } from "./read-parts.ts";
import type { Attachment, Tag } from "./read-parts.ts";
import { readLocations } from "./read-place.ts";
import type { Place } from "./read-place.ts";
import { isSameHost } from "../urls.ts";
import {
  countOf,
  firstOf,
  guidOf,
  httpIdOf,
  idListOf,
  idOf,
  isTrue,
  listOf,
  present,
  textOf,
  timeOf,
  typeOf,
  urlOf,
} from "../values.ts";

/** A post of any type, as claimed by its sender. Texts are not sanitized. */
export type Note = {
  id: string;
  /** Note, Article, Page, Question, Event, Image, Video, Audio, Document … */
  type: string;
  /** Actor id of the (first) author. */
  attributedTo: string;
  /** The content as received, usually HTML; see `mediaType`. Empty when there is none, as in a vote. */
  content: string;
  /** Type of `content` when it is declared not to be HTML: PeerTube sends `text/markdown`. */
  mediaType?: string;
  /** The text as its author typed it. Never render it. */
  source?: { content: string; mediaType: string };
  /** A warning on Note and Question, a teaser on other types. */
  summary?: string;
  /** Title; on a Note without content the chosen option of a vote. */
  name?: string;
  inReplyTo?: string;
  /** `YYYY-MM-DDTHH:MM:SS.sssZ`, as are all times. */
  published?: string;
  updated?: string;
  /** The HTML page of the post, on the host of the id. */
  url?: string;
  to: string[];
  cc: string[];
  /** The place of writing. */
  place?: Place;
  sensitive: boolean;
  /** Declared to be a direct message (Pleroma). */
  direct: boolean;
  tags: Tag[];
  attachments: Attachment[];
  guid?: string;
  /** `context`, else the older `conversation`: any URI, also `tag:`. */
  context?: string;
  /** BCP 47 tag of the text, from the first source that has one: the maps, `language` (Lemmy), `inLanguage`, the `@context`. */
  language?: string;
  /** Texts by language, when the sender gave any. */
  contentMap?: LanguageMap;
  nameMap?: LanguageMap;
  summaryMap?: LanguageMap;
  /** Id of the quoted object, from any of the five members that peers use (FEP-044f, FEP-e232). */
  quote?: string;
  /** Id of the `QuoteAuthorization`; fetch it and check it with `isQuoteAuthorized`. */
  quoteAuthorization?: string;
  /** Actors whose quotes are approved automatically: actors, collections, the public (FEP-044f). */
  canQuote?: string[];
  /** Actors whose quotes the author is asked about (FEP-044f). */
  mayAskToQuote?: string[];
  /** Id of the collection of replies. */
  replies?: string;
  /** Counts as claimed by the sender, like `totalItems` anywhere. */
  likes?: number;
  shares?: number;
  raw: JsonObject;
};

const NOTE_TYPES: ReadonlySet<string> = new Set([
  "Article",
  "Audio",
  "Document",
  "Event",
  "Image",
  "Note",
  "Page",
  "Question",
  "Video",
]);

/**
 * Reads an object that can be shown as a post.
 * @throws {ActivityPubError} `not_an_object` without an http(s) id, for another type, or without an author
 */
export function readNote(json: JsonObject): Note {
  const id = typeof json["id"] === "string" ? httpIdOf(json["id"]) : undefined;
  const type = typeOf(json["type"], NOTE_TYPES);
  const attributedTo =
    httpIdOf(json["attributedTo"]) ?? httpIdOf(json["actor"]);
  if (id === undefined) {
    throw new ActivityPubError("not_an_object", "No http(s) id");
  }
  if (type === undefined || !NOTE_TYPES.has(type)) {
    throw new ActivityPubError("not_an_object", "Not the type of a post");
  }
  if (attributedTo === undefined) {
    throw new ActivityPubError("not_an_object", "No author with an http(s) id");
  }
  const tags = readTags(json["tag"]);
  return present<Note>({
    id,
    type,
    attributedTo,
    ...readTexts(json),
    inReplyTo: readParent(json, id),
    published: timeOf(json["published"]),
    updated: timeOf(json["updated"]),
    url: ownPage(json["url"], id),
    to: idListOf(json["to"]),
    cc: idListOf(json["cc"]),
    place: readLocations(json["location"]).place,
    sensitive: isTrue(json["sensitive"]),
    direct: isTrue(json["directMessage"]),
    tags,
    attachments: readAttachments(json["attachment"]),
    guid: guidOf(json),
    context: idOf(json["context"]) ?? idOf(json["conversation"]),
    quote: readQuote(json, tags),
    quoteAuthorization: httpIdOf(json["quoteAuthorization"]),
    canQuote: readPolicy(json, "automaticApproval", "always"),
    mayAskToQuote: readPolicy(json, "manualApproval", "approvalRequired"),
    replies: httpIdOf(json["replies"]),
    likes: totalOf(json["likes"]),
    shares: totalOf(json["shares"]),
    raw: json,
  });
}

function totalOf(value: JsonValue | undefined): number | undefined {
  return isJsonObject(value) ? countOf(value["totalItems"]) : undefined;
}

/** A page of another host would be shown as the post's own, so it is dropped; links then use the id. */
function ownPage(value: JsonValue | undefined, id: string): string | undefined {
  const url = urlOf(value);
  return url !== undefined && isSameHost(url, id) ? url : undefined;
}

function readTexts(json: JsonObject) {
  const contentMap = readLanguageMap(json["contentMap"]);
  const nameMap = readLanguageMap(json["nameMap"]);
  const summaryMap = readLanguageMap(json["summaryMap"]);
  const content = textOf(json["content"]) ?? firstText(contentMap) ?? "";
  const mediaType = textOf(json["mediaType"], 255)?.toLowerCase();
  return {
    content,
    mediaType: mediaType?.startsWith("text/html") ? undefined : mediaType,
    source: readSource(json["source"]),
    summary: textOf(json["summary"]) ?? firstText(summaryMap),
    name: textOf(json["name"]) ?? firstText(nameMap),
    language:
      languageOf(contentMap, content) ??
      readNamedLanguage(json) ??
      languageOf(summaryMap, textOf(json["summary"]) ?? "") ??
      languageOf(nameMap, textOf(json["name"]) ?? "") ??
      readContextLanguage(json["@context"]),
    contentMap,
    nameMap,
    summaryMap,
  };
}

/** Lemmy has a separate language member: `{"identifier":"en","name":"English"}`; Mobilizon writes `inLanguage`. */
function readNamedLanguage(json: JsonObject): string | undefined {
  const { language, inLanguage } = json;
  const identifier = isJsonObject(language)
    ? language["identifier"]
    : undefined;
  return asLanguage(identifier) ?? asLanguage(inLanguage);
}

/** The JSON-LD default language, for texts without another. Hubzilla and Pleroma write it, the latter mostly `und`. */
function readContextLanguage(
  context: JsonValue | undefined,
): string | undefined {
  let found: string | undefined;
  for (const part of listOf(context, MAX_CONTEXTS))
    if (isJsonObject(part) && Object.hasOwn(part, "@language"))
      found = asLanguage(part["@language"]);
  return found;
}

const MAX_CONTEXTS = 100;

function asLanguage(value: JsonValue | undefined): string | undefined {
  const tag = textOf(value, 64) ?? "";
  return languageOf(readLanguageMap({ [tag]: "text" }), "text");
}

function readSource(value: JsonValue | undefined): Note["source"] | undefined {
  const source = firstOf(value);
  if (!isJsonObject(source)) {
    const content = textOf(source);
    return content === undefined
      ? undefined
      : { content, mediaType: "text/plain" };
  }
  const content = textOf(source["content"]);
  if (content === undefined) return undefined;
  return {
    content,
    mediaType: textOf(source["mediaType"], 255) ?? "text/plain",
  };
}

const QUOTE_REL = "https://misskey-hub.net/ns#_misskey_quote";

function readQuote(json: JsonObject, tags: Tag[]): string | undefined {
  for (const name of ["quote", "_misskey_quote", "quoteUrl", "quoteUri"]) {
    const id = httpIdOf(json[name]);
    if (id !== undefined) return id;
  }
  return tags.find((tag) => tag.type === "Link" && tag.rel === QUOTE_REL)?.href;
}

/** @param older GoToSocial's older name for the same member */
function readPolicy(
  { interactionPolicy }: JsonObject,
  member: string,
  older: string,
): string[] | undefined {
  const policy = isJsonObject(interactionPolicy)
    ? interactionPolicy["canQuote"]
    : undefined;
  if (!isJsonObject(policy)) return undefined;
  return idListOf(policy[member] ?? policy[older], 100);
}

/** A post that replies to itself is treated as the root of its thread. */
function readParent(json: JsonObject, id: string): string | undefined {
  const parent = idOf(json["inReplyTo"]);
  return parent === id ? undefined : parent;
}
