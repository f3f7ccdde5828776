/**
 * The names in some columns since the first release, by the names that features use. A new
 * name would rewrite every row of large tables, and is worth less than that.
 */
export const STORED_POST_TYPES = {
  post: "StatusMessage",
  reshare: "Reshare",
} as const;

/** The kinds of retracted things. */
export const STORED_RETRACTED_KINDS = {
  Post: "Post",
  Photo: "Photo",
  Comment: "Comment",
  Like: "Like",
  Vote: "PollParticipation",
  Attendance: "EventParticipation",
} as const;

/** Of the key of the server as such, which is sealed with this name. */
export const SERVER_KEY_NAME = "activitypub";

/** Of the key that signs pushes. */
export const PUSH_KEY_NAME = "push";

/** The name that the features use for a stored one. @throws where nothing is stored like that */
export function readStoredName<Name extends string>(
  stored: Readonly<Record<Name, string>>,
  value: string,
): Name {
  for (const name in stored) if (stored[name] === value) return name;
  throw new Error(`The database holds a name that nobody knows: ${value}`);
}

/** The people who may quote a post: everyone, the followers of its author, or its author alone. */
export type QuotablePeople = "everyone" | "followers" | "nobody";

/**
 * Whose replies a list shows, by the people to whom its members reply: followed people, the
 * other members, or nobody.
 */
export type RepliesPolicy = "followed" | "list" | "none";
