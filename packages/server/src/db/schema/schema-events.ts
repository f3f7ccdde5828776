import type { ColumnType, Generated } from "kysely";
import type {
  AspectId,
  CalendarId,
  EventId,
  ParticipationId,
  PersonId,
  UserId,
} from "./ids.ts";
import type { OptionalJson } from "./json-columns.ts";
import type { JsonText } from "./json-text.ts";

/** RFC 3339 in UTC with milliseconds. */
type Time = string;
/** A boolean: `boolean` on PostgreSQL, 0 or 1 on SQLite. */
type Flag = ColumnType<boolean | number, boolean, boolean>;

type OptionalText = ColumnType<
  string | null,
  string | null | undefined,
  string | null
>;

export type CalendarsTable = {
  id: Generated<CalendarId>;
  /** Random: part of the addresses of its feeds. */
  guid: string;
  user_id: UserId;
  name: string;
  is_default: Flag;
  /** From which its secret address is derived; null if it has none. */
  address_salt: OptionalText;
  address_since: OptionalText;
  created_at: Time;
  updated_at: Time;
};

export type EventsTable = {
  id: EventId;
  guid: string;
  uid: string;
  person_id: PersonId;
  calendar_id: CalendarId | null;
  aspect_id: AspectId | null;
  audience: "everyone" | "limited" | "owner";
  public: Flag;
  summary: string;
  description: string;
  location: string;
  /** Of an event that lasts all day: midnight in UTC. */
  start_at: Time;
  end_at: Time | null;
  /** The first instant at which it is over, whether it has an end or not. */
  until_at: Time;
  all_day: Flag;
  time_zone: string;
  status: Generated<"cancelled" | "confirmed" | "postponed" | "tentative">;
  capacity: ColumnType<number | null, number | null | undefined, number | null>;
  categories: OptionalJson<readonly string[]>;
  sequence: number;
  created_at: Time;
  updated_at: Time;
};

/** An event before a change. */
export type EventVersionsTable = {
  id: Generated<number>;
  event_id: EventId;
  details: JsonText<{
    readonly allDay: boolean;
    readonly start: string;
    readonly end: string | null;
    readonly summary: string;
    readonly description: string;
    readonly location: string;
    readonly timeZone: string;
    readonly status: "cancelled" | "confirmed" | "postponed" | "tentative";
  }>;
  written_at: Time;
};

export type EventRecipientsTable = { event_id: EventId; person_id: PersonId };

export type ParticipationsTable = {
  id: Generated<ParticipationId>;
  guid: string;
  event_id: EventId;
  person_id: PersonId;
  status: "accepted" | "declined" | "tentative";
  /** Of the activity from elsewhere that says so. */
  uri: string | null;
  /** The event server's own answer, if it must confirm. */
  reply: "confirmed" | "ignored" | "refused" | null;
  /** When its author said so, by the author's own clock. */
  stated_at: Time | null;
  created_at: Time;
  updated_at: Time;
};
