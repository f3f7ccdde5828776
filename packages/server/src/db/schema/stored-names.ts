/**
 * What some columns have called things since the first release, by what the features call
 * them. A new name would rewrite every row of large tables, and is worth less than that.
 */
export const STORED_POST_TYPES = {
  post: "StatusMessage",
  reshare: "Reshare",
} as const;

/** Of what is gone. */
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

/** The name that the features use for a stored one. @throws where nothing is stored like that */
export function readStoredName<Name extends string>(
  stored: Readonly<Record<Name, string>>,
  value: string,
): Name {
  for (const name in stored) if (stored[name] === value) return name;
  throw new Error(`The database holds a name that nobody knows: ${value}`);
}
