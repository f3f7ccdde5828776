import type { Tx } from "../../db/db.ts";
import type { Timestamp } from "../../lib/clock.ts";
import type { PersonId, PollId, PollVoteId, PostId } from "../ids.ts";
import type { NewPoll } from "./poll.ts";

/** @returns false where the Guid is another poll's, and nothing was stored */
export async function insertPoll(
  tx: Tx,
  postId: PostId,
  poll: NewPoll,
  now: Timestamp,
): Promise<boolean> {
  const row = await tx
    .insertInto("polls")
    .values({
      guid: poll.guid,
      post_id: postId,
      question: poll.question,
      multiple: poll.multiple,
      ends_at: poll.endsAt,
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!row) return false;
  // One after the other: their ids keep their order.
  for (const { guid, text } of poll.answers)
    await tx
      .insertInto("poll_answers")
      .values({ poll_id: row.id, guid, text })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  return true;
}

export type NewVote = {
  readonly guid: string;
  readonly pollId: PollId;
  readonly answerId: number;
  readonly personId: PersonId;
};

/** @returns undefined where the person chose the answer before, or the Guid is taken */
export async function insertVote(
  tx: Tx,
  vote: NewVote,
  now: Timestamp,
): Promise<PollVoteId | undefined> {
  const row = await tx
    .insertInto("poll_votes")
    .values({
      guid: vote.guid,
      poll_id: vote.pollId,
      answer_id: vote.answerId,
      person_id: vote.personId,
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  return row?.id as PollVoteId | undefined;
}

/** @returns false where it was deleted meanwhile */
export async function deleteVote(tx: Tx, id: PollVoteId): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("poll_votes")
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Of somebody who is gone. @returns how many went */
export async function deleteSomeVotesOf(
  tx: Tx,
  personId: PersonId,
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("poll_votes")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("poll_votes as own")
        .select("own.id")
        .where("own.person_id", "=", personId)
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
