import type { Reader } from "../../db/db.ts";
import { lockNames } from "../../db/lock-names.ts";
import { timestamp } from "../../lib/time/clock.ts";
import type { PersonId, PollId, PollVoteId, PostId } from "../ids.ts";
import type { Attach, Author, PostKey } from "../posts/index.ts";
import { amendPoll, type AmendedPoll } from "./amend-poll.ts";
import { noteSomeEnded } from "./end-polls.ts";
import { checkPoll, type AskedPoll } from "./new-poll.ts";
import {
  findPoll,
  findVote,
  listResults,
  listVoterIds,
  type PollKey,
} from "./poll-queries.ts";
import { deleteSomeVotesOf, insertPoll } from "./poll-store.ts";
import type { NewPoll } from "./poll.ts";
import { receiveVoteRetraction } from "./retract-vote.ts";
import { receiveCounts, receivePollRemoval } from "./receive-counts.ts";
import {
  receiveRemoteVote,
  vote,
  type ReceivedVote,
  type VoteDeps,
} from "./vote.ts";

export { createEndPolls, END_POLLS } from "./end-polls.ts";
export type { AskedPoll } from "./new-poll.ts";
export type { NewPoll, Poll, PollResult, PollVote } from "./poll.ts";
export { hasEnded, MAX_ANSWERS, MAX_POLL_TEXT_LENGTH } from "./poll.ts";

/** Polls attached to posts. Everyone who may see the post sees its poll and may vote once. */
export type Polls = ReturnType<typeof createPolls>;

export function createPolls(deps: VoteDeps) {
  const { db, clock, facts } = deps;
  const attach =
    (poll: NewPoll): Attach =>
    async (tx, postId) => {
      const { guid } = poll;
      await lockNames(tx, db.dialect, [guid]);
      const now = timestamp(clock.now());
      if (await insertPoll(tx, postId, poll, now))
        await facts.noteArrival(tx, [guid]);
    };
  return {
    /**
     * Builds the callback that stores the poll with its post.
     * @returns undefined if there is no question
     * @throws {KithError} `bad_request`
     */
    ask: (asked: AskedPoll): Attach | undefined => {
      const poll = checkPoll(asked, clock.now());
      return poll && attach(poll);
    },
    /** The same for a remote post. A poll whose Guid is taken by another one is dropped. */
    attach,
    /** Changes the poll of a post as part of its edit. @throws {KithError} `bad_request` */
    amend: (asked: AmendedPoll) => amendPoll(deps, attach, asked),
    vote: (voter: Author, key: PostKey, answerGuids: readonly string[]) =>
      vote(deps, voter, key, answerGuids),
    receive: (received: ReceivedVote) => receiveRemoteVote(deps, received),
    receiveRetraction: ({ guid }: { readonly guid: string }, by: PersonId) =>
      receiveVoteRetraction(deps, guid, by),
    /**
     * Applies the counts of the server of a remote poll.
     * @returns false if there is no such poll
     */
    receiveCounts: (postId: PostId, reported: NewPoll, isEdit: boolean) =>
      receiveCounts({ db, attach }, postId, reported, isEdit),
    /** An edit of a remote post left its poll out. */
    receiveRemoval: (postId: PostId) => receivePollRemoval(deps, postId),
    /** For jobs and federation, never for a response. */
    find: (key: PollKey, reader: Reader = db.read) => findPoll(reader, key),
    /** For jobs and federation, never for a response. */
    findVote: (
      key: { id: PollVoteId } | { guid: string },
      reader: Reader = db.read,
    ) => findVote(reader, key),
    /** Notes polls that have ended. @returns true if more may have */
    noteSomeEnded: () => noteSomeEnded(deps),
    /** Lists the people who voted, for notifications. */
    listVoterIds: (id: PollId) => listVoterIds(db.read, id),
    /** The polls of posts. The caller has checked that the viewer may see the posts. */
    listResults: (postIds: readonly PostId[], viewerId: PersonId | null) =>
      listResults(db.read, postIds, viewerId, timestamp(clock.now())),
    /**
     * Removes the votes of a deleted account from the counts.
     * @returns true if more are left
     */
    removeSomeVotesOf: (personId: PersonId, limit: number) =>
      db.transaction(
        async (tx) => (await deleteSomeVotesOf(tx, personId, limit)) > 0,
      ),
  };
}
