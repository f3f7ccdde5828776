import type { Db } from "../../db/db.ts";
import type { PostId } from "../../features/ids.ts";
import type { People } from "../../features/people/index.ts";
import type { Post, Posts } from "../../features/posts/index.ts";
import { DONE, jobKind, type JobHandler } from "../../jobs/job.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Outgoing } from "../outgoing.ts";
import { findSentActivity } from "./sent-activity-store.ts";
import { noteNews, takeNews } from "./thread-news-store.ts";
import { derivedGuid } from "./uris.ts";

/** The job that tells those who have a post of ours to look at what was said about it. */
export const TELL_THREAD = jobKind<{ readonly postId: PostId }>("tell-thread");

/** How often it is told at most: of a limited post members hear in no other way what the others say. */
const SPAN_MS = { public: 60_000, limited: 5_000 } as const;

type Deps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly jobs: Jobs;
  readonly people: People;
  readonly posts: Posts;
};

type Told = Pick<Post, "guid" | "public">;

function spanOf(post: Told): number {
  return post.public ? SPAN_MS.public : SPAN_MS.limited;
}

/** The Guid of the Update that tells in one span of time what happened below a post: there is one at most. */
export function threadUpdateGuid(post: Told, at: Date): string {
  const span = Math.floor(at.getTime() / spanOf(post));
  return derivedGuid("update", `${post.guid}:thread:${span}`);
}

/** @param from origin of the server that it came from, which knows; undefined: it happened here */
export type NoteThreadChanged = (
  postId: PostId,
  from: string | undefined,
) => Promise<void>;

/** Puts the job in: for now, or for the next span of time where something was told in this one. */
export function createNoteThreadChanged({
  db,
  clock,
  jobs,
  posts,
}: Deps): NoteThreadChanged {
  return async (postId, from = "") => {
    const post = await posts.find({ id: postId });
    if (!post) return;
    const now = clock.now();
    const spanMs = spanOf(post);
    const span = Math.floor(now.getTime() / spanMs);
    const guid = threadUpdateGuid(post, now);
    const isTold = (await findSentActivity(db.read, guid)) !== undefined;
    const due = isTold ? span + 1 : span;
    const lane = `thread:${postId}:${due}`;
    const runAt = isTold ? new Date(due * spanMs) : now;
    await db.transaction(async (tx) => {
      await noteNews(tx, postId, from);
      const options = { lane, runAt };
      await jobs.enqueueUnlessWaiting(tx, TELL_THREAD, { postId }, options);
    });
  };
}

export function createTellThread(
  { db, clock, people, posts }: Deps,
  tell: (outgoing: Outgoing) => Promise<void>,
): JobHandler<{ readonly postId: PostId }> {
  return async ({ postId }) => {
    const post = await posts.find({ id: postId });
    const by = post && (await people.find({ id: post.personId }));
    if (!post || by?.userId == null || by.state !== "active") return DONE;
    const now = clock.now();
    // What came while the last one was being told: others drop what has the same id.
    if (await findSentActivity(db.read, threadUpdateGuid(post, now)))
      return {
        kind: "retry",
        afterMs: spanOf(post) - (now.getTime() % spanOf(post)),
        reason: "Told a moment ago",
      };
    const origins = await db.transaction((tx) => takeNews(tx, postId));
    // One server alone said something: it need not look.
    const [from] = origins.length === 1 ? origins : [];
    await tell({ kind: "thread_change", by, post, from });
    return DONE;
  };
}
