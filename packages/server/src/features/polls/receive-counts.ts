import type { Db } from "../../db/db.ts";
import { lockKey } from "../../db/dialect.ts";
import type { PostId } from "../ids.ts";
import { isSamePoll, type NewPoll } from "./poll.ts";
import { findPoll } from "./poll-queries.ts";
import { replaceAnswers, updateCounts } from "./poll-store.ts";

/**
 * Applies the counts and the end reported by the server of a remote poll. Other answers, or
 * a change from multiple to single choice or back, make it a new poll without votes; only
 * an edit may do that.
 * @param isEdit whether the author changed the post, and more than its counts
 * @returns false if there is no such poll, or it would become another one without an edit
 */
export async function receiveCounts(
  { db }: { readonly db: Db },
  postId: PostId,
  reported: NewPoll,
  isEdit: boolean,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockKey(tx, db.dialect, `poll-of:${postId}`);
    const poll = await findPoll(tx, { postId });
    if (!poll) return false;
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
