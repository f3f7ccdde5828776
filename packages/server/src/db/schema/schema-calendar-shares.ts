import type { ColumnType, Generated } from "kysely";
import type {
  AspectId,
  CalendarId,
  CalendarShareId,
  PersonId,
  UserId,
} from "./ids.ts";
import type { OptionalJson } from "./columns/json-columns.ts";

type Flag = ColumnType<boolean | number, boolean, boolean>;

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

export type CalendarSharingTables = {
  calendar_shares: CalendarSharesTable;
  calendar_readers: CalendarReadersTable;
};
