import type { Db } from "../../db/db.ts";
import { lockKey } from "../../db/dialect.ts";
import type { PostId } from "../ids.ts";
import type { Attach } from "../posts/index.ts";
import { isSamePoll, type NewPoll } from "./poll.ts";
import { findPoll } from "./poll-queries.ts";
import { deletePoll, replaceAnswers, updateCounts } from "./poll-store.ts";

type Deps = {
  readonly db: Db;
  readonly attach: (poll: NewPoll) => Attach;
};

/**
 * Applies the counts and the end reported by the server of a remote poll. Other answers, or
 * a change from multiple to single choice or back, make it a new poll without votes; only
 * an edit may do that, or give a post its poll.
 * @param isEdit whether the author changed the post, and more than its counts
 * @returns false if there is no such poll, or it would become another one without an edit
 */
export async function receiveCounts(
  { db, attach }: Deps,
  postId: PostId,
  reported: NewPoll,
  isEdit: boolean,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockKey(tx, db.dialect, `poll-of:${postId}`);
    const poll = await findPoll(tx, { postId });
    if (!poll) {
      if (isEdit) await attach(reported)(tx, postId);
      return isEdit;
    }
    if (!isSamePoll(poll, reported)) {
      if (isEdit) await replaceAnswers(tx, poll.id, reported);
      return isEdit;
    }
    const votes = new Map(
      reported.answers.map(({ text, reportedVotes }) => [
        text,
        reportedVotes ?? 0,
      ]),
    );
    await updateCounts(tx, poll.id, {
      endsAt: reported.endsAt,
      hidesTotals: reported.hidesTotals ?? false,
      voters: reported.reportedVoters ?? null,
      votes: new Map(
        poll.answers.map(({ id, text }) => [id, votes.get(text) ?? 0]),
      ),
    });
    return true;
  });
}

/** Removes the poll of a remote post, and all votes, since its author did. */
export async function receivePollRemoval(
  { db }: Pick<Deps, "db">,
  postId: PostId,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockKey(tx, db.dialect, `poll-of:${postId}`);
    await deletePoll(tx, postId);
  });
}
