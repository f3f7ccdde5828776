import type { Reader } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { PersonId } from "../ids.ts";

/** An author, before any rule asks more. */
export type AuthorRow = {
  readonly isLocal: boolean;
  /** Since then the person is known here, or has an account here. */
  readonly since: Timestamp;
  /** For how many days accounts here are new; 0 for moderators and where there are no limits. */
  readonly newDays: number;
};

export async function findAuthor(
  reader: Reader,
  personId: PersonId,
): Promise<AuthorRow | undefined> {
  const row = await reader
    .selectFrom("people")
    .leftJoin("users", "users.id", "people.user_id")
    .leftJoin("server_profile", (join) => join.onTrue())
    .select(["people.created_at", "users.created_at as joined_at"])
    .select(["users.role", "server_profile.newcomer_days"])
    .where("people.id", "=", personId)
    .limit(1)
    .executeTakeFirst();
  if (!row) return undefined;
  return {
    isLocal: row.joined_at !== null,
    since: row.joined_at ?? row.created_at,
    newDays: row.role === "user" ? (row.newcomer_days ?? 0) : 0,
  };
}

/** Is the person a contact of somebody here, in either direction? */
export async function hasContactHere(
  reader: Reader,
  personId: PersonId,
): Promise<boolean> {
  const row = await reader
    .selectFrom("contacts")
    .select("id")
    .where("person_id", "=", personId)
    .where((where) =>
      where.or([where("following", "=", true), where("sharing", "=", true)]),
    )
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Does anybody here follow the person? @param among only these people, if given */
export async function isFollowedHere(
  reader: Reader,
  personId: PersonId,
  among: readonly PersonId[] | "everybody",
): Promise<boolean> {
  if (among.length === 0) return false;
  const query = reader
    .selectFrom("contacts")
    .select("contacts.id")
    .where("contacts.person_id", "=", personId)
    .where("contacts.following", "=", true)
    .limit(1);
  const named =
    among === "everybody"
      ? query
      : query
          .innerJoin("people", "people.user_id", "contacts.user_id")
          .where("people.id", "in", among);
  return (await named.executeTakeFirst()) !== undefined;
}
