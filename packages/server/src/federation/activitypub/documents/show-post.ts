import type { JsonObject } from "@kith/activitypub";
import type { Viewer } from "../../../features/visibility/index.ts";
import type { People, Person } from "../../../features/people/index.ts";
import type { Post, Posts } from "../../../features/posts/index.ts";
import type { Clock } from "../../../lib/time/clock.ts";
import type { LoadCommentDeps } from "../../outbound/load/load-comment.ts";
import { listParticipants } from "../../outbound/load/find-thread.ts";
import { loadPost, type LoadPostDeps } from "../../outbound/load/load-post.ts";
import type { Uris } from "../records/uris.ts";
import { renderAnnounce, renderCreate } from "../render/build-activities.ts";
import type { RenderContext } from "../render/note-parts.ts";
import { renderPostObject } from "../render/render-post.ts";

export type ShowPostDeps = LoadPostDeps &
  LoadCommentDeps & {
    readonly clock: Clock;
    readonly handleHost: string;
    readonly people: People;
    readonly posts: Posts;
    readonly uris: Uris;
  };

/** The context for the renderers. */
export function contextOf({
  clock,
  handleHost,
  uris,
}: Pick<ShowPostDeps, "clock" | "handleHost" | "uris">): RenderContext {
  return { uris, handleHost, now: clock.now() };
}

/**
 * Renders a local post, as its author sees it, or as one reader does: a reader of a limited post
 * sees no other readers.
 */
export async function showPost(
  deps: ShowPostDeps,
  post: Post,
  by: Person,
  viewer: Viewer = null,
): Promise<JsonObject> {
  const [content, readers, participants] = await Promise.all([
    loadPost(deps, post, by),
    listReaders(deps, post, viewer),
    listParticipants(deps, post),
  ]);
  // A viewer who signed the request is on another server.
  const isHere = viewer?.userId !== null;
  return renderPostObject(
    contextOf(deps),
    { post, by, content, ...(participants && { participants }) },
    readers,
    isHere,
  );
}

/** The activity that published a local post, for the same readers. */
export async function showPostActivity(
  deps: ShowPostDeps,
  post: Post,
  author: Person,
  viewer: Viewer = null,
): Promise<JsonObject | undefined> {
  const { posts, people, uris } = deps;
  if (post.rootGuid === null)
    return renderCreate(
      uris,
      post,
      author,
      await showPost(deps, post, author, viewer),
    );
  const rootPost = await posts.find({ guid: post.rootGuid });
  const rootAuthor = rootPost && (await people.find({ id: rootPost.personId }));
  if (!rootPost || !rootAuthor) return undefined;
  const root = { post: rootPost, author: rootAuthor };
  return renderAnnounce(uris, post, author, root);
}

/** Lists the actor ids that a limited post names, as far as this viewer may know them. */
export async function listReaders(
  { posts, people, uris }: ShowPostDeps,
  post: Post,
  viewer: Viewer,
): Promise<string[]> {
  if (post.public) return [];
  const participants = await listParticipants({ posts, people }, post);
  if (participants)
    return participants
      .filter(({ id }) => id !== post.personId)
      .flatMap((person) => uris.ofPerson(person) ?? []);
  const ids =
    viewer === null || viewer.personId === post.personId
      ? await posts.listRecipientIds(post.id)
      : [viewer.personId];
  const readers = await people.listById(ids);
  return [...readers.values()].flatMap((person) => uris.ofPerson(person) ?? []);
}
