import {
  kindOfPhoto,
  type Photo,
  type PhotoKind,
} from "../../features/photos/index.ts";
import { toWireId, type Entity } from "../kit/wire.ts";

/** The largest side of the small picture. */
const SMALL = 700;
/** Clients play short videos without a sound by themselves, again and again. */
const MAX_LOOP_MS = 60_000;

const TYPES: Readonly<Record<PhotoKind, string>> = {
  picture: "image",
  sound: "audio",
  video: "video",
};

/** @param urls of the file, and of a small picture */
export function presentMedia(
  photo: Photo,
  urls: { readonly large: string; readonly small: string },
): Entity {
  const kind = kindOfPhoto(photo);
  return {
    id: toWireId(photo.id),
    type: isLoop(photo) ? "gifv" : TYPES[kind],
    url: urls.large,
    preview_url: kind === "sound" ? null : urls.small,
    remote_url: photo.remote?.url ?? null,
    preview_remote_url: null,
    text_url: null,
    meta: presentMeta(photo),
    description: photo.text === "" ? null : photo.text,
    blurhash: photo.blurhash === "" ? null : photo.blurhash,
  };
}

function isLoop({ playback }: Photo): boolean {
  return playback?.isSilent === true && playback.durationMs <= MAX_LOOP_MS;
}

function presentMeta({ width, height, focus, playback }: Photo): Entity {
  const point = focus && { focus: { x: focus[0], y: focus[1] } };
  const played = playback && presentPlayback(playback);
  if (width <= 0 || height <= 0)
    return { ...(played && { original: played }), ...point };
  const scale = Math.min(1, SMALL / Math.max(width, height));
  return {
    original: { ...presentSize(width, height), ...played },
    small: presentSize(
      Math.max(1, Math.round(width * scale)),
      Math.max(1, Math.round(height * scale)),
    ),
    ...point,
  };
}

/** Without what another server does not say. */
function presentPlayback({
  durationMs,
  frameRate,
  bytes,
}: NonNullable<Photo["playback"]>): Entity {
  const isKnown = durationMs > 0;
  return {
    ...(frameRate > 0 && { frame_rate: `${Math.round(frameRate * 100)}/100` }),
    ...(isKnown && { duration: durationMs / 1000 }),
    ...(isKnown &&
      bytes > 0 && { bitrate: Math.round((bytes * 8000) / durationMs) }),
  };
}

const presentSize = (width: number, height: number): Entity => ({
  width,
  height,
  size: `${width}x${height}`,
  aspect: width / height,
});
