import type { Db, Tx } from "../../db/db.ts";
import { lockKey } from "../../db/dialect.ts";
import { KithError } from "../../lib/errors.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import {
  later,
  timestamp,
  type Clock,
  type Timestamp,
} from "../../lib/time/clock.ts";
import { parseDatetime } from "../../lib/time/datetime.ts";
import type { Audiences } from "../audiences/index.ts";
import type { Events } from "../events/index.ts";
import { notFoundIfGone } from "../gone-meanwhile.ts";
import type { DraftId } from "../ids.ts";
import type { Photos } from "../photos/index.ts";
import type { Polls } from "../polls/index.ts";
import { checkText, type Author } from "../posts/index.ts";
import type { Quotes } from "../quotes/index.ts";
import { findUsualChoices } from "../texts/index.ts";
import {
  countDrafts,
  insertDraft,
  lockDraft,
  updateDraft,
} from "./draft-store.ts";
import {
  MAX_AHEAD_MS,
  MAX_DRAFTS,
  MAX_DRAFT_LENGTH,
  pollPublishedAt,
  type Draft,
  type DraftContent,
} from "./draft.ts";
import { laneOf, PUBLISH_DRAFT } from "./publish-draft-job.ts";

export type SaveDraftDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly jobs: Pick<Jobs, "enqueueUnlessWaiting" | "hurryLane">;
  readonly audiences: Pick<Audiences, "checkDefault">;
  readonly events: Pick<Events, "findVisible">;
  readonly photos: Pick<Photos, "areWaiting">;
  readonly polls: Pick<Polls, "ask">;
  readonly quotes: Pick<Quotes, "check">;
};

/** The content of a draft to save; what it lacks is as usual for its author. */
export type NewDraftContent = Omit<DraftContent, "language" | "quotableBy"> & {
  readonly language: DraftContent["language"] | undefined;
  readonly quotableBy?: DraftContent["quotableBy"] | undefined;
};

/** A draft to save, and when to publish it. */
export type SaveDraft = {
  readonly content: NewDraftContent;
  readonly publishAt: Timestamp | null;
  /** Notes the id of the draft in the transaction that saves it. */
  readonly note?: (tx: Tx, id: DraftId) => Promise<void>;
};

/**
 * Saves a new draft, or replaces everything in one.
 * @param id the draft to replace
 * @throws {KithError} what publishing it now would throw, as far as that can be told;
 *   `bad_request` for too many or too large drafts, `not_found` for another user's
 */
export async function saveDraft(
  deps: SaveDraftDeps,
  author: Author,
  draft: SaveDraft,
  id?: DraftId,
): Promise<Draft> {
  const timed = withEndOfPoll(deps, draft);
  check(deps, timed);
  const writing = deps.db.transaction(async (tx) => {
    await checkOwn(deps, tx, author, timed.content);
    const saved = await write(deps, tx, author, timed, id);
    await schedule(deps, tx, saved);
    await draft.note?.(tx, saved.id);
    return saved;
  });
  return notFoundIfGone(writing);
}

/**
 * Reads when a draft is to be published.
 * @returns null if absent
 * @throws {KithError} `invalid_datetime`, or `bad_request` for the past or the far future
 */
export function readPublishTime(text = "", now: Date): Timestamp | null {
  if (text.trim() === "") return null;
  const time = parseDatetime(text.trim());
  if (!time)
    throw new KithError(
      "invalid_datetime",
      "The parameter publish_at must be a date and time such as 2026-07-04T18:30:00Z.",
    );
  const isPossible =
    time.instant > timestamp(now) &&
    time.instant < timestamp(later(now, MAX_AHEAD_MS));
  if (!isPossible)
    throw new KithError(
      "bad_request",
      "The parameter publish_at must be in the future, and within two years.",
    );
  return time.instant;
}

/** The poll of a draft without a time takes as long as if the draft were published now. */
function withEndOfPoll(
  { clock }: Pick<SaveDraftDeps, "clock">,
  draft: SaveDraft,
): SaveDraft {
  const { content, publishAt } = draft;
  if (!content.poll) return draft;
  const from = publishAt === null ? clock.now() : new Date(publishAt);
  const poll = pollPublishedAt(content.poll, from);
  return { ...draft, content: { ...content, poll } };
}

function check(
  { polls }: Pick<SaveDraftDeps, "polls">,
  { content, publishAt }: SaveDraft,
): void {
  const { isTextOptional = false, photoIds } = content;
  // A draft may still lack its text.
  const mayBeBlank =
    publishAt === null || (isTextOptional && photoIds.length > 0);
  if (!mayBeBlank || content.text.trim() !== "")
    checkText(content.text, "post");
  if (JSON.stringify(content).length > MAX_DRAFT_LENGTH)
    throw new KithError(
      "bad_request",
      `A draft must have at most ${MAX_DRAFT_LENGTH} characters with all its parts.`,
    );
  const { poll } = content;
  if (poll) {
    polls.ask({ ...poll, endsAt: poll.endsAt ?? undefined });
    const end = parseDatetime(poll.endsAt?.trim() ?? "")?.instant;
    if (publishAt !== null && end !== undefined && end <= publishAt)
      throw new KithError(
        "bad_request",
        "The poll must end after the post is published: poll_ends_at must be later than publish_at.",
      );
  }
}

async function checkOwn(
  { audiences, events, photos, quotes }: SaveDraftDeps,
  tx: Tx,
  author: Author,
  { audience, eventId, photoIds, quoteId }: NewDraftContent,
): Promise<void> {
  if (quoteId !== null) await quotes.check(author, { id: quoteId }, tx);
  if (audience.kind === "aspects")
    await audiences.checkDefault(tx, author.userId, audience);
  if (
    eventId !== null &&
    !(await events.findVisible({ id: eventId }, author, tx))
  )
    throw new KithError("not_found", "No such event.");
  if (!(await photos.areWaiting(tx, author.personId, photoIds)))
    throw new KithError("not_found", "No such photo without a post.");
}

async function write(
  { db, clock }: SaveDraftDeps,
  tx: Tx,
  { userId }: Author,
  draft: SaveDraft,
  id: DraftId | undefined,
): Promise<Draft> {
  const now = timestamp(clock.now());
  const usual = await findUsualChoices(tx, userId);
  const { language = usual.language } = draft.content;
  const { quotableBy = usual.quotableBy } = draft.content;
  const content = { ...draft.content, language, quotableBy };
  const whole = { ...draft, content };
  if (id !== undefined) {
    await lockDraft(tx, db.dialect, id);
    const updated = await updateDraft(tx, userId, id, whole, now);
    if (!updated) throw new KithError("not_found", "No such draft.");
    return updated;
  }
  await lockKey(tx, db.dialect, `drafts:${userId}`);
  if ((await countDrafts(tx, userId)) >= MAX_DRAFTS)
    throw new KithError(
      "bad_request",
      `You have as many drafts as you can have: ${MAX_DRAFTS}.`,
    );
  return insertDraft(tx, userId, whole, now);
}

/** One job per draft, however often its time is changed. */
async function schedule(
  { jobs }: SaveDraftDeps,
  tx: Tx,
  { id, publishAt }: Draft,
): Promise<void> {
  if (publishAt === null) return;
  const lane = laneOf(id);
  const runAt = new Date(publishAt);
  const payload = { draftId: id };
  await jobs.enqueueUnlessWaiting(tx, PUBLISH_DRAFT, payload, { lane, runAt });
  // The waiting one may be due later; it waits on if it is due before.
  await jobs.hurryLane(tx, lane, runAt);
}
