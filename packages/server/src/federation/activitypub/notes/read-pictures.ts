import type { Attachment } from "@kith/activitypub";
import type { ReceivedPhoto } from "../../../features/posts/index.ts";
import { readPictureAddress } from "../../../lib/images/picture-address.ts";

/** The pictures among the attachments of a Note. They stay on their own server. */
export function readPictures(
  attachments: readonly Attachment[],
): ReceivedPhoto[] {
  return attachments
    .filter(
      (attachment) =>
        isPicture(attachment) &&
        readPictureAddress(attachment.url) !== undefined,
    )
    .map(({ url, name, mediaType, width, height, blurhash, focalPoint }) => ({
      url,
      text: name,
      mediaType,
      width,
      height,
      blurhash,
      focus: focalPoint,
    }));
}

/**
 * Some servers name the media type and call it a Document, others call it an Image without a media
 * type.
 */
function isPicture({ type, mediaType }: Attachment): boolean {
  return mediaType === undefined
    ? type === "Image"
    : /^image\/(?!svg)/i.test(mediaType);
}
