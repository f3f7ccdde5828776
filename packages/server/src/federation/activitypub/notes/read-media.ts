import { readPost, type Attachment, type Note } from "@kith/activitypub";
import type { ReceivedPhoto } from "../../../features/posts/index.ts";
import { readPictureAddress } from "../../../lib/images/picture-address.ts";

/**
 * The pictures, sounds and videos of a Note: its attachments, or the file that a Video or
 * an Audio is itself. They stay on their own server.
 */
export function readMedia(note: Note): ReceivedPhoto[] {
  const file = chooseFile(note);
  return readAttachedMedia([...(file ? [file] : []), ...note.attachments]);
}

/** The files of a reply, but for those that its text shows. */
export function readReplyMedia({
  attachments,
  content,
}: Note): ReceivedPhoto[] {
  return readAttachedMedia(attachments).filter(
    ({ url }) => !content.includes(url),
  );
}

export function readAttachedMedia(
  attachments: readonly Attachment[],
): ReceivedPhoto[] {
  return attachments.flatMap((attachment) => {
    const mediaType = mediaTypeOf(attachment);
    const { url, name, width, height } = attachment;
    const { blurhash, focalPoint, durationSeconds } = attachment;
    return mediaType === undefined || readPictureAddress(url) === undefined
      ? []
      : {
          ...{ url, text: name, width, height, blurhash },
          mediaType: mediaType === "" ? undefined : mediaType,
          focus: focalPoint,
          durationMs:
            durationSeconds === undefined ? undefined : durationSeconds * 1000,
        };
  });
}

/** The height that browsers play on any connection. */
const USUAL_HEIGHT = 720;

/** PeerTube lists a file for each resolution. */
function chooseFile(note: Note): Attachment | undefined {
  if (note.type !== "Video" && note.type !== "Audio") return undefined;
  const { media, durationSeconds, text } = readPost(note.raw);
  const files = media.filter(
    (file) => file.type === note.type && (mediaTypeOf(file) ?? "") !== "",
  );
  const chosen =
    files.find(({ height = 0 }) => height <= USUAL_HEIGHT) ?? files.at(-1);
  if (!chosen) return undefined;
  // The text of the post describes it.
  const { name: _, ...file } = chosen;
  return {
    ...file,
    ...(text === "" && note.name !== undefined && { name: note.name }),
    ...(durationSeconds !== undefined && { durationSeconds }),
  };
}

const SHOWN = /^(?:image\/(?!svg)|audio\/|video\/)/;
const PLAYLIST = /mpegurl|dash/;

/** Where the media type is missing: the one of the file's ending. */
const ENDINGS: ReadonlyMap<string, string> = new Map([
  ...(["mp4", "webm"] as const).map(
    (ending) => [`Video ${ending}`, `video/${ending}`] as const,
  ),
  ["Audio mp3", "audio/mpeg"],
  ["Audio ogg", "audio/ogg"],
  ["Audio m4a", "audio/mp4"],
]);

/**
 * Some servers name the media type and call it a Document, others call it an Image without a media
 * type.
 * @returns undefined if it is not shown; empty for an image of unknown type
 */
function mediaTypeOf({ type, mediaType, url }: Attachment): string | undefined {
  const named = mediaType?.toLowerCase();
  if (named !== undefined)
    return SHOWN.test(named) && !PLAYLIST.test(named) ? named : undefined;
  if (type === "Image") return "";
  const ending = /\.([a-z0-9]{3,4})$/i.exec(
    URL.parse(url)?.pathname ?? "",
  )?.[1];
  return ENDINGS.get(`${type} ${ending?.toLowerCase() ?? ""}`);
}
