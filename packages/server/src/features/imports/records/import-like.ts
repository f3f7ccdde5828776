import type { CommentId, PostId } from "../../ids.ts";
import type { LikeableKey } from "../../likes/index.ts";
import type { ItemOf, PostName } from "../import-item.ts";
import type { ImportDeps, ImportRun, RecordOutcome } from "../import-run.ts";
import { findOwn } from "../import-writing.ts";

/** Likes what is known here: nobody is notified, and its author's server does not learn of it. */
export async function likeListed(
  deps: ImportDeps,
  run: ImportRun,
  { like, name }: ItemOf<"like">,
): Promise<RecordOutcome> {
  const { likes, clock, deriveGuid } = deps;
  const { user, isRehearsal } = run;
  const found = await findLiked(deps, run, like);
  if (!found) return isPlanned(deps, run, like) ? "added" : "unknown_post";
  const known = await likes.listBy(user.personId, found.type, [found.id]);
  if (known.has(found.id)) return "known";
  if (isRehearsal) return "added";
  const isAdded = await likes.import({
    ...{ by: user, key: found.key, positive: like.positive },
    guid: deriveGuid(user.personId, `like ${name}`),
    createdAt: like.createdAt ?? clock.now().toISOString(),
  });
  return isAdded ? "added" : "known";
}

/** Would its post or comment be stored by the import of which this is the rehearsal? */
const isPlanned = (
  { deriveGuid }: ImportDeps,
  { user, planned }: ImportRun,
  like: ItemOf<"like">["like"],
): boolean => planned.has(deriveGuid(user.personId, sourceOf(like)));

const sourceOf = ({ target, source }: ItemOf<"like">["like"]): string =>
  source ?? ("uri" in target ? target.uri : target.guid);

type Liked = {
  readonly type: "Comment" | "Post";
  readonly id: number;
  readonly key: LikeableKey;
};

/** A post or a comment of the user, or one that is known here and that the user may see. */
async function findLiked(
  deps: ImportDeps,
  run: ImportRun,
  like: ItemOf<"like">["like"],
): Promise<Liked | undefined> {
  const own = await findOwn(deps, run, sourceOf(like));
  if (own?.kind === "post") return likedPost(own.post);
  if (own?.kind === "comment") return likedComment(own.comment);
  const { target, otherwise } = like;
  return (
    (await findVisible(deps, run, target)) ??
    (otherwise && (await findVisible(deps, run, otherwise)))
  );
}

async function findVisible(
  { posts, comments }: ImportDeps,
  { user }: ImportRun,
  name: PostName,
): Promise<Liked | undefined> {
  const post = await posts.findVisible(name, user);
  if (post) return likedPost(post);
  const comment = await comments.findVisible(name, user);
  return comment && likedComment(comment);
}

const likedPost = ({ id }: { readonly id: PostId }): Liked => ({
  ...{ type: "Post", id, key: { post: { id } } },
});

const likedComment = ({ id }: { readonly id: CommentId }): Liked => ({
  ...{ type: "Comment", id, key: { comment: { id } } },
});
