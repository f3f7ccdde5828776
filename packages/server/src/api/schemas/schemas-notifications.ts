import type { TSchema } from "typebox";
import { NOTIFYING_PEOPLE } from "../../features/notifications/index.ts";
import { Type } from "../../lib/json-schema.ts";
import { FILTERED } from "./schemas-filters.ts";
import {
  boolean,
  count,
  dated,
  exactly,
  guid,
  id,
  name,
  orNull,
  ref,
  time,
} from "./schema-parts.ts";

/** The subject of a notification. */
const TARGET_TYPE = Type.String({
  enum: [
    ...["Post", "Comment", "Like", "Event", "Contact"],
    ...["Request", "Refusal", "Move", "Calendar", "Strike"],
    ...["Cancellation", "Draft"],
  ],
  description:
    "Post: also the one that begins a private conversation, which has unread messages, the newest by the person. Contact: the person shares with the user. Request: the person asks to follow the user, and waits for an answer. Refusal: the person refused to be followed, and the Guid is that of the Follow. Move: a contact goes on as the person, and the Guid is that of the person before. Calendar: the person shares it with the user. Cancellation: the person deleted an event to which the user had said yes or maybe, and the Guid is that of the event. Draft: a scheduled post could not be published (FailedReason of the draft), and the Guid ends with its ID; the person is the user. Strike: a decision of the moderators about the user, or their answer to an appeal; the person is the user",
});

const SENDERS = Type.String({ enum: [...NOTIFYING_PEOPLE] });

/** The records of what others did. */
export const NOTIFICATION_RECORDS: Readonly<Record<string, TSchema>> = {
  Notification: exactly({
    ...dated,
    UserID: id,
    PersonID: id,
    Unread: boolean,
    ShareableType: TARGET_TYPE,
    ShareableGuid: guid,
    TargetType: TARGET_TYPE,
    TargetGuid: guid,
    Person: orNull(ref("Person")),
    Filtered: FILTERED,
  }),
  /** Notifications of one kind about one thing on one day (UTC), or a single one. */
  NotificationGroup: exactly({
    Key: name,
    Count: count,
    Unread: count,
    /** Of the newest notification. */
    NewestID: id,
    OldestID: id,
    /** When the newest notification was made. */
    CreatedAt: time,
    /** The post or comment that was liked or reshared; that of the notification elsewhere. */
    ShareableType: TARGET_TYPE,
    ShareableGuid: guid,
    /** The latest, newest first. */
    People: Type.Array(ref("Person"), { maxItems: 8 }),
    /** Of the newest notification. */
    Filtered: FILTERED,
  }),
  /** The numbers of what is unread, of the newest 200 notifications that are. */
  UnreadNotifications: exactly({ Notifications: count, Groups: count }),
  /** The people whose acts of each kind notify the user, and those whose acts never do. */
  NotificationChoices: exactly({
    Comment: SENDERS,
    Mention: SENDERS,
    Message: SENDERS,
    Like: SENDERS,
    Reshare: SENDERS,
    Follower: SENDERS,
    FollowRequest: SENDERS,
    Event: SENDERS,
    Poll: SENDERS,
    Edit: SENDERS,
    DropNotFollowing: boolean,
    DropNotFollowers: boolean,
    DropNewPeople: boolean,
    DropPrivateMessages: boolean,
  }),
};
