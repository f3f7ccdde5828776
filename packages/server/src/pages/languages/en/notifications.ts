import type { ParticipationStatus } from "../../../features/participations/index.ts";
import type {
  NotificationChoices,
  NotificationKind,
  NotificationReason,
} from "../../../features/notifications/index.ts";

/** The reasons of notifications, for likes their sign and target, what guests answer, and what is the reader's own. */
export type NoticeKind =
  | Exclude<NotificationReason, "like">
  | `${"like" | "dislike"}_${"comment" | "post"}`
  | `event_answer_${ParticipationStatus | "pending"}`
  | "own_event_reminder"
  | "own_poll_ended";

/** The words after the names of one person, or of several. */
export const say = (one: string, many: string) => (people: number) =>
  people === 1 ? one : many;

/** The English texts of the page of notifications. */
export const englishNotifications = {
  title: "Notifications",
  filter: "Which notifications are shown",
  tabs: {
    all: "All",
    unread: "Unread",
    talk: "Conversations",
    liked: "Likes and reshares",
    people: "People",
    events: "Events",
  },
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
    calendar_shared: say(
      "shares a calendar with you",
      "share a calendar with you",
    ),
    comment: say("commented", "commented"),
    contact: say("follows you", "follow you"),
    contact_moved: say(
      "is the new account of somebody you follow",
      "are the new accounts of people you follow",
    ),
    dislike_comment: say("dislikes your comment", "dislike your comment"),
    dislike_post: say("dislikes your post", "dislike your post"),
    draft_failed: say(
      "Your scheduled post could not be published",
      "Your scheduled post could not be published",
    ),
    event_answer: say("answered your invitation", "answered your invitation"),
    event_answer_accepted: say(
      "is coming to your event",
      "are coming to your event",
    ),
    event_answer_declined: say(
      "cannot come to your event",
      "cannot come to your event",
    ),
    event_answer_pending: say(
      "asks to come to your event",
      "ask to come to your event",
    ),
    event_answer_tentative: say(
      "may come to your event",
      "may come to your event",
    ),
    event_cancelled: say(
      "cancelled an event that you had replied to",
      "cancelled an event that you had replied to",
    ),
    event_changed: say("changed an event", "changed an event"),
    event_invitation: say("invites you to an event", "invite you to an event"),
    event_reminder: say(
      "has an event that begins soon",
      "have events that begin soon",
    ),
    event_reply: say(
      "replied to your wish to come to an event",
      "replied to your wish to come to an event",
    ),
    follow_refused: say(
      "declined your request to follow",
      "declined your request to follow",
    ),
    follow_request: say("asks to follow you", "ask to follow you"),
    like_comment: say("likes your comment", "like your comment"),
    like_post: say("likes your post", "like your post"),
    mention: say("mentioned you", "mentioned you"),
    message: say("wrote to you", "wrote to you"),
    /** A whole sentence: it is shown to the person whom it concerns. */
    moderation: say(
      "The moderators made a decision about you",
      "The moderators made a decision about you",
    ),
    own_event_reminder: say("Your event begins soon", "Your event begins soon"),
    own_poll_ended: say("Your poll has ended", "Your poll has ended"),
    poll_ended: say("has a poll that ended", "have polls that ended"),
    post: say("wrote something new", "wrote something new"),
    post_changed: say(
      "changed a post that you reshared",
      "changed posts that you reshared",
    ),
    quote: say("quoted your post", "quoted your post"),
    quoted_changed: say(
      "changed a post that you quoted",
      "changed posts that you quoted",
    ),
    reshare: say("reshared your post", "reshared your post"),
  } satisfies Record<NoticeKind, (people: number) => string>,
  choices: {
    title: "What you are notified of",
    link: "Notifications",
    kinds: {
      comment: "Comments on your posts, and replies to your comments",
      mention: "Mentions of you, and quotes of your posts",
      message: "Private messages",
      like: "Likes",
      reshare: "Reshares",
      follower: "New followers",
      follow_request: "Requests to follow you",
      event:
        "Invitations, changed and cancelled events, answers, and shared calendars",
      poll: "The end of polls that you wrote or voted in",
      edit: "Changes of posts that you reshared or quoted",
    } satisfies Record<NotificationKind, string>,
    senders: {
      everyone: "By everyone",
      following: "By people you follow",
      nobody: "Never",
    } satisfies Record<
      NotificationChoices["senders"][NotificationKind],
      string
    >,
    dropped: "Never tell me about these people",
    people: {
      not_following: "People you do not follow",
      not_followers: "People who do not follow you",
      new_people: "People known here for less than 30 days",
      private_messages: "Strangers who write private messages to you",
    } satisfies Record<NotificationChoices["dropped"][number], string>,
    droppedHint:
      "The last two do not apply to people you follow. Your choices hold for what happens from now on.",
    save: "Save",
    saved: "Your choices are saved.",
  },
};
