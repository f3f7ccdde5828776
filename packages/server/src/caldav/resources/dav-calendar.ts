import type {
  SharedCalendar,
  SyncedCalendar,
} from "../../features/calendars/index.ts";
import type { CalendarObject } from "../../features/events/index.ts";

/** One's own calendar, one that somebody else shares, or one that is computed. */
export type DavCalendar = SyncedCalendar &
  Partial<Pick<SharedCalendar, "share">> & {
    /** All objects of a calendar that is computed; it can only be read. */
    readonly members?: readonly CalendarObject[];
  };
