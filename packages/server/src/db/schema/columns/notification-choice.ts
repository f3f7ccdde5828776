/** The reasons of notifications, as users choose about them. */
export type NotificationKind =
  | "comment"
  | "mention"
  | "message"
  | "like"
  | "reshare"
  | "follower"
  | "follow_request"
  | "event"
  | "poll"
  | "edit";

/** The people whose acts notify a user. */
export type NotifyingPeople = "everyone" | "following" | "nobody";

/**
 * People whose acts of any kind notify nobody who chose so. `private_messages`: people whom
 * the user does not follow, in conversations in which the user has written nothing.
 */
export type UnwantedPeople =
  "not_following" | "not_followers" | "new_people" | "private_messages";
