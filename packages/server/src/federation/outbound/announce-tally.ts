import type { Db } from "../../db/db.ts";
import type { Fact } from "../../features/facts.ts";
import type { PostId } from "../../features/ids.ts";
import { DONE, jobKind, type JobHandler } from "../../jobs/job.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import type { Clock } from "../../lib/time/clock.ts";
import type { LoadDeps } from "./load/deps.ts";
import { findOwnPost } from "./load/load-outgoing.ts";
import { loadPost } from "./load/load-post.ts";
import type { Outgoing } from "./outgoing.ts";

/** The job that announces the current vote counts of a post's poll. */
export const ANNOUNCE_TALLY = jobKind<{ readonly postId: PostId }>(
  "tell-tally",
);

/**
 * Votes are announced in batches, one per pause: the poll of a public post has many recipient
 * servers.
 */
const TALLY_PAUSE_MS = { public: 10_000, limited: 3_000 } as const;

type WatchDeps = LoadDeps & {
  readonly db: Db;
  readonly clock: Clock;
  readonly jobs: Jobs;
};

/**
 * Schedules the announcement of the vote counts of a local poll: at the end of the interval in
 * which a vote arrived, so that no vote is left out, and when the poll ends.
 */
export function createWatchPoll(
  deps: WatchDeps,
): (fact: Fact) => Promise<void> {
  return async (fact) => {
    if (fact.type === "post.published") {
      const { postId } = fact;
      const poll = await deps.polls.find({ postId });
      if (poll && poll.endsAt !== null)
        await watch(deps, postId, new Date(poll.endsAt));
    }
    if (fact.type !== "poll.voted") return;
    const vote = await deps.polls.findVote({ id: fact.voteId });
    const poll = vote && (await deps.polls.find({ id: vote.pollId }));
    const own = poll && (await findOwnPost(deps, poll.postId));
    if (!own) return;
    const pauseMs = TALLY_PAUSE_MS[own.post.public ? "public" : "limited"];
    const spans = Math.floor(deps.clock.now().getTime() / pauseMs);
    const endOfSpan = new Date((spans + 1) * pauseMs);
    await watch(deps, poll.postId, endOfSpan);
  };
}

async function watch(
  { db, jobs }: WatchDeps,
  postId: PostId,
  runAt: Date,
): Promise<void> {
  const lane = `tally:${postId}:${runAt.getTime()}`;
  await db.transaction((tx) =>
    jobs.enqueueOnce(tx, ANNOUNCE_TALLY, { postId }, { lane, runAt }),
  );
}

export function createAnnounceTally(
  deps: LoadDeps,
  send: (outgoing: Outgoing) => Promise<void>,
): JobHandler<{ readonly postId: PostId }> {
  return async ({ postId }) => {
    const own = await findOwnPost(deps, postId);
    if (!own) return DONE;
    const content = await loadPost(deps, own.post, own.by);
    await send({ kind: "poll_change", ...own, content });
    return DONE;
  };
}
