/** After how many days something may be removed; null for never. */
export type StorageRules = {
  /** Notifications, read or not. */
  readonly notificationDays: number | null;
  /** Posts of people whom nobody here follows, and people to whom nothing here refers. */
  readonly remotePostDays: number | null;
  /** Posts of people whom somebody here follows, or with a followed tag. */
  readonly followedPostDays: number | null;
};

/** A part of what the rules name. */
export type RuleName =
  "notifications" | "followed-posts" | "other-posts" | "people";

export type StorageRule = {
  readonly name: RuleName;
  /** The setting with its days. */
  readonly setting:
    | "KITH_NOTIFICATION_DAYS"
    | "KITH_FOLLOWED_POST_DAYS"
    | "KITH_REMOTE_POST_DAYS";
  readonly days: number | null;
};

/** The rules in the order in which they are applied: posts remain while notifications of them do, and people while their posts do. */
export function listRules(rules: StorageRules): readonly StorageRule[] {
  const { notificationDays, remotePostDays, followedPostDays } = rules;
  return [
    {
      name: "notifications",
      setting: "KITH_NOTIFICATION_DAYS",
      days: notificationDays,
    },
    {
      name: "other-posts",
      setting: "KITH_REMOTE_POST_DAYS",
      days: remotePostDays,
    },
    {
      name: "followed-posts",
      setting: "KITH_FOLLOWED_POST_DAYS",
      days: followedPostDays,
    },
    { name: "people", setting: "KITH_REMOTE_POST_DAYS", days: remotePostDays },
  ];
}

/** The things that a rule has removed, or would remove. */
export type Freed = {
  readonly notifications: number;
  readonly posts: number;
  /** Below those posts. */
  readonly comments: number;
  /** Likes and other reactions to them. */
  readonly reactions: number;
  readonly people: number;
  /** In the database, about: texts, and a usual size of the rest of each row. */
  readonly bytes: number;
};

export const NOTHING_FREED: Freed = {
  notifications: 0,
  posts: 0,
  comments: 0,
  reactions: 0,
  people: 0,
  bytes: 0,
};

export function addFreed(one: Freed, other: Freed): Freed {
  return {
    notifications: one.notifications + other.notifications,
    posts: one.posts + other.posts,
    comments: one.comments + other.comments,
    reactions: one.reactions + other.reactions,
    people: one.people + other.people,
    bytes: one.bytes + other.bytes,
  };
}
