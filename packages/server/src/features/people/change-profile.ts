import type { Db, Tx } from "../../db/db.ts";
import { later, timestamp, type Clock } from "../../lib/time/clock.ts";
import { KithError } from "../../lib/errors.ts";
import { storableText } from "../../lib/well-formed.ts";
import type { Facts } from "../facts.ts";
import type { PersonId } from "../ids.ts";
import { findPerson } from "./people-queries.ts";
import { storeProfile, type StoreProfileDeps } from "./store-profile.ts";
import type { Person, ProfileChanges } from "./person.ts";
import { checkFields } from "./profile-fields.ts";

type ChangeProfileDeps = StoreProfileDeps & {
  readonly db: Db;
  readonly clock: Clock;
  readonly facts: Facts;
};

const DAY_MS = 86_400_000;

/** The limits of diaspora*, in code points. */
export const PROFILE_LIMITS = {
  firstName: { max: 32, words: "first name" },
  lastName: { max: 32, words: "last name" },
  bio: { max: 65_535, words: "bio" },
  gender: { max: 255, words: "gender" },
  location: { max: 255, words: "location" },
} as const;

/**
 * Changes a local person's own profile and notifies its contacts.
 * @throws {KithError} `bad_request` for a value that other servers would refuse
 */
export async function changeProfile(
  deps: ChangeProfileDeps,
  personId: PersonId,
  changes: ProfileChanges,
): Promise<Person> {
  return deps.db.transaction((tx) =>
    changeProfileIn(deps, tx, personId, changes),
  );
}

/** Does the same inside a transaction that changes more. */
export async function changeProfileIn(
  { clock, facts, indexing }: Omit<ChangeProfileDeps, "db">,
  tx: Tx,
  personId: PersonId,
  changes: ProfileChanges,
): Promise<Person> {
  const checked = checkChanges(changes, clock.now());
  const person = await findPerson(tx, { id: personId });
  if (!person) throw new KithError("not_found", "No such person.");
  const first = checked.firstName ?? person.profile.firstName;
  const last = checked.lastName ?? person.profile.lastName;
  await storeProfile(
    { indexing },
    tx,
    personId,
    { ...checked, fullName: `${first} ${last}`.trim() },
    timestamp(clock.now()),
  );
  await facts.record(tx, { type: "profile.changed", by: personId });
  const changed = await findPerson(tx, { id: personId });
  return changed ?? person;
}

function checkChanges(changes: ProfileChanges, now: Date): ProfileChanges {
  const checked: Record<string, unknown> = { ...changes };
  for (const [name, { max, words }] of Object.entries(PROFILE_LIMITS)) {
    const value = checked[name];
    if (typeof value !== "string") continue;
    const text = storableText(value).trim();
    if ([...text].length > max)
      throw new KithError(
        "bad_request",
        `The ${words} must have at most ${max} characters.`,
      );
    checked[name] = text;
  }
  const {
    firstName = "",
    lastName = "",
    birthday,
    fields,
  } = checked as ProfileChanges;
  if (fields) checked["fields"] = checkFields(fields);
  if (`${firstName}${lastName}`.includes(";"))
    throw new KithError("bad_request", "A name must not contain a semicolon.");
  if (birthday != null && !isDateText(birthday))
    throw new KithError(
      "bad_request",
      "The birthday must be a date such as 1990-05-17, or empty for none.",
    );
  if (birthday != null && birthday > latestToday(now))
    throw new KithError(
      "bad_request",
      "The birthday must not be in the future.",
    );
  return checked;
}

/** Somewhere it may be tomorrow already. */
function latestToday(now: Date): string {
  return timestamp(later(now, DAY_MS)).slice(0, "YYYY-MM-DD".length);
}

/** Can a birthday be on this day, such as 1990-05-17, which is not in the future? */
export function isBirthday(text: string, now: Date): boolean {
  return isDateText(text) && text <= latestToday(now);
}

function isDateText(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
