import type { Db, Tx } from "../../db/db.ts";
import { DONE, type JobHandler } from "../../jobs/job.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { KithError, type ErrorCode } from "../../lib/errors.ts";
import { timestamp, type Clock, type Timestamp } from "../../lib/time/clock.ts";
import type { Events } from "../events/index.ts";
import type { DraftId } from "../ids.ts";
import {
  DRAFT_GUID,
  storeWithin,
  type StoreNotificationDeps,
} from "../notifications/index.ts";
import type { Polls } from "../polls/index.ts";
import {
  attachAll,
  type Author,
  type Post,
  type Posts,
} from "../posts/index.ts";
import type { Quotes } from "../quotes/index.ts";
import { keepRefusal } from "../spam-rules/index.ts";
import {
  deleteDraft,
  deleteDue,
  findActiveAuthor,
  findDraft,
  findPublishTime,
  lockDraft,
  updateFailed,
} from "./draft-store.ts";
import { pollPublishedAt, type Draft } from "./draft.ts";
import { laneOf, PUBLISH_DRAFT } from "./publish-draft-job.ts";
import type { NewDraftContent } from "./save-draft.ts";

export type PublishDraftDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly jobs: Pick<Jobs, "hurryLane">;
  readonly events: Pick<Events, "publishPost">;
  readonly polls: Pick<Polls, "ask">;
  readonly posts: Pick<Posts, "publish">;
  readonly quotes: Pick<Quotes, "quote">;
};

/** Of the text, in UTF-16 units. */
const MAX_NAME = 200;

/** No job waits longer, so that a step of the clock heals. */
const LONGEST_WAIT_MS = 3_600_000;

/** A broken rule, which no later attempt would mend. */
const LASTING: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "bad_request",
  "empty_string",
  "forbidden",
  "invalid",
  "invalid_datetime",
  "not_found",
  "suspended",
]);

/**
 * Publishes a user's draft now, under the rules of this moment. The draft goes in the
 * transaction that publishes it, so that there is one post of it at most. It goes last: a
 * refused draft writes nothing.
 * @param content what to publish in place of what was saved
 * @throws {KithError} as publishing does: the draft stays
 */
export function publishDraftNow(
  deps: PublishDraftDeps,
  author: Author,
  id: DraftId,
  content?: NewDraftContent,
): Promise<Post> {
  const { db, clock, jobs } = deps;
  return db.transaction(async (tx) => {
    await lockDraft(tx, db.dialect, id);
    const draft = await findDraft(tx, author.userId, id);
    if (!draft) throw new KithError("not_found", "No such draft.");
    const post = await publish(deps, tx, author, content ?? draft.content);
    // Its job, or its author's deletion, may have been quicker.
    if (!(await deleteDraft(tx, author.userId, id)))
      throw new KithError("not_found", "No such draft.");
    await jobs.hurryLane(tx, laneOf(id), clock.now());
    return post;
  });
}

/**
 * Publishes a draft at its time. A draft that the rules of that time refuse stays, with the
 * reason.
 */
export function createPublishDraft(
  deps: PublishDraftDeps & StoreNotificationDeps,
): JobHandler<{ readonly draftId: DraftId }> {
  const { db, clock } = deps;
  return async ({ draftId }, { job }) => {
    const now = clock.now();
    const at = await findPublishTime(db.read, draftId);
    // Deleted, published, or waiting for its author again.
    if (at === null) return DONE;
    const leftMs = Date.parse(at) - now.getTime();
    if (leftMs > 0)
      return { kind: "again", afterMs: Math.min(leftMs, LONGEST_WAIT_MS) };
    try {
      await publishDue(deps, draftId, timestamp(now));
    } catch (error) {
      // The limit for new accounts says when there is room again.
      if (error instanceof KithError && error.retryAfterS !== undefined)
        return {
          kind: "again",
          afterMs: Math.min(error.retryAfterS * 1000, LONGEST_WAIT_MS),
        };
      const reason = reasonOf(error, job.attempts >= PUBLISH_DRAFT.maxAttempts);
      if (reason === undefined) throw error;
      await db.transaction(async (tx) => {
        const failed = await updateFailed(tx, draftId, at, reason);
        if (failed) await notifyOfFailure(deps, tx, failed);
      });
    }
    return DONE;
  };
}

function publishDue(
  deps: PublishDraftDeps,
  id: DraftId,
  now: Timestamp,
): Promise<void> {
  const publishing = deps.db.transaction(async (tx) => {
    const draft = await deleteDue(tx, id, now);
    if (!draft) return;
    const author = await findActiveAuthor(tx, draft.userId);
    if (!author)
      throw new KithError("suspended", "Your account was suspended.");
    await publish(deps, tx, author, draft.content);
  });
  return keepRefusal(deps.db, publishing);
}

/** Its author is not there to read the reason, and may believe that it was published. */
async function notifyOfFailure(
  deps: StoreNotificationDeps,
  tx: Tx,
  { id, userId, content }: Draft,
): Promise<void> {
  const author = await findActiveAuthor(tx, userId);
  if (!author) return;
  await storeWithin(deps, tx, {
    selfId: author.personId,
    notification: {
      userId,
      // A notification is by a person: by its reader.
      personId: author.personId,
      reason: "draft_failed",
      shareableType: "Draft",
      shareableGuid: DRAFT_GUID + id,
      thingName:
        content.warning ?? content.text.slice(0, MAX_NAME).toWellFormed(),
    },
  });
}

/** @returns undefined if a later attempt may succeed */
function reasonOf(error: unknown, isLast: boolean): string | undefined {
  if (error instanceof KithError && LASTING.has(error.code))
    return error.message;
  return isLast ? "This server failed to publish it." : undefined;
}

async function publish(
  { clock, events, polls, posts, quotes }: PublishDraftDeps,
  tx: Tx,
  author: Author,
  content: NewDraftContent,
): Promise<Post> {
  const { eventId, quoteId, poll, location, ...rest } = content;
  const timed = poll ? pollPublishedAt(poll, clock.now()) : undefined;
  const ask =
    timed && polls.ask({ ...timed, endsAt: timed.endsAt ?? undefined });
  const quote =
    quoteId === null ? undefined : quotes.quote(author, { id: quoteId });
  const post = {
    ...rest,
    author,
    ...((ask ?? quote) && { attach: attachAll(ask, quote) }),
    ...(location && { location }),
  };
  return eventId === null
    ? posts.publish(post, tx)
    : events.publishPost(post, eventId, tx);
}
