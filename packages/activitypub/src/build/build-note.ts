import { membersOf, unlessEmpty, wholeSeconds } from "./build-parts.ts";
import { buildPlace } from "./build-place.ts";
import { CONTENT_TYPE } from "../media-types.ts";
import type { JsonObject, JsonValue } from "../json/json-types.ts";
import { buildLanguageMap } from "../read/language-map.ts";
import type { LanguageMap } from "../read/language-map.ts";
import type { Place } from "../read/read-place.ts";

/** The link relation of a quote tag. */
const QUOTE_REL = "https://misskey-hub.net/ns#_misskey_quote";

/** An attachment of our post. The type is derived from `mediaType` when it is missing. */
export type AttachmentInput = {
  type?: "Document" | "Image" | "Video" | "Audio" | "Link";
  /** Always sent: Gancio fails on an attachment without it. */
  mediaType: string;
  url: string;
  /** Alternative text, plain. */
  name?: string;
  /** Pixels. */
  width?: number;
  height?: number;
  blurhash?: string;
  focalPoint?: [x: number, y: number];
  /** Of a sound or a video. */
  durationSeconds?: number;
};

/** The input of {@link buildNote}. All ids and URLs are absolute; `contentHtml` is safe HTML. */
export type NoteInput = {
  id: string;
  /** Note by default. */
  type?: "Note" | "Article" | "Page" | "Question";
  attributedTo: string;
  contentHtml: string;
  /** The text as its author typed it, in Markdown. */
  source?: string;
  /** BCP 47 tag. */
  language?: string;
  /** The content in other languages. */
  translations?: LanguageMap;
  /** Title, plain text. */
  name?: string;
  to: string[];
  cc: string[];
  published: string;
  /** Only after an edit, and then later than `published`: peers compare the two. */
  updated?: string;
  url: string;
  inReplyTo?: string;
  context?: string;
  guid: string;
  /** Names with their prefix: `@user@host`, `#tag`. */
  tags?: { type: "Mention" | "Hashtag"; name: string; href: string }[];
  attachments?: AttachmentInput[];
  /** The place of writing or, for an event, its location. */
  place?: Place;
  sensitive?: boolean;
  /** Content warning of a Note, teaser of an Article; plain text. */
  summary?: string;
  /** Id of the quoted object; mention it in the text too, for peers that do not support quotes. */
  quote?: string;
  /** Id of the quoted author's `QuoteAuthorization`. */
  quoteAuthorization?: string;
  /** Actors whose quotes are approved automatically: everyone, the followers, or the author alone. */
  canQuote?: string[];
  /** A direct message: only for the actors in `to`, who are all tagged. */
  direct?: boolean;
  repliesUri?: string;
  likes?: { id: string; totalItems: number };
  shares?: { id: string; totalItems: number };
};

/** Builds a post, without `@context`. Lists are always arrays, and nothing is null. */
export function buildNote(note: NoteInput): JsonObject {
  return membersOf({
    id: note.id,
    type: note.type ?? "Note",
    "diaspora:guid": note.guid,
    attributedTo: note.attributedTo,
    to: [...note.to],
    cc: [...note.cc],
    name: unlessEmpty(note.name),
    summary: unlessEmpty(note.summary),
    content: note.contentHtml,
    contentMap: buildLanguageMap(
      note.language,
      note.contentHtml,
      note.translations,
    ),
    source:
      note.source === undefined
        ? undefined
        : { content: note.source, mediaType: "text/markdown" },
    sensitive: note.sensitive ?? false,
    // Of Pleroma. Never false: glitch-soc drops such a post.
    directMessage: note.direct === true ? true : undefined,
    location: buildPlace(note.place),
    inReplyTo: note.inReplyTo,
    context: note.context,
    // The older name for `context`; Mastodon and Pleroma group threads by it.
    conversation: note.context,
    published: wholeSeconds(note.published),
    updated: wholeSeconds(note.updated),
    url: note.url,
    ...quoteMembers(note),
    tag: buildTags(note),
    attachment: (note.attachments ?? []).map(buildAttachment),
    replies: note.repliesUri,
    likes: countedCollection(note.likes),
    shares: countedCollection(note.shares),
  });
}

/** The four members by which peers recognize a quote, its authorization, and the quote policy of this post (FEP-044f). */
function quoteMembers({ quote, quoteAuthorization, canQuote }: NoteInput) {
  return {
    quote,
    quoteUrl: quote,
    quoteUri: quote,
    _misskey_quote: quote,
    quoteAuthorization,
    interactionPolicy:
      canQuote === undefined
        ? undefined
        : { canQuote: { automaticApproval: [...canQuote] } },
  };
}

/** Mitra and Hollo recognize a quote by a tag (FEP-e232). */
function buildTags({ tags = [], quote }: NoteInput): JsonObject[] {
  const built: JsonObject[] = tags.map(({ type, name, href }) => ({
    type,
    name,
    href,
  }));
  if (quote === undefined) return built;
  const link = {
    type: "Link",
    mediaType: CONTENT_TYPE,
    href: quote,
    name: `RE: ${quote}`,
    rel: QUOTE_REL,
  };
  return [...built, link];
}

/** Builds one attachment. */
export function buildAttachment(attachment: AttachmentInput): JsonObject {
  const isLink = attachment.type === "Link";
  return membersOf({
    type: attachment.type ?? typeOfMedia(attachment.mediaType),
    mediaType: attachment.mediaType,
    [isLink ? "href" : "url"]: attachment.url,
    name: unlessEmpty(attachment.name),
    // GoToSocial reads the description from here; snac and others read `name`.
    summary: isLink ? undefined : unlessEmpty(attachment.name),
    width: attachment.width,
    height: attachment.height,
    blurhash: attachment.blurhash,
    focalPoint: attachment.focalPoint,
    duration:
      attachment.durationSeconds === undefined
        ? undefined
        : `PT${Number(attachment.durationSeconds.toFixed(3))}S`,
  });
}

function typeOfMedia(mediaType: string): string {
  if (mediaType.startsWith("image/")) return "Image";
  if (mediaType.startsWith("video/")) return "Video";
  if (mediaType.startsWith("audio/")) return "Audio";
  return "Document";
}

function countedCollection(
  collection: { id: string; totalItems: number } | undefined,
): JsonValue | undefined {
  if (collection === undefined) return undefined;
  return {
    id: collection.id,
    type: "Collection",
    totalItems: collection.totalItems,
  };
}
