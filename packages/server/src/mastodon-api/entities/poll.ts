import { hasEnded, type PollResult } from "../../features/polls/index.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import { toWireId, toWireTime, type Entity } from "../kit/wire.ts";

/** A poll has the id of its post. @param hasViewer is there somebody who could have voted? */
export function presentPollOf(
  { poll, votes, voters, ownVotes }: PollResult,
  now: Timestamp,
  hasViewer: boolean,
): Entity {
  const options = poll.answers.map(({ id, text }) => ({
    title: text,
    votes_count: votes.get(id) ?? 0,
  }));
  const chosen = poll.answers.flatMap(({ guid }, index) =>
    ownVotes.includes(guid) ? [index] : [],
  );
  return {
    id: toWireId(poll.postId),
    expires_at: poll.endsAt && toWireTime(poll.endsAt),
    expired: hasEnded(poll, now),
    multiple: poll.multiple,
    votes_count: options.reduce((sum, it) => sum + it.votes_count, 0),
    voters_count: voters,
    options,
    emojis: [],
    ...(hasViewer && { voted: chosen.length > 0, own_votes: chosen }),
  };
}
