import type { ColumnType, Generated } from "kysely";
import type {
  AspectId,
  CalendarId,
  CalendarShareId,
  EventId,
  EventReminderId,
  ParticipationId,
  PersonId,
  SubscriptionId,
  UserId,
} from "./ids.ts";
import type { OptionalJson } from "./columns/json-columns.ts";
import type { JsonText } from "./columns/json-text.ts";

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
  /** Its part of the address in CalDAV: unique among the calendars of its owner. */
  path_name: string;
  /** Of its objects and properties, so far: the token of the last one. */
  changes: Generated<number>;
  /** Removals up to this one are forgotten. */
  forgotten_changes: Generated<number>;
  /** As calendar programs write them. */
  properties: OptionalJson<Readonly<Record<string, string>>>;
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
  /** Does the organizer confirm each guest? */
  needs_approval: ColumnType<boolean | number, boolean | undefined, boolean>;
  categories: OptionalJson<readonly string[]>;
  /** null: it takes place once. */
  recurrence: OptionalJson<StoredRecurrence>;
  /** Of a series that goes on: when its event that other servers see is over. */
  shown_until: OptionalText;
  sequence: number;
  created_at: Time;
  updated_at: Time;
};

/** Times are instants, or `YYYY-MM-DD` for an event that lasts all day. */
type StoredRecurrence = {
  /** The value of an `RRULE`. */
  readonly rule: string | null;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly {
    readonly at: string;
    readonly start: string;
    readonly end: string | null;
    readonly allDay: boolean;
    readonly summary: string;
    readonly description: string;
    readonly location: string;
    readonly isCancelled: boolean;
  }[];
};

/** Times are instants, or `YYYY-MM-DD` for an event that lasts all day. */
type StoredDetails = {
  readonly allDay: boolean;
  readonly start: string;
  readonly end: string | null;
  readonly summary: string;
  readonly description: string;
  readonly location: string;
  readonly timeZone: string;
  readonly status: "cancelled" | "confirmed" | "postponed" | "tentative";
};

/** An event as calendar programs name, change and write it. */
export type CalendarObjectsTable = {
  event_id: EventId;
  /** null: the event was taken out of its calendar. */
  calendar_id: CalendarId | null;
  name: string;
  /** The change of the calendar that was its last one. */
  change: number;
  /** The text of a program, with later changes; null before any wrote one. */
  ical: OptionalText;
};

/** An object that a calendar has no more. */
export type RemovedObjectsTable = {
  /** It was for chosen people: other readers of its calendar do not learn its name. */
  is_limited: ColumnType<boolean | number, boolean, boolean>;
  calendar_id: CalendarId;
  name: string;
  change: number;
  removed_at: Time;
};

/** An event before a change. */
export type EventVersionsTable = {
  id: Generated<number>;
  event_id: EventId;
  details: JsonText<StoredDetails>;
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
  /** The host's reply; null if it need not confirm, or has not replied yet. */
  reply: "confirmed" | "ignored" | "pending" | "refused" | null;
  /** When its author said so, by the author's own clock. */
  stated_at: Time | null;
  created_at: Time;
  updated_at: Time;
};

/** With one person of this server, or with those of an aspect. */
type CalendarSharesTable = {
  id: Generated<CalendarShareId>;
  calendar_id: CalendarId;
  person_id: PersonId | null;
  aspect_id: AspectId | null;
  may_write: Flag;
  created_at: string;
};

/** The look that a user gives to the calendar of another one, or that it has left it. */
type CalendarReadersTable = {
  calendar_id: CalendarId;
  user_id: UserId;
  /** No share with an aspect shows it again. */
  has_left: Flag;
  /** As the user's calendar programs write them. */
  properties: OptionalJson<Readonly<Record<string, string>>>;
};

/** The reminders that a user chose for one event. */
type EventRemindersTable = {
  id: Generated<EventReminderId>;
  user_id: UserId;
  event_id: EventId;
  /** Minutes before it begins; none for no reminder. */
  leads: JsonText<readonly number[]>;
  created_at: Time;
};

/** The events of which users may have to be reminded. */
type DueRemindersTable = {
  event_id: EventId;
  user_id: UserId;
  /** When the job has to look at it next. */
  look_at: Time;
  /** Reminders of this moment and before were told, or are not. */
  reminded_until: Time;
};

/** A calendar elsewhere that a user reads here. */
type SubscribedCalendarsTable = {
  id: Generated<SubscriptionId>;
  /** Random: part of its address in CalDAV. */
  guid: string;
  user_id: UserId;
  url: string;
  /** The user's own name for it; null for the one that it gives itself. */
  name: OptionalText;
  given_name: string;
  /** As the user's calendar programs write them. */
  properties: OptionalJson<Readonly<Record<string, string>>>;
  /** Of its objects and properties, so far. */
  changes: Generated<number>;
  /** Removals up to this change are forgotten: programs read all of it again. */
  forgotten_changes: Generated<number>;
  etag: OptionalText;
  last_modified: OptionalText;
  /** Of the text that was read last. */
  digest: OptionalText;
  /** The user's zone when it was read, for floating times, and the version of zone data. */
  understanding: string;
  /** When it was last read, or found unchanged. */
  read_at: OptionalText;
  tried_at: Time;
  /** When to read it next. */
  due_at: Time;
  /** In a row. */
  failures: Generated<number>;
  /** How often its own server wants it to be read; null if it does not say. */
  refresh_ms: ColumnType<
    number | null,
    number | null | undefined,
    number | null
  >;
  /** Why the last try failed. */
  fault: ColumnType<
    SubscriptionFault | null,
    SubscriptionFault | null | undefined,
    SubscriptionFault | null
  >;
  created_at: Time;
  updated_at: Time;
};

export type SubscriptionFault =
  | "forbidden"
  | "gone"
  | "no_calendar"
  | "too_large"
  | "unreachable"
  | "blocked";

/** An event of a subscribed calendar, or a series with its exceptions. */
type SubscribedObjectsTable = {
  subscription_id: SubscriptionId;
  name: string;
  uid: string;
  change: number;
  /** Of its text without the time at which that was written. */
  digest: string;
  ical: string;
  details: JsonText<
    StoredDetails & {
      readonly recurrence: StoredRecurrence | null;
    }
  >;
  start_at: Time;
  until_at: Time;
};

/** The version of the data of time zones that is used here, and since when: one row. */
type ZoneDataTable = { version: string; since: Time };

/** The offsets of a zone as the times of coming events were computed with them. */
type KnownZonesTable = {
  name: string;
  periods: JsonText<{
    readonly from: string;
    readonly until: string;
    readonly offsets: readonly (readonly [from: string, offset: number])[];
  }>;
};

/** Tables of calendars and events that users have for themselves, or share. */
export type OwnCalendarTables = {
  calendar_shares: CalendarSharesTable;
  calendar_readers: CalendarReadersTable;
  event_reminders: EventRemindersTable;
  due_reminders: DueRemindersTable;
  subscribed_calendars: SubscribedCalendarsTable;
  subscribed_objects: SubscribedObjectsTable;
  zone_data: ZoneDataTable;
  known_zones: KnownZonesTable;
};
