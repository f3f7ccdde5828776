import type { LikeableKey } from "../../likes/index.ts";
import type { ItemOf } from "../import-item.ts";
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

const sourceOf = ({ target }: ItemOf<"like">["like"]): string =>
  "uri" in target ? target.uri : target.guid;

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
  const { target } = like;
  const own = await findOwn(deps, run, sourceOf(like));
  const post =
    own?.kind === "post"
      ? own.post
      : await deps.posts.findVisible(target, run.user);
  if (post)
    return { type: "Post", id: post.id, key: { post: { id: post.id } } };
  const comment =
    own?.kind === "comment"
      ? own.comment
      : await deps.comments.findVisible(target, run.user);
  return (
    comment && {
      ...{ type: "Comment", id: comment.id },
      key: { comment: { id: comment.id } },
    }
  );
}
