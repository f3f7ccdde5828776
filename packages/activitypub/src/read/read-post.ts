import { isJsonObject } from "../json/json.ts";
import type { JsonObject, JsonValue } from "../json/json-types.ts";
import { readNote } from "./read-note.ts";
import type { Note } from "./read-note.ts";
import { readAttachments, readDuration, readPicture } from "./read-parts.ts";
import type { Attachment, Picture, Tag } from "./read-parts.ts";
import {
  countOf,
  firstOf,
  linkOf,
  listOf,
  present,
  textOf,
} from "../values.ts";

/**
 * A post of any type in one shape for display: a Note has no title, a Page of Lemmy may be only a link, a Video of
 * PeerTube has its files in `url`. Texts are not sanitized.
 */
export type ReadablePost = {
  id: string;
  type: string;
  attributedTo: string;
  /** Plain text. */
  title?: string;
  /** A content warning: `summary` of a Note or Question. */
  warning?: string;
  /** An introduction to the text: `summary` of all other types; may be HTML. */
  teaser?: string;
  /** Empty when there is none. */
  text: string;
  format: "html" | "markdown" | "plain";
  language?: string;
  /** The HTML page. */
  url?: string;
  /** The duration of a Video or Audio. */
  durationSeconds?: number;
  /** A preview image. */
  preview?: Picture;
  /** Playable and viewable files: those of a media object first, the best ahead, then attachments. */
  media: Attachment[];
  /** Linked pages. */
  links: Attachment[];
  sensitive: boolean;
  tags: Tag[];
};

const WARNED: ReadonlySet<string> = new Set(["Note", "Question"]);
const MEDIA: ReadonlySet<string> = new Set([
  "Audio",
  "Document",
  "Image",
  "Video",
]);
const MAX_FILES = 100;

/**
 * Reads any object that can be shown as a post into this shape.
 * @throws {ActivityPubError} `not_an_object`, as `readNote`
 */
export function readPost(json: JsonObject): ReadablePost {
  const note = readNote(json);
  const isWarned = WARNED.has(note.type);
  const files = MEDIA.has(note.type) ? readFiles(json, note.type) : [];
  const attached = note.attachments.filter(({ type }) => type !== "Link");
  return present<ReadablePost>({
    id: note.id,
    type: note.type,
    attributedTo: note.attributedTo,
    title: note.name,
    warning: isWarned ? note.summary : undefined,
    teaser: isWarned ? undefined : note.summary,
    text: note.content,
    format: formatOf(note),
    language: note.language,
    url: note.url,
    durationSeconds: readDuration(json["duration"]),
    preview: readPicture(json["icon"]) ?? readPicture(json["image"]),
    media: [...files, ...attached],
    links: note.attachments.filter(({ type }) => type === "Link"),
    sensitive: note.sensitive,
    tags: note.tags,
  });
}

function formatOf({ mediaType }: Note): ReadablePost["format"] {
  // On an image it is the type of the file.
  if (!mediaType?.startsWith("text/")) return "html";
  return /^text\/(x-)?markdown\b/.test(mediaType) ? "markdown" : "plain";
}

/** The object's own files: media entries in `url`, the widest first, without playlists and pages. */
function readFiles(json: JsonObject, type: string): Attachment[] {
  const urls = listOf(json["url"], MAX_FILES);
  const shared = sharedBy(json);
  // PeerTube lists the files of a playlist inside it.
  const inPlaylists = urls.flatMap((item) =>
    isJsonObject(item) ? listOf(item["tag"], MAX_FILES) : [],
  );
  const files = [...urls, ...inPlaylists]
    .slice(0, MAX_FILES)
    .flatMap((item) =>
      isFile(item, type, shared) ? readFile(item, type, shared) : [],
    );
  return files.sort((a, b) => (b.width ?? 0) - (a.width ?? 0));
}

const SHARED = [
  ...["mediaType", "name", "summary", "width", "height", "blurhash"],
];

/** The members that apply to all files of the object, read only once: each may be a long list. */
function sharedBy(json: JsonObject): JsonObject {
  const values = SHARED.map((name): [string, JsonValue] => {
    const value = firstOf(json[name]);
    return [name, typeof value === "object" ? null : (value ?? null)];
  });
  return {
    ...Object.fromEntries(values),
    focalPoint: listOf(json["focalPoint"], 3),
  };
}

function isFile(item: JsonValue, type: string, shared: JsonObject): boolean {
  // A bare URL is the page, unless the object declares a file of this type.
  const mediaType = isJsonObject(item)
    ? textOf(item["mediaType"], 255)
    : textOf(shared["mediaType"], 255);
  const kind = mediaType?.toLowerCase().split("/")[0];
  if (type === "Document") return kind !== undefined && kind !== "text";
  return kind === type.toLowerCase();
}

function readFile(
  item: JsonValue,
  type: string,
  shared: JsonObject,
): Attachment[] {
  const link = linkOf(item);
  if (link === undefined) return [];
  const sized = isJsonObject(item) ? item : shared;
  const members: JsonObject = {
    ...shared,
    type,
    url: link.url,
    mediaType: link.mediaType ?? shared["mediaType"] ?? null,
    width: sized["width"] ?? null,
    height: countOf(sized["height"]) ?? null,
  };
  return readAttachments(members);
}
