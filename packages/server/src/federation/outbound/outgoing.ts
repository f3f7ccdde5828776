import type { Fact } from "../../features/facts.ts";
import type { CalendarEvent } from "../../features/events/index.ts";
import type {
  AttachedEvent,
  AttachedPhoto,
  CommentContent,
  PostContent,
  ProfileContent,
} from "./content.ts";
import type { Comment } from "../../features/comments/index.ts";
import type { PersonId, PostId } from "../../features/ids.ts";
import type { Like } from "../../features/likes/index.ts";
import type { MoveDocument } from "../../features/moves/index.ts";
import type { Participation } from "../../features/participations/index.ts";
import type { Protocol } from "../../db/schema/remote-person.ts";
import type { Person, Recipient } from "../../features/people/index.ts";
import type { Poll, PollVote } from "../../features/polls/index.ts";
import type { Post } from "../../features/posts/index.ts";
import type {
  RetractedKind,
  RetractionDetails,
} from "../../features/retractions/index.ts";
import { jobKind } from "../../jobs/job.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { Delivery } from "../delivery/delivery.ts";

/** The job that lists the recipients of a fact, and their inboxes. */
export const FAN_OUT = jobKind<Fact>("fan-out");

/** The post that a comment or like belongs to. */
export type Thread = { readonly post: Post; readonly postAuthor: Person };

/** One message to other servers, with all its content. `by` is the person who acted. */
export type Outgoing =
  | {
      readonly kind: "post";
      readonly by: Person;
      readonly post: Post;
      /** For a reshare: the reshared post, where it is still known. */
      readonly root: { readonly post: Post; readonly author: Person } | null;
      readonly content: PostContent;
      readonly mentioned: readonly Person[];
      /** Of a private conversation: its author and the other participants. */
      readonly participants?: readonly Person[];
    }
  | {
      /** Its author edited the post. */
      readonly kind: "post_change";
      readonly by: Person;
      readonly post: Post;
      readonly content: PostContent;
      /** The pictures that were added or described anew. */
      readonly photos: readonly AttachedPhoto[];
    }
  | {
      /** Its author pinned a public post, or no longer pins it. */
      readonly kind: "pin";
      readonly by: Person;
      readonly post: Post;
      readonly isPinned: boolean;
      readonly changedAt: Timestamp;
    }
  | {
      /** The event attached to a post changed. */
      readonly kind: "event_change";
      readonly by: Person;
      readonly post: Post;
      readonly event: AttachedEvent;
      readonly content: PostContent;
      readonly mentioned: readonly Person[];
    }
  | {
      /** The poll of a post has new votes, or ended. */
      readonly kind: "poll_change";
      readonly by: Person;
      readonly post: Post;
      readonly content: PostContent;
    }
  | {
      /** A post may show the post that it quotes, or may not any more. */
      readonly kind: "quote_change";
      readonly by: Person;
      readonly post: Post;
      readonly content: PostContent;
      readonly changedAt: Timestamp;
    }
  | {
      /**
       * An activity below a post, or its retraction, that other servers receive in no other way.
       */
      readonly kind: "thread_change";
      readonly by: Person;
      readonly post: Post;
      readonly content: PostContent;
      /** Origin of the one server that already has it. */
      readonly from: string | undefined;
    }
  | {
      readonly kind: "post_retraction";
      readonly by: Person;
      readonly guid: string;
      readonly details: Extract<RetractionDetails, { kind: "Post" }>;
      /** For a reshare: the author of the reshared post. */
      readonly rootAuthor: Person | null;
    }
  | ({
      readonly kind: "comment";
      readonly by: Person;
      readonly comment: Comment;
      /** Is it a new version of the comment? */
      readonly isEdit: boolean;
      /** Also those whom an earlier version mentioned. */
      readonly mentioned: readonly Person[];
      /** Of a private conversation: its author and the other participants. */
      readonly participants?: readonly Person[];
      /**
       * The protocol over which a message came here: its author has sent it to the participants
       * on that protocol, and `by` passes it on to those on the other one.
       */
      readonly cameOver?: Protocol;
    } & CommentContent &
      Thread)
  | ({
      readonly kind: "comment_retraction";
      readonly by: Person;
      readonly author: Person;
      readonly guid: string;
      /** ActivityPub id of a remote comment. */
      readonly uri: string | null;
      readonly mentioned: readonly Person[];
    } & Thread)
  | ({
      readonly kind: "event_answer";
      readonly by: Person;
      readonly answer: Participation;
      readonly event: CalendarEvent;
    } & Thread)
  | ({
      readonly kind: "like";
      readonly by: Person;
      readonly like: Like;
      /** The comment that is liked; null where the post is liked. */
      readonly comment: Comment | null;
      readonly commentAuthor: Person | null;
    } & Thread)
  | ({
      readonly kind: "like_retraction";
      readonly by: Person;
      readonly author: Person;
      readonly guid: string;
      readonly positive: boolean;
      readonly comment: Comment | null;
      readonly commentAuthor: Person | null;
    } & Thread)
  | ({
      readonly kind: "photo_retraction";
      readonly by: Person;
      readonly guid: string;
      readonly content: PostContent;
    } & Thread)
  | ({
      readonly kind: "vote_retraction";
      readonly by: Person;
      readonly author: Person;
      readonly guid: string;
    } & Thread)
  | ({
      readonly kind: "vote";
      readonly by: Person;
      readonly vote: PollVote;
      readonly poll: Poll;
    } & Thread)
  | {
      readonly kind: "contact";
      readonly by: Person;
      readonly recipient: Person;
      readonly following: boolean;
      readonly requestGuid: string;
    }
  | {
      readonly kind: "profile";
      readonly by: Person;
      readonly content: ProfileContent;
    }
  | {
      readonly kind: "block";
      readonly by: Person;
      readonly recipient: Person;
      readonly blocking: boolean;
      /** When the block began. */
      readonly since: Timestamp;
    }
  | {
      /** A person moves to another account; one of the two is local. */
      readonly kind: "move";
      readonly by: Person;
      readonly from: Person;
      readonly to: Person;
      /** Signed by both, where the whole account moves. */
      readonly document: MoveDocument | null;
      /** The new actor itself lists the old one as its alias. */
      readonly isAlias: boolean;
      readonly audience: readonly PersonId[];
    }
  | {
      /** The account is deleted. */
      readonly kind: "departure";
      readonly by: Person;
      /** Everyone who may have received anything from it. */
      readonly audience: readonly PersonId[];
    };

