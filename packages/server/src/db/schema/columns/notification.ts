/** Why a user is notified. */
export type NotificationReason =
  | "calendar_shared"
  | "comment"
  | "contact"
  | "contact_moved"
  | "draft_failed"
  | "event_answer"
  | "event_cancelled"
  | "event_changed"
  | "event_invitation"
  | "event_reminder"
  | "event_reply"
  | "follow_refused"
  | "follow_request"
  | "like"
  | "mention"
  | "message"
  | "moderation"
  | "poll_ended"
  | "post"
  | "post_changed"
  | "quote"
  | "quoted_changed"
  | "reshare";

/**
 * The kind of thing that a notification is about. `Contact` is named by the Guid of the
 * person who shares, `Request` by that of the person who asks to follow, `Refusal` by that of
 * the refused Follow, and `Move` by that of the old person (the notification is by the new
 * one). `Cancellation` is named by the Guid of the event, which is gone. `Draft` is a post that could not be published at
 * its time, named by its id. `Conversation` has unread messages. `Calendar` is shared by the person. `Strike` is a
 * decision of the moderators about the user, or about the user's appeal.
 */
export type ShareableType =
  | "Post"
  | "Comment"
  | "Like"
  | "Event"
  | "Calendar"
  | "Cancellation"
  | "Contact"
  | "Conversation"
  | "Draft"
  | "Refusal"
  | "Request"
  | "Move"
  | "Strike";
