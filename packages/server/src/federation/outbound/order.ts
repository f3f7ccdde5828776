import type { Comment } from "../../features/comments/index.ts";
import type { Person } from "../../features/people/index.ts";
import type { Post } from "../../features/posts/index.ts";
import type { Order, Outgoing } from "./outgoing.ts";

/** Of following, answering, blocking, and their ends. */
export function orderOfRelation(by: Person, other: Person): Order {
  return { about: `relation:${by.id}:${other.id}`, relationOf: by.id };
}

export function orderOf(outgoing: Outgoing): Order {
  const { by } = outgoing;
  switch (outgoing.kind) {
    case "post":
      return orderOfPost(outgoing);
    // A change may be the first that a new follower hears of the thing.
    case "event_change":
    case "photo_retraction":
    case "poll_change":
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
    case "vote_retraction":
      return orderOfSaying("vote", outgoing.author, outgoing);
    case "block":
    case "contact":
      return orderOfRelation(by, outgoing.recipient);
    // Who somebody is: an actor names its new one before it moves, and ends last.
    case "departure":
      return { about: `person:${by.id}`, isLast: true };
    case "move":
    case "profile":
      return { about: `person:${by.id}`, afterRelationsOf: by.id };
  }
}

/** A reshare needs its root, where that comes from here, too; anything else that whoever follows is known to. */
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

/** What somebody may say once about a thing, and take back, and say again. */
function orderOfSaying(
  kind: string,
  { id }: Person,
  about: { readonly post: Post; readonly comment?: Comment | null },
): Order {
  const thing = nameOf(about.comment ?? about.post);
  return { about: `${kind}:${id}:${thing}`, after: thing };
}

/** What came over ActivityPub is known by its id, else by its Guid. */
function nameOf({ uri, guid }: Pick<Post | Comment, "uri" | "guid">): string {
  return uri ?? guid;
}
