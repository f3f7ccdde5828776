import type { Db } from "../../db/db.ts";
import type { PostId } from "../../features/ids.ts";
import type { People } from "../../features/people/index.ts";
import type { Posts } from "../../features/posts/index.ts";
import { DONE, jobKind, type JobHandler } from "../../jobs/job.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Outgoing } from "../outgoing.ts";
import { findSentActivity } from "./sent-activity-store.ts";
import { derivedGuid } from "./uris.ts";

/** The job that tells those who have a post of ours to look at what was said about it. */
export const TELL_THREAD = jobKind<{ readonly postId: PostId }>("tell-thread");

const MINUTE_MS = 60_000;

type Deps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly jobs: Jobs;
  readonly people: People;
  readonly posts: Posts;
};

/** The Guid of the Update that tells in one minute what happened below a post: there is one at most. */
export function threadUpdateGuid(postGuid: string, at: Date): string {
  const minute = Math.floor(at.getTime() / MINUTE_MS);
  return derivedGuid("update", `${postGuid}:thread:${minute}`);
}

/** Puts the job in: for now, or for the next minute where something was told in this one. */
export function createNoteThreadChanged({
  db,
  clock,
  jobs,
  posts,
}: Deps): (postId: PostId) => Promise<void> {
  return async (postId) => {
    const post = await posts.find({ id: postId });
    if (!post) return;
    const now = clock.now();
    const guid = threadUpdateGuid(post.guid, now);
    const minute = Math.floor(now.getTime() / MINUTE_MS);
    const isTold = (await findSentActivity(db.read, guid)) !== undefined;
    const due = isTold ? minute + 1 : minute;
    const lane = `thread:${postId}:${due}`;
    const runAt = isTold ? new Date(due * MINUTE_MS) : now;
    await db.transaction((tx) =>
      jobs.enqueueOnce(tx, TELL_THREAD, { postId }, { lane, runAt }),
    );
  };
}

export function createTellThread(
  { people, posts }: Deps,
  tell: (outgoing: Outgoing) => Promise<void>,
): JobHandler<{ readonly postId: PostId }> {
  return async ({ postId }) => {
    const post = await posts.find({ id: postId });
    const by = post && (await people.find({ id: post.personId }));
    if (post && by?.userId != null && by.state === "active")
      await tell({ kind: "thread_change", by, post });
    return DONE;
  };
}
