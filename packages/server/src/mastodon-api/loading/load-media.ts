import type { PhotoId } from "../../features/ids.ts";
import type { Photo } from "../../features/photos/index.ts";
import type { Viewer } from "../../features/visibility/index.ts";
import { presentMedia } from "../entities/media.ts";
import type { Writing } from "../entities/status.ts";
import type { Entity } from "../kit/wire.ts";
import type { MastodonDeps } from "./deps.ts";

/** Presents a photo that the viewer may see, with or without its post. */
export async function loadPhoto(
  { photos, posts }: Pick<MastodonDeps, "photos" | "posts">,
  photo: Photo,
  viewer: Viewer,
): Promise<Entity> {
  const post =
    photo.postId === null
      ? null
      : ((await posts.findVisible({ id: photo.postId }, viewer)) ?? null);
  return presentMedia(photo, {
    large: photos.openUrlOf(photo, post),
    small: photos.openUrlOf(photo, post, "thumb_large"),
  });
}

/** The photos of a writing that the caller has found visible. */
export async function listPhotosOfWriting(
  photos: MastodonDeps["photos"],
  { post, comment }: Writing,
): Promise<readonly Photo[]> {
  const found = comment
    ? (await photos.listOfComments([comment.id])).get(comment.id)
    : (await photos.listOf([post.id])).get(post.id);
  return found ?? [];
}

/** Presents those of these photos that the viewer may see; they are few. */
export async function loadMedia(
  deps: Pick<MastodonDeps, "photos" | "posts">,
  ids: readonly PhotoId[],
  viewer: Viewer,
): Promise<Entity[]> {
  const shown: Entity[] = [];
  for (const id of ids) {
    const photo = await deps.photos.findVisible({ id }, viewer);
    if (photo) shown.push(await loadPhoto(deps, photo, viewer));
  }
  return shown;
}
