import type { Fact } from "../../features/facts.ts";
import type { CalendarEvent } from "../../features/events/index.ts";
import type {
  AttachedEvent,
  CommentContent,
  PostContent,
  ProfileContent,
} from "./content.ts";
import type { Comment } from "../../features/comments/index.ts";
import type { PersonId, PostId, UserId } from "../../features/ids.ts";
import type { Like } from "../../features/likes/index.ts";
import type { MoveDocument } from "../../features/moves/index.ts";
import type { Participation } from "../../features/participations/index.ts";
import type { Protocol } from "../../db/schema/remote-person.ts";
import type { Person } from "../../features/people/index.ts";
import type { Poll, PollVote } from "../../features/polls/index.ts";
import type { Post } from "../../features/posts/index.ts";
import type {
  RetractedKind,
  RetractionDetails,
} from "../../features/retractions/index.ts";
import { jobKind } from "../../jobs/job.ts";
import type { Timestamp } from "../../lib/time/clock.ts";

/** The job that finds out who must hear of a fact, and at which inbox. */
export const FAN_OUT = jobKind<Fact>("fan-out");

/** Where a comment or like stands. */
export type Thread = { readonly post: Post; readonly postAuthor: Person };

/** One thing that other servers are told, with all that is told of it. `by` is who did it. */
export type Outgoing =
  | {
      readonly kind: "post";
      readonly by: Person;
      readonly post: Post;
      /** Of a reshare: the post that it passes on, where it is still known. */
      readonly root: { readonly post: Post; readonly author: Person } | null;
      readonly content: PostContent;
      readonly mentioned: readonly Person[];
    }
  | {
      /** The event that a post carries is not what it was. */
      readonly kind: "event_change";
      readonly by: Person;
      readonly post: Post;
      readonly event: AttachedEvent;
      readonly content: PostContent;
      readonly mentioned: readonly Person[];
    }
  | {
      /** More people voted in the poll of a post, or it is over. */
      readonly kind: "poll_change";
      readonly by: Person;
      readonly post: Post;
      readonly content: PostContent;
    }
  | {
      /** A post may show what it quotes, or may not any more. */
      readonly kind: "quote_change";
      readonly by: Person;
      readonly post: Post;
      readonly content: PostContent;
      readonly changedAt: Timestamp;
    }
  | {
      /** Something was said below a post, or taken back, of which others are not told otherwise. */
      readonly kind: "thread_change";
      readonly by: Person;
      readonly post: Post;
      readonly content: PostContent;
      /** Origin of the one server that knows already. */
      readonly from: string | undefined;
    }
  | {
      readonly kind: "post_retraction";
      readonly by: Person;
      readonly guid: string;
      readonly details: Extract<RetractionDetails, { kind: "Post" }>;
      /** Of a reshare: who wrote what it passed on. */
      readonly rootAuthor: Person | null;
    }
  | ({
      readonly kind: "comment";
      readonly by: Person;
      readonly comment: Comment;
      readonly mentioned: readonly Person[];
    } & CommentContent &
      Thread)
  | ({
      readonly kind: "comment_retraction";
      readonly by: Person;
      readonly author: Person;
      readonly guid: string;
      /** ActivityPub id of a comment from elsewhere. */
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
      /** The comment that is liked, where it is not the post. */
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
      /** Somebody goes on as another person, one of the two being from here. */
      readonly kind: "move";
      readonly by: Person;
      readonly from: Person;
      readonly to: Person;
      /** What both have signed, where everything goes along. */
      readonly document: MoveDocument | null;
      /** The new actor says itself that it is the old one, too. */
      readonly isAlias: boolean;
      readonly audience: readonly PersonId[];
    }
  | {
      /** The account is deleted. */
      readonly kind: "departure";
      readonly by: Person;
      /** Whoever may have something of it. */
      readonly audience: readonly PersonId[];
    };

/**
 * What a delivery must not overtake at its inbox: things about the same object or
 * relation, and what must be known before it can be understood. All else is free.
 */
export type Order = {
  /** The object or the relation: what is about the same goes out one after the other. */
  readonly about: string;
  /** What a peer needs first, unless it refuses that: another `about`. */
  readonly after?: string;
  /** Whose relations it changes: what that person posts comes after it. */
  readonly relationOf?: Person["id"];
  /** What this person's relations are, must be known first. */
  readonly afterRelationsOf?: Person["id"];
  /** Nothing of its sender may come later, but what takes something back. */
  readonly isLast?: boolean;
};

/** One POST to one inbox. */
export type Delivery = {
  readonly protocol: Protocol;
  readonly url: string;
  /** Where it goes, as far as order is concerned: the inbox, or one beside it. */
  readonly place: string;
  /** The user here in whose name it is sent; null where the server itself says it. */
  readonly senderUserId: UserId | null;
  /** Of a message that is encrypted at the moment of sending: for whom. */
  readonly recipientId: PersonId | null;
  /** Only the recipient's own WebFinger says that the inbox is on this host. */
  readonly isHostClaimed?: boolean;
};

/** A document, rendered once, and the inboxes that it goes to. */
export type Rendered = {
  readonly document: string;
  readonly deliveries: readonly Delivery[];
};

/** Something rendered, as it is put into the queue. */
export type Dispatch = Rendered & {
  readonly order: Order;
  /** The post that it publishes, if it does. */
  readonly postId?: PostId;
  /** It is sent although its sender is suspended: it says so, or takes something back. */
  readonly evenSuspended?: boolean;
};

/** What a protocol does with a thing to tell: render it for those of its people who must hear it. */
export type ProtocolSender = {
  render(
    outgoing: Outgoing,
    recipients: readonly Person[],
  ): Promise<readonly Rendered[]>;
  /** Does somebody besides its people hear of it? Then it is rendered for nobody, too. */
  isHeardByOthers?(outgoing: Outgoing): Promise<boolean>;
  /** Forgets what it kept of things that are gone, once that has been told. */
  forget?(kind: RetractedKind, guids: readonly string[]): Promise<void>;
};

/** Is the post's author a person here? Then we pass on what others say about it. */
export function isRootHere({ postAuthor }: Thread): boolean {
  return postAuthor.userId !== null;
}

/** Does it stand in a private conversation, in which everyone sends to all others what it says? */
export function isInConversation({ post }: Pick<Thread, "post">): boolean {
  return post.participants !== null;
}

/** The origin of the server that a remote person lives on; undefined for people here. */
export function serverOf({ addresses }: Person): string | undefined {
  const url = addresses.actorUri ?? addresses.seedLocation;
  return url === null ? undefined : new URL(url).origin;
}
