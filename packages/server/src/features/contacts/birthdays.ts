import type { Reader } from "../../db/db.ts";
import type { PersonId } from "../ids.ts";
import {
  isNotBlockedByAuthor,
  isNotBlockedOrIgnored,
  isNotSuspended,
} from "../visibility/index.ts";
import type { Follower } from "./set-following.ts";

/** The birthday of a contact. */
export type Birthday = {
  readonly personId: PersonId;
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** Did the person name the year? diaspora* fills in an early one. */
  readonly hasYear: boolean;
};

/** More than anybody follows; all of them are one calendar. */
const MAX_BIRTHDAYS = 2000;
const FIRST_YEAR = "1900";

/**
 * The birthdays of the contacts of a user, as far as their profiles show these to the user:
 * to everyone, or to the people with whom they share.
 */
export async function listBirthdays(
  reader: Reader,
  { userId, personId }: Follower,
): Promise<Birthday[]> {
  const people = ["people.id"];
  const rows = await reader
    .selectFrom("contacts")
    .innerJoin("people", "people.id", "contacts.person_id")
    .innerJoin("profiles", "profiles.person_id", "people.id")
    .select(["people.id", "profiles.birthday"])
    .where("contacts.user_id", "=", userId)
    .where("contacts.following", "=", true)
    .where("people.state", "=", "active")
    .where("profiles.birthday", "is not", null)
    .where((eb) =>
      eb.or([
        eb("profiles.birthday_for", "=", "everyone"),
        eb.and([
          eb("profiles.birthday_for", "=", "contacts"),
          eb("contacts.sharing", "=", true),
        ]),
      ]),
    )
    .where(isNotSuspended(people))
    .where(isNotBlockedByAuthor(personId, people))
    .where(isNotBlockedOrIgnored(personId, people))
    .orderBy("people.id")
    .limit(MAX_BIRTHDAYS)
    .execute();
  return rows.flatMap(({ id, birthday: date }) =>
    date !== null && isDay(date)
      ? [{ personId: id, date, hasYear: date >= FIRST_YEAR }]
      : [],
  );
}

/** Other servers may send anything. */
function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  return !Number.isNaN(new Date(text).getTime());
}

/** The day in a year, `YYYY-MM-DD`: that of 29 February is the last one of the month. */
export function birthdayIn({ date }: Birthday, year: number): string {
  const { month, day } = Temporal.PlainDate.from(date);
  return Temporal.PlainDate.from({ year, month, day }).toString();
}
