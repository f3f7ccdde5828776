import { isGuid, newGuid } from "../../lib/guids.ts";
import { storableText } from "../../lib/well-formed.ts";
import type { PersonId } from "../ids.ts";
import { MAX_TEXT_LENGTH, type ReceivedPhoto } from "../posts/index.ts";
import type { NewPhoto } from "./photo-store.ts";
import { kindOfPhoto, type Playback } from "./photo.ts";

/** The limit per post, local or remote. */
export const MAX_PHOTOS = 20;
const MAX_URL_LENGTH = 2048;
const MAX_PIXELS = 1_000_000;
const MAX_DURATION_MS = 7 * 24 * 3_600_000;
const MEDIA_TYPE = /^(?:image|audio|video)\/[\w.+-]{1,40}$/;

/** Are its addresses ones that a browser can load? */
export function hasWebAddress({ url, thumbnailUrl }: ReceivedPhoto): boolean {
  return isWebAddress(url) && (!thumbnailUrl || isWebAddress(thumbnailUrl));
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username === "" &&
    text.length <= MAX_URL_LENGTH
  );
}

/** The stored fields of a remote photo. Its Guid may be taken. */
export function remotePhoto(
  photo: ReceivedPhoto,
  personId: PersonId,
): Omit<NewPhoto, "position" | "postId"> {
  const { guid, url, thumbnailUrl = url } = photo;
  const given = (photo.mediaType ?? "").toLowerCase();
  const mediaType = MEDIA_TYPE.test(given) ? given : "";
  const { width = 0, height = 0, blurhash = "" } = photo;
  const text = [...storableText(photo.text ?? "").trim()];
  const isKnownSize = [width, height].every(
    (side) => Number.isInteger(side) && side > 0 && side <= MAX_PIXELS,
  );
  return {
    guid: guid !== undefined && isGuid(guid) ? guid : newGuid(),
    personId,
    aspectId: null,
    text: text.slice(0, MAX_TEXT_LENGTH).join(""),
    width: isKnownSize ? width : 0,
    height: isKnownSize ? height : 0,
    blurhash: /^[\x21-\x7e]{6,100}$/.test(blurhash) ? blurhash : "",
    focus: photo.focus?.every((part) => part >= -1 && part <= 1)
      ? photo.focus
      : null,
    mediaType,
    playback: playbackOf(mediaType, photo),
    remote: {
      url: new URL(url).href,
      thumbnailUrl: new URL(thumbnailUrl).href,
    },
    sizes: [],
    isProfile: false,
  };
}

function playbackOf(
  mediaType: string,
  { durationMs = 0 }: ReceivedPhoto,
): Playback | null {
  if (kindOfPhoto({ mediaType }) === "picture") return null;
  const isKnown = durationMs > 0 && durationMs <= MAX_DURATION_MS;
  return {
    durationMs: isKnown ? Math.round(durationMs) : 0,
    frameRate: 0,
    bytes: 0,
    isSilent: false,
  };
}
