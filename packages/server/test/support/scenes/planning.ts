import type { KithServer, TestPerson } from "../server/kith-server.ts";
import type {
  AspectRecord,
  CalendarRecord,
  EventRecord,
} from "../server/wire.ts";

type Form = Readonly<Record<string, string | number | boolean>>;

/** The required fields of an event. */
export const AN_HOUR = {
  start: "2026-03-10T09:00:00Z",
  end: "2026-03-10T10:00:00Z",
};

/** Creates an event with the given fields, of one hour. */
export function plan(by: TestPerson, form: Form = {}): Promise<EventRecord> {
  return by.post<EventRecord>("/calendar/events", {
    ...AN_HOUR,
    summary: "Party",
    ...form,
  });
}

/** A new aspect with these members. */
export async function aspectOf(
  by: TestPerson,
  ...members: readonly { readonly record: { readonly ID: number } }[]
): Promise<number> {
  const { ID } = await by.post<AspectRecord>("/aspects", { name: "a" });
  for (const { record } of members)
    await by.post(`/people/${record.ID}/aspects/${ID}`);
  return ID;
}

/** One person wants nothing of another one any more, or does not want to read it. */
export async function keepAway(
  { db }: KithServer,
  kind: "block" | "ignore",
  by: TestPerson,
  other: TestPerson,
): Promise<void> {
  const person_id = by.record.ID;
  const created_at = "2026-01-01T00:00:00.000Z";
  await db.transaction(async (tx) => {
    if (kind === "block")
      await tx
        .insertInto("blocks")
        .values({ person_id, blocked_person_id: other.record.ID, created_at })
        .execute();
    else
      await tx
        .insertInto("ignores")
        .values({ person_id, ignored_person_id: other.record.ID, created_at })
        .execute();
  });
}

/** A calendar that its owner shares with another person. */
export async function sharedCalendar(
  owner: TestPerson,
  reader: TestPerson,
  { write = false, name = "Ours" } = {},
): Promise<CalendarRecord> {
  const calendar = await owner.post<CalendarRecord>("/calendar", { name });
  const path = `/calendar/${calendar.ID}/shares`;
  await owner.post(path, { handle: reader.handle, write });
  return calendar;
}

/** Each shares a calendar with the other, and the first gives the other's a colour. */
export async function shareCalendars(
  { server }: KithServer,
  who: TestPerson,
  friend: TestPerson,
): Promise<void> {
  await sharedCalendar(who, friend);
  await sharedCalendar(friend, who);
  const { calendars } = server.features;
  const viewer = { personId: who.record.ID, userId: who.record.UserID };
  const [shared] = await calendars.listShared(viewer);
  if (!shared) throw new Error("No calendar is shared");
  const properties = { colour: "#ff0000" };
  await calendars.changeShared(viewer, shared.pathName, { properties });
}
