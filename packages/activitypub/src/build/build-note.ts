import { membersOf, unlessEmpty, wholeSeconds } from "./build-parts.ts";
import { buildPlace } from "./build-place.ts";
import { CONTENT_TYPE } from "../media-types.ts";
import type { JsonObject, JsonValue } from "../json/json-types.ts";
import { buildLanguageMap } from "../read/language-map.ts";
import type { LanguageMap } from "../read/language-map.ts";
import type { Place } from "../read/read-place.ts";

/** The relation of a tag that is a quote. */
const QUOTE_REL = "https://misskey-hub.net/ns#_misskey_quote";

/** A file of a post of ours. The type is derived from `mediaType` where it is not given. */
export type AttachmentInput = {
  type?: "Document" | "Image" | "Video" | "Audio" | "Link";
  /** Always sent: Gancio fails on an attachment without it. */
  mediaType: string;
  url: string;
  /** The description for those who do not see it; plain text. */
  name?: string;
  /** Pixels. */
  width?: number;
  height?: number;
  blurhash?: string;
  focalPoint?: [x: number, y: number];
};

/** What a post of ours says. All ids and URLs are absolute; `contentHtml` is safe HTML. */
export type NoteInput = {
  id: string;
  /** Note by default. */
  type?: "Note" | "Article" | "Page" | "Question";
  attributedTo: string;
  contentHtml: string;
  /** What the author typed, in Markdown. */
  source?: string;
  /** BCP 47 tag. */
  language?: string;
  /** The content in further languages. */
  translations?: LanguageMap;
  /** Title, plain text. */
  name?: string;
  to: string[];
  cc: string[];
  published: string;
  /** Only once it was edited, and then later than `published`: peers compare the two. */
  updated?: string;
  url: string;
  inReplyTo?: string;
  context?: string;
  guid: string;
  /** Names with their sign: `@user@host`, `#tag`. */
  tags?: { type: "Mention" | "Hashtag"; name: string; href: string }[];
  attachments?: AttachmentInput[];
  /** Where it was written or, of an event, takes place. */
  place?: Place;
  sensitive?: boolean;
  /** Content warning of a Note, teaser of an Article; plain text. */
  summary?: string;
  /** Id of the quoted object; the text should name it as well, for those who know no quotes. */
  quote?: string;
  /** Id of the quoted author's `QuoteAuthorization`. */
  quoteAuthorization?: string;
  /** Whose quotes are approved by themselves: everybody, the followers, or nobody but the author. */
  canQuote?: string[];
  repliesUri?: string;
  likes?: { id: string; totalItems: number };
  shares?: { id: string; totalItems: number };
};

/** Builds a post, without `@context`. Lists are always lists, and nothing is null. */
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
    location: buildPlace(note.place),
    inReplyTo: note.inReplyTo,
    context: note.context,
    // The older name of the same, which Mastodon and Pleroma group threads by.
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

/** The four names by which peers know a quote, and the leave for it and for quoting this (FEP-044f). */
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

/** Mitra and Hollo know a quote by a tag (FEP-e232). */
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
    // GoToSocial reads the description here; snac and others read `name`.
    summary: isLink ? undefined : unlessEmpty(attachment.name),
    width: attachment.width,
    height: attachment.height,
    blurhash: attachment.blurhash,
    focalPoint: attachment.focalPoint,
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
