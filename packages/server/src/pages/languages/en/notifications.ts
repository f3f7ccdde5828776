/** What a notification tells of the people whose names precede the words. */
export type NoticeKind =
  | "comment"
  | "contact"
  | "contact_moved"
  | "dislike_comment"
  | "dislike_post"
  | "event_answer"
  | "event_changed"
  | "event_invitation"
  | "follow_refused"
  | "like_comment"
  | "like_post"
  | "mention"
  | "message"
  | "reshare";

/** The words after the names of one person, or of several. */
export const say = (one: string, many: string) => (people: number) =>
  people === 1 ? one : many;

/** The English texts of the page of notifications. */
export const englishNotifications = {
  title: "Notifications",
  filter: "Which notifications are shown",
  all: "All",
  unread: "Unread",
  isNew: "New",
  none: "Nothing here yet. Comments, likes, reshares and mentions, and people who follow you, will appear here.",
  noneUnread: "You have read them all.",
  read: "Mark as read",
  readAll: "Mark all as read",
  newer: "Newer notifications",
  older: "Older notifications",
  show: "Show",
  and: "and",
  others: (n: number) => (n === 1 ? "1 other person" : `${n} other people`),
  said: {
    comment: say("commented", "commented"),
    contact: say("follows you", "follow you"),
    contact_moved: say(
      "is the new account of somebody you follow",
      "are the new accounts of people you follow",
    ),
    dislike_comment: say("dislikes your comment", "dislike your comment"),
    dislike_post: say("dislikes your post", "dislike your post"),
    event_answer: say("answered your invitation", "answered your invitation"),
    event_changed: say("changed an event", "changed an event"),
    event_invitation: say("invites you to an event", "invite you to an event"),
    follow_refused: say(
      "declined your request to follow",
      "declined your request to follow",
    ),
    like_comment: say("likes your comment", "like your comment"),
    like_post: say("likes your post", "like your post"),
    mention: say("mentioned you", "mentioned you"),
    message: say("wrote to you", "wrote to you"),
    reshare: say("reshared your post", "reshared your post"),
  } satisfies Record<NoticeKind, (people: number) => string>,
};
