import type { ColumnType, Generated } from "kysely";

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
  id: Generated<number>;
  user_id: number;
  name: string;
  is_default: Flag;
  created_at: Time;
  updated_at: Time;
};

export type EventsTable = {
  id: number;
  guid: string;
  uid: string;
  person_id: number;
  calendar_id: number | null;
  aspect_id: number | null;
  audience: string;
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
  status: Generated<string>;
  capacity: ColumnType<number | null, number | null | undefined, number | null>;
  /** JSON. */
  categories: OptionalText;
  sequence: number;
  created_at: Time;
  updated_at: Time;
};

export type EventRecipientsTable = { event_id: number; person_id: number };

export type ParticipationsTable = {
  id: Generated<number>;
  guid: string;
  event_id: number;
  person_id: number;
  status: string;
  /** Of the activity from elsewhere that says so. */
  uri: string | null;
  /** What the host said to it, where hosts are asked. */
  reply: string | null;
  /** When its author said so, by the author's own clock. */
  stated_at: Time | null;
  created_at: Time;
  updated_at: Time;
};
