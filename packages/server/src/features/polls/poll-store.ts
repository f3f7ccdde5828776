import { sql } from "kysely";
import type { Tx } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { PersonId, PollId, PollVoteId, PostId } from "../ids.ts";
import type { NewAnswer, NewPoll } from "./poll.ts";

/** @returns false if the Guid belongs to another poll; nothing is stored then */
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
      hides_totals: poll.hidesTotals ?? false,
      told_voters: poll.reportedVoters ?? null,
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!row) return false;
  await insertAnswers(tx, row.id, poll.answers);
  return true;
}

async function insertAnswers(
  tx: Tx,
  pollId: PollId,
  answers: readonly NewAnswer[],
): Promise<void> {
  // Inserted one by one, so that the ids keep the order.
  for (const { guid, text, reportedVotes = null } of answers)
    await tx
      .insertInto("poll_answers")
      .values({ poll_id: pollId, guid, text, told_votes: reportedVotes })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

/** A poll whose end has come. */
export type EndedPoll = {
  readonly id: PollId;
  readonly postId: PostId;
  /** Its author. */
  readonly by: PersonId;
  readonly endsAt: Timestamp;
};

/** Polls whose end has come and was not noted yet, the earliest first. */
export async function listEndedPolls(
  tx: Tx,
  now: Timestamp,
  limit: number,
): Promise<EndedPoll[]> {
  const rows = await tx
    .selectFrom("polls")
    .innerJoin("posts", "posts.id", "polls.post_id")
    .select(["polls.id", "polls.post_id", "posts.person_id", "polls.ends_at"])
    // A literal, for the partial index.
    .where(sql<boolean>`not polls.end_noted`)
    .where("polls.ends_at", "<=", now)
    .orderBy("polls.ends_at")
    .limit(limit)
    .execute();
  return rows.flatMap((row) =>
    row.ends_at === null
      ? []
      : [
          {
            ...{ id: row.id, postId: row.post_id },
            ...{ by: row.person_id, endsAt: row.ends_at },
          },
        ],
  );
}

/** @returns false if another one noted it meanwhile */
export async function noteEnded(tx: Tx, id: PollId): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("polls")
    .set({ end_noted: true })
    .where("id", "=", id)
    .where("end_noted", "=", false)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The counts that the server of a poll reports. */
export type ReportedCounts = {
  readonly endsAt: Timestamp | null;
  readonly hidesTotals: boolean;
  readonly voters: number | null;
  /** By answer id. */
  readonly votes: ReadonlyMap<number, number>;
};

type End = Pick<NewPoll, "endsAt" | "hidesTotals">;

/** A poll that ends at another time ends anew. */
const endOf = ({ endsAt, hidesTotals = false }: End) => ({
  ends_at: endsAt,
  hides_totals: hidesTotals,
  end_noted: sql<boolean>`polls.end_noted
    and coalesce(polls.ends_at, '') = ${endsAt ?? ""}`,
});

/** Changes when a poll ends, and whether its counts are hidden until then. */
export async function updateEnd(
  tx: Tx,
  pollId: PollId,
  end: End,
): Promise<void> {
  await tx
    .updateTable("polls")
    .set(endOf(end))
    .where("id", "=", pollId)
    .execute();
}

export async function updateCounts(
  tx: Tx,
  pollId: PollId,
  { endsAt, hidesTotals, voters, votes }: ReportedCounts,
): Promise<void> {
  await tx
    .updateTable("polls")
    .set({
      ...endOf({ endsAt, hidesTotals }),
      told_voters: voters,
    })
    .where("id", "=", pollId)
    .execute();
  for (const [answerId, reportedVotes] of votes)
    await tx
      .updateTable("poll_answers")
      .set({ told_votes: reportedVotes })
      .where("id", "=", answerId)
      .where("poll_id", "=", pollId)
      .execute();
}

/** Replaces the question: votes for the old answers are deleted. */
export async function replaceAnswers(
  tx: Tx,
  pollId: PollId,
  poll: NewPoll,
): Promise<void> {
  await tx.deleteFrom("poll_votes").where("poll_id", "=", pollId).execute();
  await tx.deleteFrom("poll_answers").where("poll_id", "=", pollId).execute();
  await tx
    .updateTable("polls")
    .set({
      question: poll.question,
      multiple: poll.multiple,
      ...endOf(poll),
      told_voters: poll.reportedVoters ?? null,
    })
    .where("id", "=", pollId)
    .execute();
  await insertAnswers(tx, pollId, poll.answers);
}

/** Deletes the poll of a post with its answers and votes. */
export async function deletePoll(tx: Tx, postId: PostId): Promise<void> {
  await tx.deleteFrom("polls").where("post_id", "=", postId).execute();
}

/** Counts a local vote in advance, until the counting server reports its own number. */
export async function countOwnVote(
  tx: Tx,
  { pollId, answerId }: Pick<NewVote, "pollId" | "answerId">,
  isFirst: boolean,
): Promise<void> {
  await tx
    .updateTable("poll_answers")
    .set((eb) => ({ told_votes: eb("told_votes", "+", 1) }))
    .where("id", "=", answerId)
    .where("told_votes", "is not", null)
    .execute();
  if (isFirst)
    await tx
      .updateTable("polls")
      .set((eb) => ({ told_voters: eb("told_voters", "+", 1) }))
      .where("id", "=", pollId)
      .where("told_voters", "is not", null)
      .execute();
}

export type NewVote = {
  readonly guid: string;
  readonly pollId: PollId;
  readonly answerId: number;
  readonly personId: PersonId;
};

/** @returns undefined if the person has chosen this answer already, or the Guid is taken */
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
  return row?.id;
}

/** @returns false if it was deleted concurrently */
export async function deleteVote(tx: Tx, id: PollVoteId): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("poll_votes")
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Deletes votes of a deleted person. @returns how many */
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
