import type { Db, Tx } from "../../db/db.ts";
import { lockKey } from "../../db/dialect.ts";
import { lockNames } from "../../db/lock-names.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import { KithError } from "../../lib/errors.ts";
import { newGuid } from "../../lib/guids.ts";
import type { Facts } from "../facts.ts";
import { notFoundIfGone } from "../gone-meanwhile.ts";
import type { PersonId, PollId } from "../ids.ts";
import type { Indexing } from "../indexing/index.ts";
import { refuseMoved } from "../moved.ts";
import type { Author, PostKey, Posts, Received } from "../posts/index.ts";
import type { Retractions } from "../retractions/index.ts";
import { hasEnded, type Poll, type PollAnswer, type PollVote } from "./poll.ts";
import { findPoll, findVote, listVotes } from "./poll-queries.ts";
import { countOwnVote, insertVote, type NewVote } from "./poll-store.ts";

export type VoteDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly facts: Facts;
  readonly posts: Posts;
  readonly retractions: Retractions;
  readonly indexing: Pick<Indexing, "renewPost">;
};

/**
 * Votes in the poll of a post. A vote is final: voting the same again changes nothing,
 * voting differently is refused.
 * @param answerGuids one answer, or several if the poll is multiple-choice
 * @throws {KithError} `not_found` for a post that the voter may not see, one without a
 * poll, or an unknown answer; `bad_request`
 */
export async function vote(
  deps: VoteDeps,
  voter: Author,
  key: PostKey,
  answerGuids: readonly string[],
): Promise<void> {
  const { db, posts } = deps;
  const writing = db.transaction(async (tx) => {
    await refuseMoved(tx, voter.personId);
    const post = await posts.findVisible(key, voter, tx);
    const poll = post && (await findPoll(tx, { postId: post.id }));
    if (!poll) throw new KithError("not_found", "No such poll.");
    const chosen = chooseAnswers(poll, answerGuids);
    await lockVoter(db, tx, poll.id, voter.personId);
    if (hasEnded(poll, timestamp(deps.clock.now())))
      throw new KithError("bad_request", "The poll has ended.");
    const before = await listVotes(tx, [poll.id], voter.personId);
    if (before.length > 0) return checkUnchanged(before, chosen);
    for (const [index, { id }] of chosen.entries()) {
      const of = { pollId: poll.id, answerId: id, personId: voter.personId };
      await store(deps, tx, { guid: newGuid(), ...of });
      await countOwnVote(tx, of, index === 0);
    }
    await deps.indexing.renewPost(tx, post.id);
  });
  await notFoundIfGone(writing);
}

function chooseAnswers(poll: Poll, guids: readonly string[]): PollAnswer[] {
  const chosen = [...new Set(guids)].map((guid) => {
    const answer = poll.answers.find((one) => one.guid === guid);
    if (!answer) throw new KithError("not_found", "No such answer.");
    return answer;
  });
  if (chosen.length === 0 || (chosen.length > 1 && !poll.multiple))
    throw new KithError(
      "bad_request",
      "Choose one answer, or several where the poll allows it.",
    );
  return chosen;
}

function checkUnchanged(
  before: readonly PollVote[],
  chosen: readonly PollAnswer[],
): void {
  const known = new Set(before.map(({ answerGuid }) => answerGuid));
  const isSame =
    known.size === chosen.length && chosen.every(({ guid }) => known.has(guid));
  if (!isSame)
    throw new KithError(
      "bad_request",
      "You have voted already, and a vote cannot be changed.",
    );
}

/**
 * A remote vote. The caller has authenticated the voter and checked that the voter may see
 * the post.
 */
export type ReceivedVote = {
  readonly guid: string;
  readonly pollGuid: string;
  readonly answerGuid: string;
  readonly personId: PersonId;
};

/** Counts a remote vote, once. */
export async function receiveRemoteVote(
  deps: VoteDeps,
  { guid, pollGuid, answerGuid, personId }: ReceivedVote,
): Promise<Received<PollVote>> {
  const { db, clock, facts } = deps;
  return db.transaction(async (tx): Promise<Received<PollVote>> => {
    const poll = await findPoll(tx, { guid: pollGuid });
    const answer = poll?.answers.find((one) => one.guid === answerGuid);
    if (!poll || !answer) return refused("It has no such answer");
    await lockVoter(db, tx, poll.id, personId);
    await lockNames(tx, db.dialect, [guid]);
    const known = await findVote(tx, { guid });
    if (known)
      return known.personId === personId
        ? { kind: "known", value: known }
        : refused("The Guid is another voter's");
    const thing = { kind: "Vote", guid, personId } as const;
    if (await deps.retractions.isRetracted(tx, { ...thing, uri: null }))
      return refused("It was retracted");
    if (hasEnded(poll, timestamp(clock.now())))
      return refused("The poll has ended");
    const before = await listVotes(tx, [poll.id], personId);
    const isAgain = before.some((one) => one.answerGuid === answerGuid);
    if (isAgain || (before.length > 0 && !poll.multiple))
      return refused("Voted before");
    const of = { pollId: poll.id, answerId: answer.id, personId };
    const value = await store(deps, tx, { guid, ...of });
    await facts.noteArrival(tx, [guid]);
    return { kind: "stored", value };
  });
}

function refused(reason: string): { kind: "refused"; reason: string } {
  return { kind: "refused", reason };
}

async function lockVoter(
  db: Db,
  tx: Tx,
  pollId: PollId,
  personId: PersonId,
): Promise<void> {
  await lockKey(tx, db.dialect, `poll:${pollId}:${personId}`);
}

async function store(
  { clock, facts }: VoteDeps,
  tx: Tx,
  newVote: NewVote,
): Promise<PollVote> {
  const voteId = await insertVote(tx, newVote, timestamp(clock.now()));
  const by = newVote.personId;
  if (voteId === undefined) throw new Error("The vote cannot be stored");
  await facts.record(tx, { type: "poll.voted", voteId, by });
  const stored = await findVote(tx, { id: voteId });
  if (!stored) throw new Error("The new vote cannot be read");
  return stored;
}
