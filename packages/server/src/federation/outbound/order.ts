import type { Comment } from "../../features/comments/index.ts";
import type { Person } from "../../features/people/index.ts";
import type { Post } from "../../features/posts/index.ts";
import type { Order, Outgoing } from "./outgoing.ts";

/** The order of follows, their answers, blocks, and their retractions. */
export function orderOfRelation(by: Person, other: Person): Order {
  return { about: `relation:${by.id}:${other.id}`, relationOf: by.id };
}

export function orderOf(outgoing: Outgoing): Order {
  const { by } = outgoing;
  switch (outgoing.kind) {
    case "post":
      return orderOfPost(outgoing);
    // A new follower may see the object for the first time in a change.
    case "event_change":
    case "photo_retraction":
    case "poll_change":
    case "post_change":
    case "quote_change":
    case "thread_change":
      return { about: nameOf(outgoing.post), afterRelationsOf: by.id };
    case "post_retraction":
      return { about: outgoing.guid, afterRelationsOf: by.id };
    case "comment":
      return {
        about: nameOf(outgoing.comment),
        after: nameOf(outgoing.parent ?? outgoing.post),
      };
    case "comment_retraction":
      return { about: outgoing.uri ?? outgoing.guid };
    case "like":
      return orderOfSaying("like", by, outgoing);
    case "like_retraction":
      return orderOfSaying("like", outgoing.author, outgoing);
    case "event_answer":
      return orderOfSaying("answer", by, outgoing);
    case "vote":
      return orderOfSaying("vote", by, outgoing);
    case "pin":
      return orderOfSaying("pin", by, outgoing);
    case "vote_retraction":
      return orderOfSaying("vote", outgoing.author, outgoing);
    case "block":
    case "contact":
      return orderOfRelation(by, outgoing.recipient);
    // Changes of identity: an actor names its new actor before it moves, and departs last.
    case "departure":
      return { about: `person:${by.id}`, isLast: true };
    case "move":
    case "profile":
      return { about: `person:${by.id}`, afterRelationsOf: by.id };
  }
}

/**
 * A reshare follows its root, where that is local, too; any other post follows the author's
 * relations.
 */
function orderOfPost({
  by,
  post,
  root,
}: Extract<Outgoing, { kind: "post" }>): Order {
  const about = nameOf(post);
  return root?.author.userId != null
    ? { about, after: nameOf(root.post) }
    : { about, afterRelationsOf: by.id };
}

/** The order of an activity that a person may do once per object, undo, and repeat. */
function orderOfSaying(
  kind: string,
  { id }: Person,
  about: { readonly post: Post; readonly comment?: Comment | null },
): Order {
  const thing = nameOf(about.comment ?? about.post);
  return { about: `${kind}:${id}:${thing}`, after: thing };
}

/** An object received over ActivityPub is known by its id, any other by its Guid. */
function nameOf({ uri, guid }: Pick<Post | Comment, "uri" | "guid">): string {
  return uri ?? guid;
}
