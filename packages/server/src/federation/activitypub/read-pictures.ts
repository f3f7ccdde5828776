import { isIP } from "node:net";
import type { Attachment } from "@kith/activitypub";
import type { ReceivedPhoto } from "../../features/posts/index.ts";

/** The pictures among the attachments of a Note. They stay where they are. */
export function readPictures(
  attachments: readonly Attachment[],
): ReceivedPhoto[] {
  return attachments
    .filter((attachment) => isPicture(attachment) && hasHost(attachment))
    .map(({ url, name, mediaType, width, height, blurhash }) => ({
      url,
      text: name,
      mediaType,
      width,
      height,
      blurhash,
    }));
}

/** Some servers name the media type and call it a Document, others call it an Image and name none. */
function isPicture({ type, mediaType }: Attachment): boolean {
  return mediaType === undefined
    ? type === "Image"
    : /^image\/(?!svg)/i.test(mediaType);
}

/** An address of the network instead of a name leads to machines that are nobody's to show. */
function hasHost({ url }: Attachment): boolean {
  const host = URL.parse(url)?.hostname.replace(/^\[|\]$/g, "");
  return host !== undefined && isIP(host) === 0;
}
