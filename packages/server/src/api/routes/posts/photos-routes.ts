import type { Static } from "typebox";
import { Type } from "../../../lib/json-schema.ts";
import type { SignedIn } from "../../../features/accounts/index.ts";
import type { AspectId, PhotoId } from "../../../features/ids.ts";
import type {
  Focus,
  Photo,
  PhotoKey,
  Photos,
} from "../../../features/photos/index.ts";
import { file, text, uint } from "../../../http/input/input.ts";
import { KithError } from "../../../lib/errors.ts";
import { findByIdOrGuid } from "../../kit/identifiers.ts";
import { presentPhoto } from "../../schemas/records.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import { EMPTY, one } from "../../schemas/schemas.ts";

const FOCUS = text(
  "The focal point, which stays visible where the picture is cropped, as x,y: both from -1 to 1, x to the right and y upwards, such as 0.5,-0.25; blank for none",
);

const UPLOAD = Type.Object({
  image: file(
    "A picture: JPEG, PNG, GIF, WebP or AVIF, at most 20 MiB. A sound or a video: MP4, WebM, MP3, Ogg, FLAC or WAVE, as large and long as the server allows",
  ),
  text: text("What it shows, for those who do not see it"),
  focus: FOCUS,
  aspectID: uint("The aspect that alone may get it; 0 for any post"),
});

const DESCRIBE = Type.Object({
  text: text("What it shows, for those who do not see it; blank for nothing"),
  focus: FOCUS,
});

export function photosRoutes(photos: Photos): ApiRoute[] {
  return [
    apiRoute({
      method: "POST",
      limit: "costly",
      scope: "write:media",
      name: "uploadPhoto",
      path: "/photos",
      summary:
        "Uploads a picture, a sound or a video for a post, which must be published within a day.",
      description:
        "Nothing of the metadata is kept. The format is known by the content. A video has H.264 with AAC or MP3 (MP4), or VP8, VP9 or AV1 with Opus or Vorbis (WebM).",
      errors: [503],
      input: UPLOAD,
      needs: ["image"],
      output: one("Photo"),
      handle: async ({ user, input }) => {
        const aspectId = input.aspectID ?? 0;
        const photo = await photos.upload({
          owner: user,
          bytes: input.image.bytes,
          text: input.text ?? "",
          focus: readFocus(input.focus ?? ""),
          ...(aspectId > 0 ? { aspectId: aspectId as AspectId } : {}),
        });
        return presentPhoto(photo, photos.urlOf);
      },
    }),
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:statuses",
      name: "showPhoto",
      path: "/photos/:id",
      summary: "Shows the record of a picture.",
      input: NO_INPUT,
      output: one("Photo"),
      handle: async ({ user, path }) => {
        const photo = await getPhoto(photos, path("id"), user);
        return presentPhoto(photo, photos.urlOf);
      },
    }),
    apiRoute({
      method: "PUT",
      limit: "write",
      scope: "write:media",
      name: "describePhoto",
      path: "/photos/:id",
      summary: "Describes your picture anew, also for the readers of its post.",
      description: "Without a focus, the focal point stays as it is.",
      input: DESCRIBE,
      output: one("Photo"),
      handle: async ({ user, path, input }) => {
        const { id } = await getPhoto(photos, path("id"), user);
        const photo = await photos.describe(user, { id }, readChanges(input));
        return presentPhoto(photo, photos.urlOf);
      },
    }),
    apiRoute({
      method: "DELETE",
      limit: "write",
      scope: "write:media",
      name: "deletePhoto",
      path: "/photos/:id",
      summary: "Deletes your picture, also from its post.",
      input: NO_INPUT,
      output: EMPTY,
      handle: async ({ user, path }) => {
        const { id } = await getPhoto(photos, path("id"), user);
        await photos.remove(user, { id });
        return {};
      },
    }),
  ];
}

/** The text alone is blank if it is not given, as it always was. */
function readChanges({ text: given, focus }: Static<typeof DESCRIBE>) {
  return focus === undefined
    ? { text: given ?? "" }
    : { text: given, focus: readFocus(focus) };
}

const NUMBER = String.raw`\s{0,9}([+-]?(?:\d{1,3}(?:\.\d{0,20})?|\.\d{1,20}))\s{0,9}`;
const POINT = new RegExp(`^${NUMBER},${NUMBER}$`);

/** @throws {KithError} `bad_request` */
function readFocus(given: string): Focus | null {
  if (given.trim() === "") return null;
  const [, x, y] = POINT.exec(given) ?? [];
  const focus: Focus = [Number(x), Number(y)];
  if (!focus.every((part) => part >= -1 && part <= 1))
    throw new KithError(
      "bad_request",
      "The focus must be two numbers from -1 to 1, such as 0.5,-0.25.",
    );
  return focus;
}

/** Gets a photo that the viewer may see. @throws {KithError} `not_found` */
async function getPhoto(
  photos: Photos,
  identifier: string,
  viewer: SignedIn,
): Promise<Photo> {
  const photo = await findByIdOrGuid<PhotoId, Photo>(
    identifier,
    (key: PhotoKey) => photos.findVisible(key, viewer),
  );
  if (!photo) throw new KithError("not_found", "No such photo.");
  return photo;
}
