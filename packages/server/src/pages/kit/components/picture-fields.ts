import type { PhotoId } from "../../../features/ids.ts";
import { text } from "../../../http/input/input.ts";
import { Type } from "../../../lib/json-schema.ts";
import {
  hiddenField,
  notesOf,
  notesView,
  textAreaField,
} from "../form-fields.ts";
import { html, type Html } from "../html.ts";
import { linesOf, readIds } from "../page-input.ts";
import { composeTexts, pageTexts } from "../../languages/texts.ts";

const texts = pageTexts.write;

/** The form field with the files. */
export const PHOTOS_FIELD = "photo";

/** Pictures of one post, comment or message. */
export const MAX_PICTURES = 8;

/** How a route takes them: those above the limits do not cost what was typed. */
export const PICTURES = {
  ...{ file: PHOTOS_FIELD, maxFiles: MAX_PICTURES, keepsTexts: true },
} as const;

/** The pictures of a text as it is being written. */
export type DraftPictures = {
  /** Pictures that are uploaded already. */
  readonly photoIds: readonly PhotoId[];
  /** A line for each picture. */
  readonly photoTexts: string;
  /** A description for each picture that is uploaded already, in their order. */
  readonly described?: readonly string[];
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
  remove_photo: Type.Optional(
    Type.Array(Type.String(), {
      description: "The ids of uploaded pictures that are left out",
    }),
  ),
};

type PictureInput = {
  readonly photo_id?: string[];
  readonly photo_text?: string;
  readonly remove_photo?: string[];
};

export function readPictures(input: PictureInput): DraftPictures {
  const ids = readIds(input.photo_id) as PhotoId[];
  const draft = {
    photoIds: ids.slice(0, MAX_PICTURES),
    photoTexts: input.photo_text ?? "",
  };
  return leaveOutRemoved(draft, input);
}

/** A draft without the pictures that its author removes. */
export function leaveOutRemoved<Draft extends DraftPictures>(
  draft: Draft,
  { remove_photo }: PictureInput,
): Draft {
  const removed = new Set(readIds(remove_photo));
  return leaveOutPictures(draft, (id) => removed.has(id));
}

/** A draft without some pictures, and without their descriptions. */
export function leaveOutPictures<Draft extends DraftPictures>(
  draft: Draft,
  isLeftOut: (id: PhotoId) => boolean,
): Draft {
  const { photoIds, photoTexts, described = [] } = draft;
  if (!photoIds.some(isLeftOut)) return draft;
  const isKept = (_words: string, at: number): boolean => {
    const id = photoIds[at];
    return id === undefined || !isLeftOut(id);
  };
  return {
    ...draft,
    photoIds: photoIds.filter((id) => !isLeftOut(id)),
    // The lines are for all pictures, unless each has a field of its own.
    ...(described.length > 0
      ? { described: described.filter(isKept) }
      : { photoTexts: linesOf(photoTexts).filter(isKept).join("\n") }),
  };
}

/** Limits the file dialog alone: the content of a file decides whether it is accepted. */
const ACCEPTED = [
  ...["image/jpeg", "image/png", "image/gif", "image/webp", "image/avif"],
  ...["video/mp4", "video/webm", "video/quicktime", "audio/mpeg", "audio/mp4"],
  ...["audio/ogg", "audio/webm", "audio/flac", "audio/wav"],
];

export function pictureField(label: string, fault?: string): Html {
  const hint = texts.photosHint(MAX_PICTURES);
  return html`<p>
    <label for="photo">${label}</label>
    <input
      id="photo"
      name="${PHOTOS_FIELD}"
      type="file"
      accept="${ACCEPTED.join(",")}"
      multiple
      ${notesOf("photo", { hint, fault })}
    />
    ${notesView("photo", { hint, fault })}
  </p>`;
}

/** Files to add, those that are added already, and descriptions for all of them. */
export function pictureFields(
  { photoIds, photoTexts }: DraftPictures,
  fault?: string,
): Html {
  return html`${pictureField(texts.photos, fault)}
  ${
    photoIds.length > 0 &&
    html`<p>${texts.attached(photoIds.length)}</p>
      ${photoIds.map((id, at) => attachedView(id, at + 1))}`
  }
  ${linesField("photo_text", photoTexts, {
    ...{ label: texts.photoTexts, hint: texts.photoTextsHint },
  })}`;
}

/** A picture that is uploaded already, and may be left out. */
export function attachedView(id: PhotoId, number: number): Html {
  return html`${hiddenField("photo_id", id)}
    <label class="choice">
      <input type="checkbox" name="remove_photo" value="${id}" />
      <span>${composeTexts.removeFile(number)}</span>
    </label>`;
}

/** The same, folded until they are wanted. */
export function foldedPictureFields(
  pictures: DraftPictures,
  fault?: string,
): Html {
  const { photoIds, photoTexts } = pictures;
  const isFilled =
    fault !== undefined || photoIds.length > 0 || photoTexts !== "";
  return html`<details ${isFilled && html`open`}>
    <summary>${texts.photos}</summary>
    ${pictureFields(pictures, fault)}
  </details>`;
}

/** A text with a line for each of several things. */
export function linesField(
  name: string,
  value: string,
  notes: {
    readonly label: string;
    readonly hint: string;
    readonly fault?: string | undefined;
  },
): Html {
  return textAreaField(name, value, { ...notes, rows: 2, isShort: true });
}
