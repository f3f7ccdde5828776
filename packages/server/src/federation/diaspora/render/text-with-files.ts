import { kindOfPhoto, mediaName } from "../../../features/photos/index.ts";
import { MAX_TEXT_LENGTH } from "../../../features/posts/index.ts";
import { escapeText } from "../../../lib/markdown/markdown-escape.ts";
import { writePictures } from "../../../lib/markdown/markdown-from-html-write.ts";
import type { AttachedPhoto } from "../../outbound/content.ts";

/** diaspora* has no entity for a sound or a video. */
export const isPicture = ({ photo }: Pick<AttachedPhoto, "photo">): boolean =>
  kindOfPhoto(photo) === "picture";

/**
 * The text of a comment or a message with its files, for which diaspora* has no property there:
 * pictures are shown in the text, sounds and videos linked. Recipients alone get the text of a
 * limited one, and in it the secrets of the addresses.
 */
export function withAttached(
  text: string,
  files: readonly AttachedPhoto[],
): string {
  if (files.length === 0) return text;
  const pictures = files.filter(isPicture).map(({ photo, sentUrl }) => ({
    ...{ url: sentUrl, text: photo.text },
  }));
  return withEnd(text, [
    writePictures(pictures),
    ...files.filter((file) => !isPicture(file)).map(linkRecording),
  ]);
}

/** A text with parts at its end, which are kept where the text is cut. */
export function withEnd(text: string, parts: readonly string[]): string {
  const end = parts.filter((part) => part !== "").join("\n\n");
  if (end === "") return cut(text, MAX_TEXT_LENGTH);
  const start = cut(text, MAX_TEXT_LENGTH - end.length - 2);
  return start === "" ? end : `${start}\n\n${end}`;
}

function cut(text: string, length: number): string {
  const letters = [...text];
  return letters.length > length ? letters.slice(0, length).join("") : text;
}

const MAX_LABEL_LENGTH = 200;

/** Recipients alone get the text of a limited post, and in it the secret of the address. */
export function linkRecording({ photo, sentUrl }: AttachedPhoto): string {
  const name =
    photo.text === "" ? mediaName(photo.guid, photo.mediaType) : photo.text;
  // A bracket could end the label.
  const plain = name.replaceAll(/\s+/g, " ").replaceAll("[", "(");
  const label = cut(plain.replaceAll("]", ")"), MAX_LABEL_LENGTH);
  return `▶ [${escapeText(label)}](${sentUrl})`;
}
