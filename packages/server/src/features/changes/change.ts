import type {
  AnnouncementId,
  CommentId,
  LikeId,
  NotificationId,
  PersonId,
  PostId,
  UserId,
} from "../ids.ts";

/**
 * A committed change, as processes tell each other: ids alone, because what it shows, and
 * to whom, is read at the moment of sending.
 */
export type Change =
  | {
      readonly kind: "post";
      readonly postId: PostId;
      /** Those for whom it is new, unless it is for all. */
      readonly to?: readonly PersonId[];
    }
  | { readonly kind: "edit"; readonly postId: PostId }
  | {
      readonly kind: "comment" | "comment edit";
      readonly commentId: CommentId;
    }
  | { readonly kind: "like"; readonly likeId: LikeId }
  | {
      /** A comment or like of this person was deleted. */
      readonly kind: "removal below";
      readonly postId: PostId;
      readonly by: PersonId;
    }
  | RemovedPost
  | ({ readonly kind: "announcement reaction" } & OfAnnouncement)
  | ({ readonly kind: AnnouncementNews } & Pick<
      OfAnnouncement,
      "announcementId"
    >)
  | {
      /** The user has made, changed or deleted a filter, or one has ended. */
      readonly kind: "filters";
      readonly userId: UserId;
    }
  | {
      readonly kind: "notification";
      readonly userId: UserId;
      readonly notificationId: NotificationId;
    };

const KINDS: ReadonlySet<unknown> = new Set<Change["kind"]>([
  "post",
  "edit",
  "comment",
  "comment edit",
  "like",
  "removal below",
  "removal",
  "filters",
  "notification",
  "announcement",
  "announcement reaction",
  "announcement removal",
]);

/** An announcement was published, or withdrawn. */
type AnnouncementNews = "announcement" | "announcement removal";

/** An emoji with which more or fewer users react to an announcement now. */
type OfAnnouncement = {
  readonly announcementId: AnnouncementId;
  readonly emoji: string;
};

/** Is it a change of a kind that this version knows? */
export function isChange(value: unknown): value is Change {
  return (
    typeof value === "object" &&
    value !== null &&
    "kind" in value &&
    KINDS.has(value.kind)
  );
}

/** A deleted post, with what decides who could see it: its rows are gone. */
export type RemovedPost = {
  readonly kind: "removal";
  readonly postId: PostId;
  readonly guid: string;
  readonly authors: readonly PersonId[];
  readonly tags: readonly string[];
  /** The local people who could see a limited post; null for a public one. */
  readonly to: readonly PersonId[] | null;
  /** Was it in public lists? */
  readonly isListed?: boolean;
};

/** The part of a change that a viewer gets. Contents are read with the calls for them. */
export type LiveEvent =
  | {
      /**
       * A new post in the viewer's home, or in an aspect whose posts are kept apart from it;
       * its edit, other counts below it, or its deletion.
       */
      readonly type: "post" | "post apart" | "edit" | "count" | "deletion";
      readonly postId: PostId;
      readonly guid: string;
      /** The edited comment, unless the post itself was edited. */
      readonly commentId?: CommentId;
    }
  | {
      /** A new message in a conversation. */
      readonly type: "message";
      readonly postId: PostId;
      readonly guid: string;
    }
  | {
      readonly type: "notification";
      readonly notificationId: NotificationId;
    }
  | ({ readonly type: "announcement reaction" } & OfAnnouncement)
  | ({ readonly type: AnnouncementNews } & Pick<
      OfAnnouncement,
      "announcementId"
    >)
  | { readonly type: "filters" }
  | {
      /** Changes may have been missed: all lists must be read again. */
      readonly type: "reset";
    };

/** Notices of PostgreSQL have at most 8,000 bytes. */
const MAX_TAG_BYTES = 2_000;
const PEOPLE_AT_ONCE = 200;

/** Divides the people of a limited post among as many changes as they need. */
export function splitRemoval(removed: RemovedPost): RemovedPost[] {
  const tags = withinBytes(removed.tags, MAX_TAG_BYTES);
  return removed.to === null
    ? [{ ...removed, tags }]
    : splitPeople(removed.to).map((to) => ({ ...removed, tags: [], to }));
}

/** Divides people among notices. */
export function splitPeople(people: readonly PersonId[]): PersonId[][] {
  const parts: PersonId[][] = [];
  for (let start = 0; start < people.length; start += PEOPLE_AT_ONCE)
    parts.push(people.slice(start, start + PEOPLE_AT_ONCE));
  return parts;
}

function withinBytes(texts: readonly string[], most: number): string[] {
  let left = most;
  return texts.filter((text) => {
    left -= Buffer.byteLength(JSON.stringify(text)) + 1;
    return left >= 0;
  });
}
