import type { Reader } from "../../db/db.ts";
import { isListed, prepareQuery } from "../../db/prepared-query.ts";
import { isNotSuspendedAmongMany } from "../visibility/index.ts";
import type { PersonId, PollId, PollVoteId, PostId } from "../ids.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import {
  areTotalsHidden,
  type Poll,
  type PollAnswer,
  type PollResult,
  type PollVote,
} from "./poll.ts";

const selectPolls = (reader: Reader) => reader.selectFrom("polls").selectAll();

type PollRow = Awaited<
  ReturnType<ReturnType<typeof selectPolls>["executeTakeFirstOrThrow"]>
>;

export type PollKey =
  | { readonly id: PollId }
  | { readonly guid: string }
  | { readonly postId: PostId };

export async function findPoll(
  reader: Reader,
  key: PollKey,
): Promise<Poll | undefined> {
  const [row] = await ("id" in key
    ? byId(reader, key)
    : "guid" in key
      ? byGuid(reader, key)
      : ofPost(reader, key));
  const [poll] = row ? await withAnswers(reader, [row]) : [];
  return poll;
}

const byId = prepareQuery<{ id: PollId }, PollRow>((reader, value) =>
  selectPolls(reader).where("id", "=", value("id")).compile(),
);
const byGuid = prepareQuery<{ guid: string }, PollRow>((reader, value) =>
  selectPolls(reader).where("guid", "=", value("guid")).compile(),
);
const ofPost = prepareQuery<{ postId: PostId }, PollRow>(
  (reader, value) =>
    selectPolls(reader).where("post_id", "=", value("postId")).compile(),
  { types: { postId: "bigint" } },
);

const ofPosts = prepareQuery<{ postIds: string }, PollRow>(
  (reader, value) =>
    selectPolls(reader)
      .where(isListed(reader, "polls.post_id", value("postIds")))
      .compile(),
  { types: { postIds: "text" } },
);

/** The polls of these posts with their votes. Omits posts without a poll. */
export async function listResults(
  reader: Reader,
  postIds: readonly PostId[],
  viewerId: PersonId | null,
  now: Timestamp,
): Promise<Map<PostId, PollResult>> {
  if (postIds.length === 0) return new Map();
  const rows = await ofPosts(reader, { postIds: JSON.stringify(postIds) });
  if (rows.length === 0) return new Map();
  const polls = await withAnswers(reader, rows);
  const ids = polls.map(({ id }) => id);
  const counted = await countVotes(reader, ids);
  const voters = await countVoters(reader, ids);
  const own = viewerId === null ? [] : await listVotes(reader, ids, viewerId);
  return new Map(
    polls.map((poll) => [
      poll.postId,
      {
        poll,
        ...presentVotes(votesOf(poll, counted), areTotalsHidden(poll, now)),
        voters: poll.reportedVoters ?? voters.get(poll.id) ?? 0,
        ownVotes: own
          .filter(({ pollId }) => pollId === poll.id)
          .map(({ answerGuid }) => answerGuid),
      },
    ]),
  );
}

function presentVotes(
  votes: ReadonlyMap<number, number>,
  areHidden: boolean,
): Pick<PollResult, "allVotes" | "votes"> {
  const allVotes = [...votes.values()].reduce((sum, count) => sum + count, 0);
  return { allVotes, votes: areHidden ? null : votes };
}

async function withAnswers(
  reader: Reader,
  rows: readonly PollRow[],
): Promise<Poll[]> {
  const answers = await reader
    .selectFrom("poll_answers")
    .selectAll()
    .where(
      "poll_id",
      "in",
      rows.map(({ id }) => id),
    )
    .orderBy("id")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    guid: row.guid,
    postId: row.post_id,
    question: row.question,
    multiple: Boolean(row.multiple),
    endsAt: row.ends_at,
    hidesTotals: Boolean(row.hides_totals),
    reportedVoters: row.told_voters,
    answers: answers
      .filter((answer) => answer.poll_id === row.id)
      .map(({ id, guid, text, told_votes }): PollAnswer => ({
        id,
        guid,
        text,
        reportedVotes: told_votes,
      })),
  }));
}

/**
 * The server that counts a poll's votes knows all of them; the stored votes are only those
 * received here.
 */
function votesOf(
  { answers }: Poll,
  counted: ReadonlyMap<number, number>,
): Map<number, number> {
  return new Map(
    answers.flatMap(({ id, reportedVotes }) => {
      const votes = reportedVotes ?? counted.get(id) ?? 0;
      return votes === 0 ? [] : [[id, votes] as const];
    }),
  );
}

async function countVoters(
  reader: Reader,
  pollIds: readonly PollId[],
): Promise<Map<number, number>> {
  const rows = await reader
    .selectFrom("poll_votes")
    .select([
      "poll_id",
      (eb) => eb.fn.count<number>("person_id").distinct().as("count"),
    ])
    .where("poll_id", "in", pollIds)
    .where(isNotSuspendedAmongMany("poll_votes.person_id"))
    .groupBy("poll_id")
    .execute();
  return new Map(rows.map((row) => [row.poll_id, Number(row.count)]));
}

async function countVotes(
  reader: Reader,
  pollIds: readonly PollId[],
): Promise<Map<number, number>> {
  const rows = await reader
    .selectFrom("poll_votes")
    .select(["answer_id", (eb) => eb.fn.countAll<number>().as("count")])
    .where("poll_id", "in", pollIds)
    .where(isNotSuspendedAmongMany("poll_votes.person_id"))
    .groupBy("answer_id")
    .execute();
  return new Map(rows.map((row) => [row.answer_id, Number(row.count)]));
}

const selectVotes = (reader: Reader) =>
  reader
    .selectFrom("poll_votes")
    .innerJoin("poll_answers", "poll_answers.id", "poll_votes.answer_id")
    .select([
      "poll_votes.id",
      "poll_votes.guid",
      "poll_votes.poll_id",
      "poll_votes.person_id",
      "poll_answers.guid as answer_guid",
    ]);

type VoteRow = Awaited<
  ReturnType<ReturnType<typeof selectVotes>["executeTakeFirstOrThrow"]>
>;

/** A person's votes, in the order of the answers. */
export async function listVotes(
  reader: Reader,
  pollIds: readonly PollId[],
  personId: PersonId,
): Promise<PollVote[]> {
  const rows = await selectVotes(reader)
    .where("poll_votes.poll_id", "in", pollIds)
    .where("poll_votes.person_id", "=", personId)
    .orderBy("poll_votes.answer_id")
    .execute();
  return rows.map(toVote);
}

/** The people who voted, each once. */
export async function listVoterIds(
  reader: Reader,
  pollId: PollId,
): Promise<PersonId[]> {
  const rows = await reader
    .selectFrom("poll_votes")
    .select("person_id")
    .distinct()
    .where("poll_id", "=", pollId)
    .execute();
  return rows.map((row) => row.person_id);
}

export async function findVote(
  reader: Reader,
  key: { readonly id: PollVoteId } | { readonly guid: string },
): Promise<PollVote | undefined> {
  const query = selectVotes(reader);
  const row = await (
    "id" in key
      ? query.where("poll_votes.id", "=", key.id)
      : query.where("poll_votes.guid", "=", key.guid)
  ).executeTakeFirst();
  return row && toVote(row);
}

function toVote(row: VoteRow): PollVote {
  return {
    id: row.id,
    guid: row.guid,
    pollId: row.poll_id,
    answerGuid: row.answer_guid,
    personId: row.person_id,
  };
}
