import type { Tx } from "../db/db.ts";
import type { Names } from "../db/lock-names.ts";
import type { JobKind } from "../jobs/job.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { Timestamp } from "../lib/time/clock.ts";
import type {
  CommentId,
  EventId,
  LikeId,
  ParticipationId,
  PersonId,
  PollVoteId,
  PostId,
  UserId,
} from "./ids.ts";

/** What can happen. `by` is the person who did it; its facts keep their order. */
export type Fact =
  | { type: "post.published"; postId: PostId; by: PersonId }
  | { type: "post.received"; postId: PostId; by: PersonId }
  | { type: "post.retracted"; guid: string; by: PersonId }
  | { type: "comment.created"; commentId: CommentId; by: PersonId }
  | { type: "comment.changed"; commentId: CommentId; by: PersonId }
  | (RetractedBelow & { type: "comment.retracted" })
  | { type: "like.created"; likeId: LikeId; by: PersonId }
  | (RetractedBelow & { type: "like.retracted" })
  | { type: "event.changed"; eventId: EventId; by: PersonId }
  | { type: "event.retracted"; guid: string; by: PersonId }
  | {
      /** Somebody answered whether they come. */
      type: "participation.changed";
      participationId: ParticipationId;
      by: PersonId;
    }
  | { type: "poll.voted"; voteId: PollVoteId; by: PersonId }
  | (RetractedBelow & { type: "vote.retracted" })
  | { type: "photo.retracted"; guid: string; by: PersonId }
  | {
      /** A post from here may show what it quotes, or may not any more. */
      type: "quote.changed";
      postId: PostId;
      by: PersonId;
    }
  | {
      /** A user put the person into its first aspect, or took it out of the last one. */
      type: "contact.changed";
      userId: UserId;
      personId: PersonId;
      following: boolean;
      requestGuid: string;
      by: PersonId;
    }
  | {
      /** Somebody began to share with a user here. */
      type: "sharing.started";
      userId: UserId;
      by: PersonId;
    }
  | {
      /** The person whom a user wanted to follow, or followed, does not agree to it. */
      type: "follow.refused";
      userId: UserId;
      /** Of each request it is told once. */
      requestGuid: string;
      by: PersonId;
    }
  | {
      /** A contact of a user here goes on as somebody else. */
      type: "contact.moved";
      userId: UserId;
      to: PersonId;
      by: PersonId;
    }
  | { type: "profile.changed"; by: PersonId }
  | {
      type: "person.blocked" | "person.unblocked";
      personId: PersonId;
      /** When the block began: it tells one block from the next. */
      since: Timestamp;
      by: PersonId;
    };

/** The author of the post may retract what others said below it. */
type RetractedBelow = { guid: string; authorId: PersonId; by: PersonId };

type FactType = Fact["type"];

/** Which jobs follow which fact. The table stands in `compose/features.ts`. */
export type Effects = Readonly<Record<FactType, readonly JobKind<Fact>[]>>;

/** Records what a use case did, in the use case's own transaction. */
export type Facts = {
  record(tx: Tx, fact: Fact): Promise<void>;
  /**
   * Something from elsewhere is stored: messages about it that overtook it are
   * looked at again. The caller holds its names (`lockNames`). Of what is written
   * here nobody elsewhere hears before it is committed, so nothing waits for that.
   */
  noteArrival(tx: Tx, names: Names): Promise<void>;
};

/** Where the jobs of one kind about what somebody did run one after the other. */
export function laneOfActs(
  { name }: Pick<JobKind<Fact>, "name">,
  by: PersonId,
): string {
  return `${name}:${by}`;
}

export function createFacts(jobs: Jobs, effects: Effects): Facts {
  return {
    record: async (tx, fact) => {
      await jobs.enqueueEach(tx, effects[fact.type], fact, (kind) =>
        laneOfActs(kind, fact.by),
      );
    },
    noteArrival: (tx, names) => jobs.wake(tx, names),
  };
}
