import type { Recipient } from "../../features/people/index.ts";
import { isInConversation, isRootHere, type Outgoing } from "./outgoing.ts";

type OfComment = Extract<Outgoing, { kind: "comment" }>;

/**
 * A remote participant sends a message to all others on the same protocol. The server of the
 * person who started the conversation passes it on to those on the other one, in that person's
 * name, because no server accepts it in anyone else's. The text says who wrote it.
 */
export function passOnMessage(outgoing: Outgoing): Outgoing {
  if (outgoing.kind !== "comment" || !isToPassOn(outgoing)) return outgoing;
  const { by, comment, postAuthor } = outgoing;
  return {
    ...outgoing,
    by: postAuthor,
    // Its own id is known only to those who have it already.
    parent: null,
    parentAuthor: null,
    comment: {
      ...comment,
      parentGuid: null,
      uri: null,
      text: `**${by.handle}:**\n\n${comment.text}`,
    },
    cameOver: comment.uri === null ? "diaspora" : "activitypub",
  };
}

function isToPassOn(outgoing: OfComment): boolean {
  return (
    isInConversation(outgoing) &&
    isRootHere(outgoing) &&
    outgoing.by.userId === null &&
    outgoing.postAuthor.state === "active"
  );
}

/**
 * Participants on one protocol are not told of those on the other: the first message names the
 * latter in its text.
 * @param others the remote participants who receive it over the other protocol
 */
export function nameOthers(
  outgoing: Outgoing,
  others: readonly Recipient[],
): Outgoing {
  if (outgoing.kind !== "post" || outgoing.participants === undefined)
    return outgoing;
  if (others.length === 0) return outgoing;
  const { post } = outgoing;
  const names = others.map(({ handle }) => handle).join(", ");
  return {
    ...outgoing,
    post: { ...post, text: `${post.text}\n\n(+ ${names})` },
  };
}
