import type { PostId } from "../../../features/ids.ts";
import type { Post } from "../../../features/posts/index.ts";
import { DONE, jobKind, type JobHandler } from "../../../jobs/job.ts";
import {
  findOrDiscover,
  type ReceiveContext,
} from "../authority/receive-context.ts";
import { hostOf } from "../render/wire-values.ts";

/** The job that looks up the unknown participants of a conversation. */
export const FIND_PARTICIPANTS = jobKind<{ postId: PostId }>(
  "find-participants",
);

/** When participants who could not be found are looked up again. */
const WAITS_MS = [60_000, 600_000, 3_600_000, 6 * 3_600_000];

/**
 * Adds the remote participants to a conversation, so that answers reach them
 * too. Local participants receive it at their own endpoint, or not at all.
 */
export async function addOthers(
  context: ReceiveContext,
  post: Post,
): Promise<void> {
  const { db, jobs, people } = context;
  const isComplete = await addAll(context, post, (handle) =>
    people.find({ handle }),
  );
  if (isComplete) return;
  await db.transaction((tx) =>
    jobs.enqueue(tx, FIND_PARTICIPANTS, { postId: post.id }),
  );
}

/** Retries for some hours; a participant found later can only write first. */
export function createFindParticipants(
  context: ReceiveContext,
): JobHandler<{ postId: PostId }> {
  const { people, posts } = context;
  return async ({ postId }, { job }) => {
    const post = await posts.find({ id: postId });
    const author = post && (await people.find({ id: post.personId }));
    if (!post || !author) return DONE;
    // The author of the conversation causes the look-ups.
    const source = hostOf(author.handle);
    const isComplete = await addAll(context, post, (handle) =>
      findOrDiscover(context, handle, source),
    );
    const afterMs = WAITS_MS[job.attempts - 1];
    return isComplete || afterMs === undefined
      ? DONE
      : { kind: "retry", afterMs, reason: "Somebody cannot be found" };
  };
}

/** @returns false if a participant, or a participant's key, is not found */
async function addAll(
  { handleHost, posts }: ReceiveContext,
  post: Post,
  find: (handle: string) => ReturnType<typeof findOrDiscover>,
): Promise<boolean> {
  const elsewhere = (post.participants ?? []).filter(
    (handle) => hostOf(handle) !== handleHost,
  );
  const found = await Promise.all(elsewhere.map(find));
  const present = new Set([
    post.personId,
    ...(await posts.listRecipientIds(post.id)),
  ]);
  for (const person of found)
    if (person?.userId === null && !present.has(person.id))
      await posts.addRecipient(post.id, person.id);
  return found.every((person) => person?.hasDiasporaKey === true);
}
