import type { Db } from "../../db/db.ts";
import { lockKey } from "../../db/dialect.ts";
import type { PostId } from "../ids.ts";
import type { NewPoll, Poll } from "./poll.ts";
import { findPoll } from "./poll-queries.ts";
import { replaceAnswers, updateCounts } from "./poll-store.ts";

/**
 * Takes over what the server of a poll from elsewhere counts, and when it ends.
 * Other answers, or one answer in the place of several, make another poll of it,
 * in which nobody has voted yet; only an edit may do that.
 * @param isEdit whether the author changed the post, and more than its numbers
 * @returns false where there is no such poll, or where it would be another one
 */
export async function receiveCounts(
  { db }: { readonly db: Db },
  postId: PostId,
  told: NewPoll,
  isEdit: boolean,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockKey(tx, db.dialect, `poll-of:${postId}`);
    const poll = await findPoll(tx, { postId });
    if (!poll) return false;
    if (!isSamePoll(poll, told)) {
      if (isEdit) await replaceAnswers(tx, poll.id, told);
      return isEdit;
    }
    const votes = new Map(
      told.answers.map(({ text, toldVotes }) => [text, toldVotes ?? 0]),
    );
    await updateCounts(tx, poll.id, {
      endsAt: told.endsAt,
      voters: told.toldVoters ?? null,
      votes: new Map(
        poll.answers.map(({ id, text }) => [id, votes.get(text) ?? 0]),
      ),
    });
    return true;
  });
}

function isSamePoll(poll: Poll, told: NewPoll): boolean {
  return (
    poll.multiple === told.multiple &&
    poll.answers.length === told.answers.length &&
    poll.answers.every(({ text }, at) => text === told.answers[at]?.text)
  );
}
