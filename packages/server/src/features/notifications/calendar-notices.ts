import type { Db } from "../../db/db.ts";
import type { Calendars } from "../calendars/index.ts";
import type { Fact } from "../facts.ts";
import type { UserId } from "../ids.ts";
import type { People } from "../people/index.ts";
import {
  deleteNotificationOf,
  listNotifiedUsers,
} from "./notification-store.ts";

type CalendarNoticeDeps = {
  readonly calendars: Pick<Calendars, "findShared" | "findShareReaders">;
  readonly people: Pick<People, "find">;
};

type CalendarNotice = {
  readonly userId: UserId;
  readonly thing: { readonly type: "Calendar"; readonly guid: string };
};

/** Notifications for those who got a calendar by a share, and see it. */
export async function listShareNotices(
  { calendars, people }: CalendarNoticeDeps,
  { calendarId, shareId }: Extract<Fact, { type: "calendar.shared" }>,
): Promise<CalendarNotice[]> {
  const found = await calendars.findShareReaders(calendarId, shareId);
  if (!found) return [];
  const notices: CalendarNotice[] = [];
  for (const userId of found.userIds) {
    const self = await people.find({ userId });
    if (!self) continue;
    const reader = { userId, personId: self.id };
    if (await calendars.findShared(reader, { id: calendarId }))
      notices.push({ userId, thing: { type: "Calendar", guid: found.guid } });
  }
  return notices;
}

/** Deletes the notifications of those who see the calendar no more. */
export async function forgetUnshared(
  { calendars, db, people }: CalendarNoticeDeps & { readonly db: Db },
  guid: string,
): Promise<void> {
  for (const userId of await listNotifiedUsers(db.read, "Calendar", guid)) {
    const self = await people.find({ userId });
    const reader = self && { userId, personId: self.id };
    if (reader && (await calendars.findShared(reader, { guid }))) continue;
    await db.transaction((tx) =>
      deleteNotificationOf(tx, userId, "Calendar", guid),
    );
  }
}
