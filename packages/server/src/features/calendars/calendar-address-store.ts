import type { Reader, Tx } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { CalendarId, PersonId, UserId } from "../ids.ts";
import { colorOf } from "../../lib/icalendar/calendar-look.ts";
import { storedProperties } from "./calendar-store.ts";

/** A calendar as other programs find it. */
export type AddressedCalendar = {
  readonly id: CalendarId;
  readonly guid: string;
  readonly name: string;
  /** `#RRGGBB`; null without one. */
  readonly color: string | null;
  readonly updatedAt: Timestamp;
  readonly owner: { readonly userId: UserId; readonly personId: PersonId };
  /** Missing without a secret address. */
  readonly secret?: { readonly salt: string; readonly since: Timestamp };
};

type AddressKey =
  | { readonly guid: string }
  | { readonly id: CalendarId; readonly userId: UserId };

/** Finds a calendar unless its owner is suspended, or about to leave. */
export async function findAddressedCalendar(
  reader: Reader,
  key: AddressKey,
): Promise<AddressedCalendar | undefined> {
  const query = reader
    .selectFrom("calendars")
    .innerJoin("users", "users.id", "calendars.user_id")
    .innerJoin("people", "people.user_id", "users.id")
    .selectAll("calendars")
    .select("people.id as person_id")
    .where("users.state", "=", "active")
    .where("people.state", "<>", "shut_out");
  const row = await (
    "guid" in key
      ? query.where("calendars.guid", "=", key.guid)
      : query
          .where("calendars.id", "=", key.id)
          .where("calendars.user_id", "=", key.userId)
  ).executeTakeFirst();
  if (!row) return undefined;
  const { address_salt: salt, address_since: since } = row;
  return {
    id: row.id,
    guid: row.guid,
    name: row.name,
    color: colorOf(storedProperties(row)),
    updatedAt: row.updated_at,
    owner: { userId: row.user_id, personId: row.person_id },
    ...(salt !== null && since !== null && { secret: { salt, since } }),
  };
}

/** @param secret null ends the secret address */
export async function updateSecretAddress(
  tx: Tx,
  id: CalendarId,
  secret: AddressedCalendar["secret"] | null,
): Promise<void> {
  await tx
    .updateTable("calendars")
    .set({
      address_salt: secret?.salt ?? null,
      address_since: secret?.since ?? null,
    })
    .where("id", "=", id)
    .execute();
}
