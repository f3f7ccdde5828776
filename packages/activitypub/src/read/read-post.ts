import { isJsonObject } from "../json/json.ts";
import type { JsonObject, JsonValue } from "../json/json-types.ts";
import { readNote } from "./read-note.ts";
import type { Note } from "./read-note.ts";
import { readAttachments, readPicture } from "./read-parts.ts";
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
 * What a post of any type says, in one shape to be shown: a Note has no title, a Page of Lemmy may be only a link,
 * a Video of PeerTube hides its files in `url`. Texts are not sanitised.
 */
export type ReadablePost = {
  id: string;
  type: string;
  attributedTo: string;
  /** Plain text. */
  title?: string;
  /** A warning to put in front of the post: `summary` of a Note or Question. */
  warning?: string;
  /** What introduces the text: `summary` of everything else; may be HTML. */
  teaser?: string;
  /** Empty where there is none. */
  text: string;
  format: "html" | "markdown" | "plain";
  language?: string;
  /** Page for people. */
  url?: string;
  /** Of a Video or Audio. */
  durationSeconds?: number;
  /** A still picture that stands for the whole. */
  preview?: Picture;
  /** What can be seen and heard: the files of a media object in front, best first, then attachments. */
  media: Attachment[];
  /** Pages it points to. */
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
 * Reads any object that can be shown as a post into one shape.
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
  // On a picture it is the type of the file.
  if (!mediaType?.startsWith("text/")) return "html";
  return /^text\/(x-)?markdown\b/.test(mediaType) ? "markdown" : "plain";
}

/** The object's own files: whatever in `url` says that it is one, widest first. Playlists and pages are none. */
function readFiles(json: JsonObject, type: string): Attachment[] {
  const urls = listOf(json["url"], MAX_FILES);
  const shared = sharedBy(json);
  // PeerTube lists the files of a playlist inside of it.
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

/** What the object says of all its files, looked up once: each may be a long list. */
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
  // A bare URL is the page, unless the object says that it is a file of this type.
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

/** An `xsd:duration` up to days: PeerTube writes `PT121S`. */
function readDuration(value: JsonValue | undefined): number | undefined {
  const match =
    /^P(?:(\d{1,4})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,9})(?:\.\d+)?S)?)?$/.exec(
      textOf(value, 64) ?? "",
    );
  if (match === null) return undefined;
  const [days, hours, minutes, seconds] = match
    .slice(1)
    .map((part: string | undefined) => Number(part ?? 0));
  const total =
    (((days ?? 0) * 24 + (hours ?? 0)) * 60 + (minutes ?? 0)) * 60 +
    (seconds ?? 0);
  return total > 0 ? total : undefined;
}
