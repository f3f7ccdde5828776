import type { Reader, Tx } from "../../db/db.ts";
import { loadJson, storeJson } from "../../db/schema/columns/json-text.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { EventId, PersonId, UserId } from "../ids.ts";

/** An event of which a user may have to be reminded. */
export type DueReminder = {
  readonly eventId: EventId;
  readonly userId: UserId;
};

/** Those at which the job has to look, the longest due first. */
export async function listDue(
  reader: Reader,
  now: Timestamp,
  limit: number,
): Promise<DueReminder[]> {
  const rows = await reader
    .selectFrom("due_reminders")
    .select(["event_id", "user_id"])
    .where("look_at", "<=", now)
    .orderBy("look_at")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ eventId: row.event_id, userId: row.user_id }));
}

/** Until when reminders are told; undefined if it is not due, or is settled already. */
export async function findRemindedUntil(
  tx: Tx,
  { eventId, userId }: DueReminder,
  now: Timestamp,
): Promise<Timestamp | undefined> {
  const row = await tx
    .selectFrom("due_reminders")
    .select("reminded_until")
    .where("event_id", "=", eventId)
    .where("user_id", "=", userId)
    .where("look_at", "<=", now)
    .executeTakeFirst();
  return row?.reminded_until;
}

export async function updateDue(
  tx: Tx,
  { eventId, userId }: DueReminder,
  times: { readonly lookAt: Timestamp; readonly remindedUntil: Timestamp },
): Promise<void> {
  await tx
    .updateTable("due_reminders")
    .set({ look_at: times.lookAt, reminded_until: times.remindedUntil })
    .where("event_id", "=", eventId)
    .where("user_id", "=", userId)
    .execute();
}

export async function deleteDueReminder(
  tx: Tx,
  { eventId, userId }: DueReminder,
): Promise<void> {
  await tx
    .deleteFrom("due_reminders")
    .where("event_id", "=", eventId)
    .where("user_id", "=", userId)
    .execute();
}

/** A user who may be reminded of an event, and what the user chose. */
export type Reminded = {
  readonly userId: UserId;
  readonly personId: PersonId;
  readonly timeZone: string;
  /** Minutes before an event; null for none. */
  readonly byDefault: number | null;
  /** Minutes before the day of an event that lasts all day; null for none. */
  readonly ofDays: number | null;
  /** Chosen for this event; undefined if nothing is. */
  readonly chosen: readonly number[] | undefined;
  /** Undefined before an answer, and until the organizer has confirmed it. */
  readonly answer: "accepted" | "declined" | "tentative" | undefined;
};

/** @returns undefined for an account that is not active */
export async function findReminded(
  reader: Reader,
  { eventId, userId }: DueReminder,
): Promise<Reminded | undefined> {
  const row = await reader
    .selectFrom("users")
    .innerJoin("people", "people.user_id", "users.id")
    .leftJoin("event_reminders", (join) =>
      join
        .onRef("event_reminders.user_id", "=", "users.id")
        .on("event_reminders.event_id", "=", eventId),
    )
    .leftJoin("participations", (join) =>
      join
        .onRef("participations.person_id", "=", "people.id")
        .on("participations.event_id", "=", eventId),
    )
    .select(["people.id as person_id", "time_zone"])
    .select(["event_reminder", "day_reminder", "event_reminders.leads"])
    .select(["participations.status", "participations.reply"])
    .where("users.id", "=", userId)
    .where("users.state", "=", "active")
    .executeTakeFirst();
  return (
    row && {
      userId,
      personId: row.person_id,
      timeZone: row.time_zone,
      byDefault: row.event_reminder,
      ofDays: row.day_reminder,
      chosen: row.leads === null ? undefined : loadJson(row.leads),
      answer: row.reply === "pending" ? undefined : (row.status ?? undefined),
    }
  );
}

/** The text of an event by a calendar program, with later changes; undefined if there is none. */
export async function findWrittenObject(
  reader: Reader,
  eventId: EventId,
): Promise<string | undefined> {
  const row = await reader
    .selectFrom("calendar_objects")
    .select("ical")
    .where("event_id", "=", eventId)
    .executeTakeFirst();
  return row?.ical ?? undefined;
}

/** Replaces what a user chose for an event. */
export async function saveChosen(
  tx: Tx,
  { eventId, userId }: DueReminder,
  leads: readonly number[],
  now: Timestamp,
): Promise<void> {
  await tx
    .insertInto("event_reminders")
    .values({
      event_id: eventId,
      user_id: userId,
      leads: storeJson(leads),
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["user_id", "event_id"])
        .doUpdateSet({ leads: storeJson(leads), created_at: now }),
    )
    .execute();
}

export async function deleteChosen(
  tx: Tx,
  { eventId, userId }: DueReminder,
): Promise<void> {
  await tx
    .deleteFrom("event_reminders")
    .where("event_id", "=", eventId)
    .where("user_id", "=", userId)
    .execute();
}

/** Deletes some of what a user chose, and what is due. @returns true if more may be left */
export async function deleteSomeOf(
  tx: Tx,
  userId: UserId,
  limit: number,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("event_reminders")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("event_reminders as own")
        .select("own.id")
        .where("own.user_id", "=", userId)
        .limit(limit),
    )
    .executeTakeFirst();
  const due = await tx
    .deleteFrom("due_reminders")
    .where("user_id", "=", userId)
    .where("event_id", "in", (eb) =>
      eb
        .selectFrom("due_reminders as own")
        .select("own.event_id")
        .where("own.user_id", "=", userId)
        .limit(limit),
    )
    .executeTakeFirst();
  return numDeletedRows + due.numDeletedRows > 0n;
}
