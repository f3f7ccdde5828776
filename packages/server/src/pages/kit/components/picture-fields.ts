import type { PhotoId } from "../../../features/ids.ts";
import { text } from "../../../http/input/input.ts";
import { Type } from "../../../lib/json-schema.ts";
import { hiddenField, textAreaField } from "../form-fields.ts";
import { html, type Html } from "../html.ts";
import { readIds } from "../page-input.ts";
import { pageTexts } from "../../languages/texts.ts";

const texts = pageTexts.write;

/** The form field with the files. */
export const PHOTOS_FIELD = "photo";

/** Pictures of one post, comment or message. */
export const MAX_PICTURES = 8;

/** The pictures of a text as it is being written. */
export type DraftPictures = {
  /** Pictures that are uploaded already. */
  readonly photoIds: readonly PhotoId[];
  /** A line for each picture. */
  readonly photoTexts: string;
};

export const NO_PICTURES: DraftPictures = { photoIds: [], photoTexts: "" };

/** The fields of a form with pictures, but for the files. */
export const PICTURE_FIELDS = {
  photo_id: Type.Optional(
    Type.Array(Type.String(), {
      description: "The ids of pictures that are uploaded already",
    }),
  ),
  photo_text: text("The descriptions of the pictures, a line for each"),
};

export function readPictures(input: {
  readonly photo_id?: string[];
  readonly photo_text?: string;
}): DraftPictures {
  return {
    photoIds: (readIds(input.photo_id) as PhotoId[]).slice(0, MAX_PICTURES),
    photoTexts: input.photo_text ?? "",
  };
}

/** Limits the file dialog alone: the content of a file decides whether it is accepted. */
const ACCEPTED = [
  ...["image/jpeg", "image/png", "image/gif", "image/webp", "image/avif"],
  ...["video/mp4", "video/webm", "video/quicktime", "audio/mpeg", "audio/mp4"],
  ...["audio/ogg", "audio/webm", "audio/flac", "audio/wav"],
];

export function pictureField(label: string): Html {
  return html`<p>
    <label for="photo">${label}</label>
    <input
      id="photo"
      name="${PHOTOS_FIELD}"
      type="file"
      accept="${ACCEPTED.join(",")}"
      multiple
      aria-describedby="photo-hint"
    />
    <small id="photo-hint">${texts.photosHint(MAX_PICTURES)}</small>
  </p>`;
}

/** Files to add, those that are added already, and descriptions for all of them. */
export function pictureFields({ photoIds, photoTexts }: DraftPictures): Html {
  return html`${pictureField(texts.photos)}
  ${
    photoIds.length > 0 &&
    html`<p>
      ${photoIds.map((id) => hiddenField("photo_id", id))}
      ${texts.attached(photoIds.length)}
    </p>`
  }
  ${linesField("photo_text", photoTexts, texts.photoTexts, texts.photoTextsHint)}`;
}

/** The same, folded until they are wanted. */
export function foldedPictureFields(pictures: DraftPictures): Html {
  const { photoIds, photoTexts } = pictures;
  const isFilled = photoIds.length > 0 || photoTexts !== "";
  return html`<details ${isFilled && html`open`}>
    <summary>${texts.photos}</summary>
    ${pictureFields(pictures)}
  </details>`;
}

/** A text with a line for each of several things. */
export function linesField(
  name: string,
  value: string,
  label: string,
  hint: string,
): Html {
  return textAreaField(name, value, { label, hint, rows: 2, isShort: true });
}
