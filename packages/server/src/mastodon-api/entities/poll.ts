import { hasEnded, type PollResult } from "../../features/polls/index.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import { toWireId, toWireTime, type Entity } from "../kit/wire.ts";

/**
 * A poll has the id of its post. Hidden counts are null, not 0.
 * @param hasViewer is there somebody who could have voted?
 */
export function presentPollOf(
  { poll, votes, allVotes, voters, ownVotes }: PollResult,
  now: Timestamp,
  hasViewer: boolean,
): Entity {
  const options = poll.answers.map(({ id, text }) => ({
    title: text,
    votes_count: votes && (votes.get(id) ?? 0),
  }));
  const chosen = poll.answers.flatMap(({ guid }, index) =>
    ownVotes.includes(guid) ? [index] : [],
  );
  return {
    id: toWireId(poll.postId),
    expires_at: poll.endsAt && toWireTime(poll.endsAt),
    expired: hasEnded(poll, now),
    multiple: poll.multiple,
    votes_count: allVotes,
    voters_count: voters,
    options,
    emojis: [],
    ...(hasViewer && { voted: chosen.length > 0, own_votes: chosen }),
  };
}
