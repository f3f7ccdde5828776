import type {
  SharedCalendar,
  SyncedCalendar,
} from "../../features/calendars/index.ts";
import type { CalendarObject } from "../../features/events/index.ts";
import type { Subscription } from "../../features/subscribed-calendars/index.ts";

/** One's own calendar, one that somebody else shares, or a read-only one. */
export type DavCalendar = SyncedCalendar &
  Partial<Pick<SharedCalendar, "share">> & {
    /** All objects of a calendar that is computed. */
    readonly members?: readonly CalendarObject[];
    /** It comes from another server. */
    readonly subscription?: Subscription;
  };

/** Can nobody write its objects? */
export function isReadOnly({ members, subscription }: DavCalendar): boolean {
  return members !== undefined || subscription !== undefined;
}
