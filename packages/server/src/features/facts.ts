import type { Tx } from "../db/db.ts";
import type { Names } from "../db/together/names.ts";
import type { JobKind } from "../jobs/job.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { Timestamp } from "../lib/time/clock.ts";
import type {
  CalendarId,
  CalendarShareId,
  CommentId,
  EventId,
  LikeId,
  ParticipationId,
  PersonId,
  PhotoId,
  PollVoteId,
  PostId,
  UserId,
} from "./ids.ts";

/**
 * The facts that can happen. `by` is the person who acted; that person's facts keep their
 * order.
 */
export type Fact =
  | { type: "post.published"; postId: PostId; by: PersonId }
  | {
      type: "post.received";
      postId: PostId;
      by: PersonId;
      /** Those for whom it is new, unless it is for all. */
      to?: readonly PersonId[];
    }
  | {
      type: "post.changed";
      postId: PostId;
      by: PersonId;
      /** Those of its pictures that were added or described anew. */
      photoIds?: readonly PhotoId[];
    }
  | {
      type: "post.retracted";
      guid: string;
      by: PersonId;
      /** The content of its row, for open streams. */
      removed?: { postId: PostId; tags: readonly string[] };
    }
  /** `by` is the author of the poll, who did nothing now. */
  | { type: "poll.ended"; postId: PostId; by: PersonId }
  | {
      /** A local person pinned a post, or no longer pins it. */
      type: "pin.changed";
      postId: PostId;
      isPinned: boolean;
      /** When: distinguishes one change from the next. */
      at: Timestamp;
      by: PersonId;
    }
  | { type: "comment.created"; commentId: CommentId; by: PersonId }
  | { type: "comment.changed"; commentId: CommentId; by: PersonId }
  | (RetractedBelow & { type: "comment.retracted" })
  | { type: "like.created"; likeId: LikeId; by: PersonId }
  | (RetractedBelow & { type: "like.retracted" })
  | { type: "event.changed"; eventId: EventId; by: PersonId }
  /** The next event of a series is another one now. */
  | { type: "event.advanced"; eventId: EventId; by: PersonId }
  | {
      type: "event.retracted";
      guid: string;
      by: PersonId;
      /** The guests here who would have come and see it, if it was not over. */
      guests?: readonly PersonId[];
      /** Where there are guests. */
      summary?: string;
    }
  | {
      /** A person answered whether they will attend. */
      type: "participation.changed";
      participationId: ParticipationId;
      by: PersonId;
    }
  | {
      /** The host of an event confirmed or refused a guest. */
      type: "participation.replied";
      participationId: ParticipationId;
      by: PersonId;
    }
  /** A user shared a calendar with others of this server. */
  | {
      type: "calendar.shared";
      calendarId: CalendarId;
      shareId: CalendarShareId;
      by: PersonId;
    }
  /** Some of the readers of a calendar may see it no more. */
  | { type: "calendar.unshared"; guid: string; by: PersonId }
  | { type: "poll.voted"; voteId: PollVoteId; by: PersonId }
  | (RetractedBelow & { type: "vote.retracted" })
  | { type: "photo.retracted"; guid: string; by: PersonId }
  | {
      /** A local post was granted, or lost, the right to show the post it quotes. */
      type: "quote.changed";
      postId: PostId;
      by: PersonId;
    }
  | {
      /** A local author revoked the quote of a post by another one. */
      type: "quote.revoked";
      /** The quoting post. */
      postId: PostId;
      quotedGuid: string;
      by: PersonId;
    }
  | {
      /** A user added the person to a first aspect, or removed it from the last one. */
      type: "contact.changed";
      userId: UserId;
      personId: PersonId;
      following: boolean;
      requestGuid: string;
      by: PersonId;
    }
  | {
      /** A person began to share with a local user. */
      type: "sharing.started";
      userId: UserId;
      by: PersonId;
    }
  | {
      /** A person asked to follow a local user who approves followers. */
      type: "follow.requested";
      userId: UserId;
      by: PersonId;
    }
  | {
      /** A local user accepted or refused the follow of a remote person. */
      type: "follow.answered";
      personId: PersonId;
      isAccepted: boolean;
      /** The id of the message that asked, if it had one. */
      uri: string | null;
      by: PersonId;
    }
  | {
      /** The person refused the user's follow request, or ended an accepted follow. */
      type: "follow.refused";
      userId: UserId;
      /** The Guid of the refused request; the user is notified once per request. */
      requestGuid: string;
      by: PersonId;
    }
  | {
      /** A contact of a local user moved to another account. */
      type: "contact.moved";
      userId: UserId;
      to: PersonId;
      by: PersonId;
    }
  | { type: "profile.changed"; by: PersonId }
  | {
      type: "person.blocked" | "person.unblocked";
      personId: PersonId;
      /** When the block began: distinguishes one block from the next. */
      since: Timestamp;
      by: PersonId;
    };

/** The post's author may retract other people's comments, likes and votes on it. */
type RetractedBelow = { guid: string; authorId: PersonId; by: PersonId };

type FactType = Fact["type"];

/** Maps each fact to the jobs that follow it. The table is in `compose/features.ts`. */
export type Effects = Readonly<Record<FactType, readonly JobKind<Fact>[]>>;

/** Records what a use case did, in the use case's own transaction. */
export type Facts = {
  record(tx: Tx, fact: Fact): Promise<void>;
  /** Announces a fact without effects to open streams alone: it costs no job. */
  note(tx: Tx, fact: Fact): Promise<void>;
  /**
   * Wakes deferred messages that arrived before the remote object they refer to, which is
   * now stored. The caller holds the locks on its names (`lockNames`). Local content needs
   * no such call: no other server learns of it before the commit, so no message can wait
   * for it.
   */
  noteArrival(tx: Tx, names: Names): Promise<void>;
};

/** Returns the lane in which one person's jobs of one kind run in order. */
export function laneOfActs(
  { name }: Pick<JobKind<Fact>, "name">,
  by: PersonId,
): string {
  return `${name}:${by}`;
}

/** @param note is told each fact, in the transaction that records it */
export function createFacts(
  jobs: Jobs,
  effects: Effects,
  note: (tx: Tx, fact: Fact) => Promise<void> = async () => {},
): Facts {
  return {
    record: async (tx, fact) => {
      await note(tx, fact);
      await jobs.enqueueEach(tx, effects[fact.type], fact, (kind) =>
        laneOfActs(kind, fact.by),
      );
    },
    note,
    noteArrival: (tx, names) => jobs.wake(tx, names),
  };
}