/**
 * The messages that a delivery must not overtake at its inbox: those about the same object or
 * relation, and those needed to understand it. All others are independent.
 */
export type Order = {
  /** The object or the relation: messages about the same one are delivered in order. */
  readonly about: string;
  /** Another `about` that the recipient server needs first, unless it refuses that. */
  readonly after?: string;
  /** The person whose relations it changes: that person's posts are delivered after it. */
  readonly relationOf?: Person["id"];
  /** The person whose relations the recipient must know first. */
  readonly afterRelationsOf?: Person["id"];
  /** No message of its sender may follow, except retractions. */
  readonly isLast?: boolean;
};

/** A document, rendered once, and the inboxes that it goes to. */
export type Rendered = {
  readonly document: string;
  readonly deliveries: readonly Delivery[];
};

/** A rendered document as it is enqueued. */
export type Dispatch = Rendered & {
  readonly order: Order;
  /** The post that it publishes, if any. */
  readonly postId?: PostId;
  /**
   * Send it although its sender is suspended: it announces the suspension, or retracts something.
   */
  readonly evenSuspended?: boolean;
};

/** A protocol's sender: renders an outgoing message for the recipients that use this protocol. */
export type ProtocolSender = {
  render(
    outgoing: Outgoing,
    recipients: readonly Recipient[],
  ): Promise<readonly Rendered[]>;
  /** Does it have further recipients of its own? Then it is rendered even without recipients. */
  hasFurtherRecipients?(outgoing: Outgoing): Promise<boolean>;
  /** Forgets the data that it kept of retracted objects, once the retraction is sent. */
  forget?(kind: RetractedKind, guids: readonly string[]): Promise<void>;
};

/** Is the post's author local? Then this server forwards what others say about it. */
export function isRootHere({ postAuthor }: Thread): boolean {
  return postAuthor.userId !== null;
}

/** Is it in a private conversation, in which everyone sends their messages to all others? */
export function isInConversation({ post }: Pick<Thread, "post">): boolean {
  return post.participants !== null;
}

/** The origin of a remote person's server; undefined for local people. */
export function serverOf({
  addresses,
}: Pick<Person, "addresses">): string | undefined {
  const url = addresses.actorUri ?? addresses.seedLocation;
  return url === null ? undefined : new URL(url).origin;
}
