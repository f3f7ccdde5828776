import type { PersonId } from "../ids.ts";
import { findPoll, findVote } from "./poll-queries.ts";
import { deleteVote } from "./poll-store.ts";
import type { VoteDeps } from "./vote.ts";

/**
 * Retracts a remote vote. The voter and the author of the post may. Local votes are final.
 * @returns false if there is no such vote, or this person may not retract it
 */
export async function receiveVoteRetraction(
  { db, posts, facts, retractions, indexing }: VoteDeps,
  guid: string,
  by: PersonId,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const vote = await findVote(tx, { guid });
    const poll = vote && (await findPoll(tx, { id: vote.pollId }));
    const post = poll && (await posts.find({ id: poll.postId }, tx));
    if (!vote || !post) return false;
    const { id, personId } = vote;
    if (personId !== by && post.personId !== by) return false;
    if (!(await deleteVote(tx, id))) return false;
    await indexing.renewPost(tx, post.id);
    await retractions.record(tx, {
      kind: "Vote",
      guid,
      personId,
      uri: null,
      details: { kind: "Vote", postId: post.id },
    });
    const fact = { type: "vote.retracted", guid, by } as const;
    await facts.record(tx, { ...fact, authorId: personId });
    return true;
  });
}
