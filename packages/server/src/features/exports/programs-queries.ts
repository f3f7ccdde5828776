import type { Reader } from "../../db/db.ts";
import { loadJson } from "../../db/schema/columns/json-text.ts";
import type { SignedIn } from "../accounts/index.ts";
import type { Keyed } from "./export-file.ts";
import { pageAfter } from "./page-after.ts";

/** How far the lists are read. */
export async function listExportedMarkers(
  reader: Reader,
  { userId }: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("markers")
    .selectAll()
    .where("user_id", "=", userId)
    .$call(pageAfter("id", afterId, limit))
    .execute();
  return rows.map((row) => ({
    key: row.id,
    record: {
      list: row.list,
      lastReadId: row.last_read_id,
      updatedAt: row.updated_at,
    },
  }));
}

/** The user's notes about people. */
export async function listExportedPersonNotes(
  reader: Reader,
  { userId }: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("person_notes")
    .innerJoin("people", "people.id", "person_notes.person_id")
    .select(["person_notes.id", "person_notes.text"])
    .select(["person_notes.updated_at", "people.handle", "people.guid"])
    .where("person_notes.user_id", "=", userId)
    .$call(pageAfter("person_notes.id", afterId, limit))
    .execute();
  return rows.map((row) => ({
    key: row.id,
    record: {
      handle: row.handle,
      guid: row.guid,
      text: row.text,
      updatedAt: row.updated_at,
    },
  }));
}

/** The choices of notifications; nothing where it chose nothing. */
export async function listExportedNotificationChoices(
  reader: Reader,
  { userId }: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("notification_choices")
    .selectAll()
    .where("user_id", "=", userId)
    .$call(pageAfter("user_id", afterId, limit))
    .execute();
  return rows.map((row) => ({
    key: row.user_id,
    record: {
      senders: loadJson(row.senders),
      dropped: loadJson(row.dropped),
      updatedAt: row.updated_at,
    },
  }));
}

/** The reminders that the user chose for events. */
export async function listExportedReminders(
  reader: Reader,
  { userId }: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("event_reminders")
    .innerJoin("events", "events.id", "event_reminders.event_id")
    .selectAll("event_reminders")
    .select("events.guid")
    .where("event_reminders.user_id", "=", userId)
    .$call(pageAfter("event_reminders.id", afterId, limit))
    .execute();
  return rows.map((row) => ({
    key: row.id,
    record: {
      event: row.guid,
      minutesBefore: loadJson(row.leads),
      chosenAt: row.created_at,
    },
  }));
}

/** The announcements that the user has put away. */
export async function listExportedDismissals(
  reader: Reader,
  { userId }: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("dismissed_announcements")
    .selectAll()
    .where("user_id", "=", userId)
    .$call(pageAfter("id", afterId, limit))
    .execute();
  return rows.map((row) => ({
    key: row.id,
    record: { announcement: row.announcement_id, dismissedAt: row.created_at },
  }));
}

/** The emojis with which the user reacted to announcements. */
export async function listExportedAnnouncementReactions(
  reader: Reader,
  { userId }: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("announcement_reactions")
    .selectAll()
    .where("user_id", "=", userId)
    .$call(pageAfter("id", afterId, limit))
    .execute();
  return rows.map((row) => ({
    key: row.id,
    record: {
      announcement: row.announcement_id,
      emoji: row.emoji,
      createdAt: row.created_at,
    },
  }));
}

/** The address of the user, and what is sent there. */
export async function listExportedMail(
  reader: Reader,
  { userId }: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("mail_addresses")
    .selectAll()
    .where("user_id", "=", userId)
    .$call(pageAfter("user_id", afterId, limit))
    .execute();
  return rows.map((row) => ({
    key: row.user_id,
    record: {
      address: row.address,
      confirmedAt: row.confirmed_at,
      bouncedAt: row.bounced_at,
      wantedAddress: row.wanted_address,
      frequency: row.frequency,
      kinds: loadJson(row.kinds),
      staffKinds: loadJson(row.staff_kinds),
      updatedAt: row.updated_at,
    },
  }));
}
