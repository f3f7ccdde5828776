import type { Post } from "../../posts/index.ts";
import type { ItemOf, PostName } from "../import-item.ts";
import type { ImportDeps, ImportRun, RecordOutcome } from "../import-run.ts";
import { findOwn } from "../import-writing.ts";

/** Hides a post of somebody else. */
export async function hideListed(
  deps: ImportDeps,
  run: ImportRun,
  { post: key }: ItemOf<"hidden_post">,
): Promise<RecordOutcome> {
  const { user, isRehearsal } = run;
  const post = await findListed(deps, run, key);
  if (!post) return "unknown_post";
  if (post.personId === user.personId) return "refused";
  if (isRehearsal)
    return (await deps.posts.isHidden(user.userId, post.id))
      ? "known"
      : "added";
  return (await deps.posts.hide(user, { id: post.id })) ? "added" : "known";
}

/** Mutes the thread of a post. */
export async function muteListed(
  deps: ImportDeps,
  run: ImportRun,
  { post: key }: ItemOf<"muted_post">,
): Promise<RecordOutcome> {
  const { user, isRehearsal } = run;
  const post = await findListed(deps, run, key);
  if (!post) return "unknown_post";
  const muted = await deps.threads.listMuted(user.userId, [post.id]);
  if (muted.length > 0) return "known";
  if (!isRehearsal) await deps.threads.mute(user, { id: post.id });
  return "added";
}

/** A post of the user, or one that is known here and that the user may see. */
export async function findListed(
  deps: ImportDeps,
  run: ImportRun,
  key: PostName,
): Promise<Post | undefined> {
  const own = await findOwn(deps, run, "uri" in key ? key.uri : key.guid);
  return own?.kind === "post"
    ? own.post
    : deps.posts.findVisible(key, run.user);
}
