import type { Reader, Tx } from "../../../db/db.ts";
import { storeJson } from "../../../db/schema/columns/json-text.ts";
import type { CalendarShareId } from "../../../db/schema/ids.ts";
import type { Timestamp } from "../../../lib/time/clock.ts";
import type { Viewer } from "../../visibility/index.ts";
import type { AspectId, CalendarId, PersonId, UserId } from "../../ids.ts";

/** The people with whom a calendar is shared: one by name, or those of an aspect. */
export type ShareRecipient =
  | { readonly kind: "person"; readonly personId: PersonId }
  | {
      readonly kind: "aspect";
      readonly aspectId: AspectId;
      readonly name: string;
    };

/** A share of a calendar, as its owner made it. */
export type CalendarShare = {
  readonly id: CalendarShareId;
  readonly calendarId: CalendarId;
  readonly with: ShareRecipient;
  readonly mayWrite: boolean;
  readonly createdAt: Timestamp;
};

/** Those of a calendar, oldest first. */
export async function listCalendarShares(
  reader: Reader,
  calendarId: CalendarId,
): Promise<CalendarShare[]> {
  const rows = await reader
    .selectFrom("calendar_shares")
    .leftJoin("aspects", "aspects.id", "calendar_shares.aspect_id")
    .selectAll("calendar_shares")
    .select("aspects.name as aspect_name")
    .where("calendar_shares.calendar_id", "=", calendarId)
    .orderBy("calendar_shares.id")
    .execute();
  return rows.flatMap((row) => {
    const recipient = recipientOf(row);
    return recipient
      ? [
          {
            ...{ id: row.id, calendarId, with: recipient },
            mayWrite: Boolean(row.may_write),
            createdAt: row.created_at,
          },
        ]
      : [];
  });
}

function recipientOf(row: {
  person_id: PersonId | null;
  aspect_id: AspectId | null;
  aspect_name: string | null;
}): ShareRecipient | undefined {
  if (row.person_id !== null)
    return { kind: "person", personId: row.person_id };
  return row.aspect_id === null
    ? undefined
    : {
        kind: "aspect",
        aspectId: row.aspect_id,
        name: row.aspect_name ?? "",
      };
}

/** Shares a calendar, or changes what the recipients may do with it. */
export async function upsertCalendarShare(
  tx: Tx,
  share: {
    readonly calendarId: CalendarId;
    readonly personId: PersonId | null;
    readonly aspectId: AspectId | null;
    readonly mayWrite: boolean;
  },
  now: Timestamp,
): Promise<CalendarShareId> {
  const { personId, mayWrite } = share;
  const { id } = await tx
    .insertInto("calendar_shares")
    .values({
      calendar_id: share.calendarId,
      person_id: personId,
      aspect_id: share.aspectId,
      may_write: mayWrite,
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["calendar_id", personId === null ? "aspect_id" : "person_id"])
        .doUpdateSet({ may_write: mayWrite }),
    )
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** @returns false if the calendar has no such share */
export async function deleteCalendarShare(
  tx: Tx,
  calendarId: CalendarId,
  id: CalendarShareId,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("calendar_shares")
    .where("id", "=", id)
    .where("calendar_id", "=", calendarId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Ends what is shared with the person by name. */
export async function deleteShareWith(
  tx: Tx,
  calendarId: CalendarId,
  personId: PersonId,
): Promise<void> {
  await tx
    .deleteFrom("calendar_shares")
    .where("calendar_id", "=", calendarId)
    .where("person_id", "=", personId)
    .execute();
}

/** Ends what the owner shares with the person by name. @returns the calendars */
export async function deleteSharesOfOwner(
  tx: Tx,
  ownerUserId: UserId,
  personId: PersonId,
): Promise<CalendarId[]> {
  const rows = await tx
    .deleteFrom("calendar_shares")
    .where("person_id", "=", personId)
    .where("calendar_id", "in", (eb) =>
      eb
        .selectFrom("calendars")
        .select("calendars.id")
        .where("calendars.user_id", "=", ownerUserId),
    )
    .returning("calendar_id")
    .execute();
  return rows.map((row) => row.calendar_id);
}

/** Stores what a user makes of a shared calendar. */
export async function saveCalendarReader(
  tx: Tx,
  calendarId: CalendarId,
  userId: UserId,
  reader: {
    readonly hasLeft: boolean;
    readonly properties: Readonly<Record<string, string>>;
  },
): Promise<void> {
  const stored = {
    has_left: reader.hasLeft,
    properties: storeJson(reader.properties),
  };
  await tx
    .insertInto("calendar_readers")
    .values({ calendar_id: calendarId, user_id: userId, ...stored })
    .onConflict((conflict) =>
      conflict.columns(["calendar_id", "user_id"]).doUpdateSet(stored),
    )
    .execute();
}

/** A calendar that is shared by name is shown again to somebody who had left it. */
export async function deleteCalendarReader(
  tx: Tx,
  calendarId: CalendarId,
  userId: UserId,
): Promise<void> {
  await tx
    .deleteFrom("calendar_readers")
    .where("calendar_id", "=", calendarId)
    .where("user_id", "=", userId)
    .where("has_left", "=", true)
    .execute();
}

/** Ends all shares with a person who leaves. */
export async function deleteSharesWithLeaver(
  tx: Tx,
  { personId, userId }: NonNullable<Viewer>,
): Promise<void> {
  await tx
    .deleteFrom("calendar_shares")
    .where("person_id", "=", personId)
    .execute();
  if (userId === null) return;
  await tx
    .deleteFrom("calendar_readers")
    .where("user_id", "=", userId)
    .execute();
}
