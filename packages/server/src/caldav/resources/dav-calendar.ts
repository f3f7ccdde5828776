import type {
  SharedCalendar,
  SyncedCalendar,
} from "../../features/calendars/index.ts";
import type { CalendarObject } from "../../features/events/index.ts";
import type { Subscription } from "../../features/subscribed-calendars/index.ts";

/** One's own calendar, or one that can be read alone, or that somebody else shares. */
export type DavCalendar = SyncedCalendar &
  Partial<Pick<SharedCalendar, "share">> & {
    /** All objects of a calendar that is computed. */
    readonly members?: readonly CalendarObject[];
    /** It comes from another server. */
    readonly subscription?: Subscription;
  };

/** Can its objects be read alone, whoever asks? */
export function isReadOnly({ members, subscription }: DavCalendar): boolean {
  return members !== undefined || subscription !== undefined;
}
