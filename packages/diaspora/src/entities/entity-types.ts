import type {
  AccountDeletion,
  AccountMigration,
  Contact,
  Conversation,
  Message,
  Participation,
  Profile,
  Retraction,
} from "./person-types.ts";
import type {
  CalendarEvent,
  Embed,
  Location,
  Photo,
  Poll,
  PollAnswer,
  Reshare,
  StatusMessage,
} from "./post-types.ts";
import type {
  Comment,
  EventParticipation,
  Like,
  PollParticipation,
} from "./relayable-types.ts";

/**
 * The entities, as plain values. Common to all: timestamps are `YYYY-MM-DDTHH:MM:SSZ`, lengths count code points, values
 * missing on the wire (or empty, or unreadable) are missing here, and defaults are filled in by `parseEntity`. A missing
 * `createdAt` means the time of receipt.
 * @see diaspora* federation protocol, Entities
 */
export type Entity =
  | AccountDeletion
  | AccountMigration
  | CalendarEvent
  | Comment
  | Contact
  | Conversation
  | Embed
  | EventParticipation
  | Like
  | Location
  | Message
  | Participation
  | Photo
  | Poll
  | PollAnswer
  | PollParticipation
  | Profile
  | Reshare
  | Retraction
  | StatusMessage;

/** The value of `type`, which is also the element's name on the wire. */
export type EntityType = Entity["type"];
