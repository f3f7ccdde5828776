import type { PhotoId } from "../../../features/ids.ts";
import type { Photo } from "../../../features/photos/index.ts";
import {
  userRoute,
  type MastodonRoute,
  type UserCall,
} from "../../kit/mastodon-route.ts";
import { invalid, notFound } from "../../kit/refusals.ts";
import type { MastodonDeps } from "../../loading/deps.ts";
import { loadPhoto } from "../../loading/load-media.ts";
import { readFocus } from "./read-focus.ts";

/** Pictures, sounds and videos. They are ready as soon as they are uploaded. */
export function mediaUploadRoutes(deps: MastodonDeps): MastodonRoute[] {
  const { photos } = deps;
  return [
    uploadRoute(deps, "/v2/media"),
    uploadRoute(deps, "/v1/media"),
    userRoute({
      method: "GET",
      path: "/v1/media/:id",
      scope: "write:media",
      limit: "read",
      handle: async (call) =>
        loadPhoto(deps, await getOwnPhoto(deps, call), call.viewer),
    }),
    userRoute({
      method: "PUT",
      path: "/v1/media/:id",
      scope: "write:media",
      limit: "write",
      handle: async (call) => {
        const { id } = await getOwnPhoto(deps, call);
        const focus = call.input.filled("focus");
        const changed = await photos.describe(
          call.viewer,
          { id },
          {
            text: call.input.text("description"),
            ...(focus !== undefined && { focus: readFocus(focus) }),
          },
        );
        return loadPhoto(deps, changed, call.viewer);
      },
    }),
    userRoute({
      method: "DELETE",
      path: "/v1/media/:id",
      scope: "write:media",
      limit: "write",
      handle: async (call) => {
        const { id, postId } = await getOwnPhoto(deps, call);
        if (postId !== null || (await deps.drafts.needPhoto(id)))
          throw invalid("Media attachment is currently used by a status");
        await photos.remove(call.viewer, { id });
        return {};
      },
    }),
  ];
}

const uploadRoute = (deps: MastodonDeps, path: string): MastodonRoute =>
  userRoute({
    method: "POST",
    path,
    scope: "write:media",
    limit: "costly",
    files: ["file"],
    leftFiles: ["thumbnail"],
    handle: async ({ input, viewer }) => {
      const file = input.file("file");
      if (!file) throw invalid("File can't be blank");
      const focus = input.filled("focus");
      const photo = await deps.photos.upload({
        owner: viewer,
        bytes: file.bytes,
        text: input.text("description") ?? "",
        focus: focus === undefined ? null : readFocus(focus),
      });
      return loadPhoto(deps, photo, viewer);
    },
  });

/** @throws {KithError} `not_found`, also for a picture of another person */
async function getOwnPhoto(
  { photos }: MastodonDeps,
  { id, viewer }: UserCall,
): Promise<Photo> {
  const photo = await photos.findVisible({ id: id() as PhotoId }, viewer);
  if (photo?.personId !== viewer.personId || photo.isProfile) throw notFound();
  return photo;
}
