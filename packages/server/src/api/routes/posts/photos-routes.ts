import { Type } from "../../../lib/json-schema.ts";
import type { SignedIn } from "../../../features/accounts/index.ts";
import type { AspectId, PhotoId } from "../../../features/ids.ts";
import type {
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

const UPLOAD = Type.Object({
  image: file("JPEG, PNG, GIF, WebP or AVIF, at most 20 MiB"),
  text: text("What it shows, for those who do not see it"),
  aspectID: uint("The aspect that alone may get it; 0 for any post"),
});

const DESCRIBE = Type.Object({
  text: text("What it shows, for those who do not see it; blank for nothing"),
});

export function photosRoutes(photos: Photos): ApiRoute[] {
  return [
    apiRoute({
      method: "POST",
      limit: "costly",
      name: "uploadPhoto",
      path: "/photos",
      summary:
        "Uploads a picture for a post, which must be published within a day.",
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
          ...(aspectId > 0 ? { aspectId: aspectId as AspectId } : {}),
        });
        return presentPhoto(photo, photos.urlOf);
      },
    }),
    apiRoute({
      method: "GET",
      limit: "read",
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
      name: "describePhoto",
      path: "/photos/:id",
      summary: "Describes your picture anew, also for the readers of its post.",
      input: DESCRIBE,
      output: one("Photo"),
      handle: async ({ user, path, input }) => {
        const { id } = await getPhoto(photos, path("id"), user);
        const { text: description = "" } = input;
        const photo = await photos.describe(user, { id }, description);
        return presentPhoto(photo, photos.urlOf);
      },
    }),
    apiRoute({
      method: "DELETE",
      limit: "write",
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
