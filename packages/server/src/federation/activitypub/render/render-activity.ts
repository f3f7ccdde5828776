import type { JsonObject } from "@kith/activitypub";
import type { Viewer } from "../../../features/visibility/index.ts";
import type { Person } from "../../../features/people/index.ts";
import type { Post, Posts } from "../../../features/posts/index.ts";
import { renderAnnounce, renderCreate } from "./build-activities.ts";
import { renderPost, type RenderDeps } from "./render-objects.ts";

export type RenderActivityDeps = RenderDeps & { readonly posts: Posts };

/**
 * The activity that published a post of ours, as its author sees it, or as one
 * reader does: of a limited post a reader learns of itself alone.
 */
export async function renderActivityOf(
  deps: RenderActivityDeps,
  post: Post,
  author: Person,
  viewer: Viewer = null,
): Promise<JsonObject | undefined> {
  if (post.rootGuid === null) {
    const readers = await listReaders(deps, post, viewer);
    const isHere = isSomebodyHere(viewer);
    const note = await renderPost(deps, post, author, readers, isHere);
    return renderCreate(deps.uris, post, author, note);
  }
  const rootPost = await deps.posts.find({ guid: post.rootGuid });
  const rootAuthor =
    rootPost && (await deps.people.find({ id: rootPost.personId }));
  if (!rootPost || !rootAuthor) return undefined;
  const root = { post: rootPost, author: rootAuthor };
  return renderAnnounce(deps.uris, post, author, root);
}

/** Not one who signed the request, and so is on another server. */
export function isSomebodyHere(viewer: Viewer): boolean {
  return viewer?.userId !== null;
}

/** The actor ids that a limited post names, as far as this viewer may know them. */
export async function listReaders(
  { posts, people, uris }: RenderActivityDeps,
  post: Post,
  viewer: Viewer,
): Promise<string[]> {
  if (post.public) return [];
  const ids =
    viewer === null || viewer.personId === post.personId
      ? await posts.listRecipientIds(post.id)
      : [viewer.personId];
  const readers = await people.listById(ids);
  return [...readers.values()].flatMap((person) => uris.ofPerson(person) ?? []);
}
