import { isJsonObject } from "../json/json.ts";
import type { JsonObject, JsonValue } from "../json/json-types.ts";
import {
  countOf,
  firstOf,
  idOf,
  linkOf,
  listOf,
  present,
  textOf,
} from "../values.ts";
import { isHttpUrl } from "../urls.ts";

/** A Mention, Hashtag, Emoji or object link of a post or actor. */
export type Tag = {
  type: string;
  /** As sent: `@user@host`, `#tag` (PeerTube: `tag`), `:shortcode:`; may be empty. */
  name: string;
  /** Actor id of a Mention, page of a Hashtag, object of a Link. */
  href?: string;
  /** Relation of a Link (FEP-e232). */
  rel?: string;
  /** Picture of an Emoji. */
  iconUrl?: string;
};

/** A file, picture or link card of a post. */
export type Attachment = {
  /** Document, Image, Video, Audio, or Link: a page to preview. */
  type: string;
  mediaType?: string;
  url: string;
  /** Alternative text. */
  name?: string;
  width?: number;
  height?: number;
  blurhash?: string;
  /** x to the right and y upwards, both from -1 to 1. */
  focalPoint?: [x: number, y: number];
  /** Of a sound or a video. */
  durationSeconds?: number;
};

/** An image of an actor. */
export type Picture = { url: string; mediaType?: string; name?: string };

const MAX_PARTS = 100;
const MAX_DESCRIPTION = 10_000;

/** Reads `tag`: single or list, without entries that have neither a name nor a link. At most 100 are read. */
export function readTags(value: JsonValue | undefined): Tag[] {
  return listOf(value, MAX_PARTS).flatMap((item) => {
    if (!isJsonObject(item)) return [];
    const type = textOf(item["type"], 255);
    const name = textOf(item["name"], 2048) ?? "";
    const href = httpText(item["href"]);
    if (type === undefined || (name === "" && href === undefined)) return [];
    return present<Tag>({
      type,
      name,
      href,
      rel: textOf(item["rel"], 255),
      iconUrl: readPicture(item["icon"])?.url,
    });
  });
}

/** Reads `attachment`: single or list, without entries that have no http(s) URL. At most 100 are read. */
export function readAttachments(value: JsonValue | undefined): Attachment[] {
  return listOf(value, MAX_PARTS).flatMap((item) => {
    if (!isJsonObject(item)) return [];
    const link = fileOf(item);
    const type = textOf(item["type"], 255);
    if (link === undefined || type === undefined) return [];
    return present<Attachment>({
      type,
      mediaType: textOf(item["mediaType"], 255) ?? link.mediaType,
      url: link.url,
      name: descriptionOf(item),
      width: pixelsOf(item["width"]),
      height: pixelsOf(item["height"]),
      blurhash: textOf(item["blurhash"], 255),
      focalPoint: readFocalPoint(item["focalPoint"]),
      durationSeconds: readDuration(item["duration"]),
    });
  });
}

/** Reads `icon` or `image`: an object, a list, or a bare URL. */
export function readPicture(value: JsonValue | undefined): Picture | undefined {
  const first = firstOf(value);
  if (first === undefined) return undefined;
  const link = isJsonObject(first) ? fileOf(first) : linkOf(first);
  if (link === undefined) return undefined;
  if (!isJsonObject(first)) return link;
  return present<Picture>({
    url: link.url,
    mediaType: textOf(first["mediaType"], 255) ?? link.mediaType,
    name: textOf(first["name"], MAX_DESCRIPTION),
  });
}

/** Reads the profile fields among an actor's attachments (schema.org PropertyValue). At most 50 are read. */
export function readProfileFields(
  value: JsonValue | undefined,
): { name: string; value: string }[] {
  return listOf(value, MAX_PARTS)
    .flatMap((item) => {
      if (!isJsonObject(item) || textOf(item["type"]) !== "PropertyValue") {
        return [];
      }
      const name = textOf(item["name"], 2048);
      const text = textOf(item["value"], 2048);
      return name === undefined || text === undefined
        ? []
        : [{ name, value: text }];
    })
    .slice(0, 50);
}

function fileOf(
  item: JsonObject,
): { url: string; mediaType?: string } | undefined {
  for (const candidate of [...listOf(item["url"], MAX_PARTS), item["href"]]) {
    const link = candidate === undefined ? undefined : linkOf(candidate);
    if (link !== undefined) return link;
  }
  return undefined;
}

function httpText(value: JsonValue | undefined): string | undefined {
  const text = idOf(value);
  return text !== undefined && isHttpUrl(text) ? text : undefined;
}

function pixelsOf(value: JsonValue | undefined): number | undefined {
  const pixels = countOf(value);
  return pixels === 0 ? undefined : pixels;
}

function readFocalPoint(
  value: JsonValue | undefined,
): [number, number] | undefined {
  const [x, y] = listOf(value, 3);
  if (typeof x !== "number" || typeof y !== "number") return undefined;
  // Written so that NaN fails the check.
  if (!(Math.abs(x) <= 1 && Math.abs(y) <= 1)) return undefined;
  return [x, y];
}

/** The name Banner marks the image of an event; the alternative text is then in another member. */
function descriptionOf(item: JsonObject): string | undefined {
  const name = textOf(item["name"], MAX_DESCRIPTION);
  const summary = textOf(item["summary"], MAX_DESCRIPTION);
  return name === "Banner" ? (summary ?? name) : (name ?? summary);
}

/** Reads an `xsd:duration` up to days: PeerTube writes `PT121S`. */
export function readDuration(value: JsonValue | undefined): number | undefined {
  const match =
    /^P(?:(\d{1,4})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,9}(?:\.\d{1,9})?)S)?)?$/.exec(
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
