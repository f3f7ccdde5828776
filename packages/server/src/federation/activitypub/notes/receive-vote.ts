import { readVotesOf, type Activity, type Vote } from "@kith/activitypub";
import {
  MAX_ANSWERS,
  type Poll,
  type Polls,
} from "../../../features/polls/index.ts";
import type { Person } from "../../../features/people/index.ts";
import type { Post } from "../../../features/posts/index.ts";
import { storableText } from "../../../lib/well-formed.ts";
import { done, type InboundResult } from "../../inbound/inbound.ts";
import { findKnown, type ObjectsDeps } from "../records/objects.ts";
import { derivedGuid } from "../records/uris.ts";

export type ReceiveVoteDeps = ObjectsDeps & { readonly polls: Polls };

type Asked = { readonly vote: Vote; readonly post: Post; readonly poll: Poll };

/**
 * Counts the votes that a Create contains: Notes with a name and no content, in reply to a poll.
 * GoToSocial sends all choices at once. Only the poll's own server counts votes.
 * @returns undefined where it contains something else
 */
export async function receiveVotes(
  deps: ReceiveVoteDeps,
  activity: Activity,
  sender: Person,
): Promise<InboundResult | undefined> {
  const outcomes: string[] = [];
  // No poll has more answers to choose from, and each vote costs a lookup.
  for (const vote of readVotesOf(activity).slice(0, MAX_ANSWERS)) {
    const asked = await findPoll(deps, vote);
    if (asked) outcomes.push(await receiveVote(deps, asked, sender));
  }
  return outcomes.length === 0 ? undefined : done(outcomes.join(", "));
}

async function findPoll(
  deps: ReceiveVoteDeps,
  vote: Vote,
): Promise<Asked | undefined> {
  const known = await findKnown(deps, vote.question);
  if (known?.kind !== "post") return undefined;
  const poll = await deps.polls.find({ postId: known.post.id });
  return poll && { vote, post: known.post, poll };
}

async function receiveVote(
  { posts, polls, uris }: ReceiveVoteDeps,
  { vote, post, poll }: Asked,
  sender: Person,
): Promise<string> {
  if (!uris.isLocal(vote.question)) return "a vote elsewhere";
  const viewer = { personId: sender.id, userId: null };
  if (!(await posts.findVisible({ id: post.id }, viewer)))
    return "the voter may not see the poll";
  const option = storableText(vote.option);
  const answer = poll.answers.find(({ text }) => text === option);
  if (!answer) return "a vote for nothing";
  const received = await polls.receive({
    guid: derivedGuid("vote", `${vote.id}:${answer.guid}`),
    pollGuid: poll.guid,
    answerGuid: answer.guid,
    personId: sender.id,
  });
  return received.kind === "refused" ? "vote refused" : "vote";
}
