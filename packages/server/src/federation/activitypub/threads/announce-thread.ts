import type { Db } from "../../../db/db.ts";
import type { Comments } from "../../../features/comments/index.ts";
import type { Events } from "../../../features/events/index.ts";
import { laneOfActs, type Fact } from "../../../features/facts.ts";
import type { PostId } from "../../../features/ids.ts";
import type { Likes } from "../../../features/likes/index.ts";
import type { Participations } from "../../../features/participations/index.ts";
import type { People } from "../../../features/people/index.ts";
import type { Posts } from "../../../features/posts/index.ts";
import { DONE, jobKind, type JobHandler } from "../../../jobs/job.ts";
import type { Jobs } from "../../../jobs/jobs.ts";
import type { Clock } from "../../../lib/time/clock.ts";
import { findEventThread } from "../../outbound/event-thread.ts";
import { findOwnPost } from "../../outbound/load/load-outgoing.ts";
import { loadPost, type LoadPostDeps } from "../../outbound/load/load-post.ts";
import { FAN_OUT, type Outgoing } from "../../outbound/outgoing.ts";
import { findSentActivity } from "../records/sent-activity-store.ts";
import { deleteNews, listNews, noteNews } from "./thread-news-store.ts";
import { spanOf, threadUpdateGuid } from "../render/thread-update-guid.ts";

/** The job that notifies the recipients of a local post to read its thread again. */
export const ANNOUNCE_THREAD = jobKind<{ readonly postId: PostId }>(
  "tell-thread",
);

type Deps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly jobs: Jobs;
  readonly people: People;
  readonly posts: Posts;
};

/**
 * @param from origin of the server that sent the change, and needs no
 *   announcement; undefined for a local one
 */
export type NoteThreadChanged = (
  postId: PostId,
  from: string | undefined,
) => Promise<void>;

/** Enqueues the job: for now, or for the next interval if there was an announcement in this one. */
export function createNoteThreadChanged({
  db,
  clock,
  jobs,
  posts,
}: Deps): NoteThreadChanged {
  return async (postId, from = "") => {
    const post = await posts.find({ id: postId });
    // The participants of a private conversation send each other their messages.
    if (!post || post.participants !== null) return;
    const now = clock.now();
    const spanMs = spanOf(post);
    const span = Math.floor(now.getTime() / spanMs);
    const guid = threadUpdateGuid(post, now);
    const isSent = (await findSentActivity(db.read, guid)) !== undefined;
    const due = isSent ? span + 1 : span;
    const lane = `thread:${postId}:${due}`;
    const runAt = isSent ? new Date(due * spanMs) : now;
    // The post itself is delivered first.
    const follows = laneOfActs(FAN_OUT, post.personId);
    await db.transaction(async (tx) => {
      await noteNews(tx, postId, from);
      const options = { lane, runAt, follows };
      await jobs.enqueueUnlessWaiting(tx, ANNOUNCE_THREAD, { postId }, options);
    });
  };
}

/**
 * Announces local comments below a limited post to its members: other servers
 * know only the post's author as a recipient.
 */
export function createWatchThread(
  deps: Deps & WatchDeps,
): (fact: Fact) => Promise<void> {
  const noteThreadChanged = createNoteThreadChanged(deps);
  return async (fact) => {
    const postId = await findPostBelow(deps, fact);
    const post = postId && (await deps.posts.find({ id: postId }));
    if (!post || post.public || post.participants !== null) return;
    const [by, postAuthor] = await Promise.all([
      deps.people.find({ id: fact.by }),
      deps.people.find({ id: post.personId }),
    ]);
    // A comment of the post's author is accepted as it is sent.
    const isComment =
      fact.type === "comment.created" || fact.type === "comment.changed";
    const isBelieved = isComment && by?.id === postAuthor?.id;
    if (by?.userId != null && postAuthor?.userId != null && !isBelieved)
      await noteThreadChanged(post.id, undefined);
  };
}

type WatchDeps = {
  readonly comments: Comments;
  readonly likes: Likes;
  readonly events: Events;
  readonly participations: Participations;
};

/** The post of the comment or reaction. */
async function findPostBelow(
  deps: Deps & WatchDeps,
  fact: Fact,
): Promise<PostId | undefined> {
  switch (fact.type) {
    case "comment.created":
    case "comment.changed":
      return (await deps.comments.find({ id: fact.commentId }))?.postId;
    case "like.created":
      return (await deps.likes.find({ id: fact.likeId }))?.postId;
    case "participation.changed": {
      const { participationId: id } = fact;
      const answer = await deps.participations.find({ id });
      if (answer?.reply === "pending") return undefined;
      const event = answer && (await deps.events.find({ id: answer.eventId }));
      return event && (await findEventThread(deps, event))?.post.id;
    }
    default:
      return undefined;
  }
}

export function createAnnounceThread(
  deps: Deps & LoadPostDeps,
  send: (outgoing: Outgoing) => Promise<void>,
): JobHandler<{ readonly postId: PostId }> {
  const { db, clock } = deps;
  return async ({ postId }) => {
    const own = await findOwnPost(deps, postId);
    if (!own) return DONE;
    const { post, by } = own;
    const now = clock.now();
    // A change during the last announcement: other servers drop a repeated id.
    if (await findSentActivity(db.read, threadUpdateGuid(post, now)))
      return {
        kind: "retry",
        afterMs: spanOf(post) - (now.getTime() % spanOf(post)),
        reason: "Told a moment ago",
      };
    const origins = await listNews(db.read, postId);
    // The server that sent the only change need not read it.
    const [from] = origins.length === 1 ? origins : [];
    const content = await loadPost(deps, post, by);
    await send({ kind: "thread_change", by, post, content, from });
    // Deleted last: after a failure the next attempt still needs all these
    // servers. A concurrent change has a job of its own, which leaves out no
    // server.
    await db.transaction((tx) => deleteNews(tx, postId, origins));
    return DONE;
  };
}
