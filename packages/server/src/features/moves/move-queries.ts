import { sql } from "kysely";
import type { Reader } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { PersonId, UserId } from "../ids.ts";

/**
 * Some local users related to a person: its followers, and with `sharers` also those with
 * whom it shares.
 */
export async function listSomeUsersOf(
  reader: Reader,
  personId: PersonId,
  sharers: boolean,
  limit: number,
): Promise<UserId[]> {
  const rows = await reader
    .selectFrom("contacts")
    .select("user_id")
    .where("person_id", "=", personId)
    .where((eb) =>
      sharers
        ? eb.or([eb("following", "=", true), eb("sharing", "=", true)])
        : eb("following", "=", true),
    )
    .orderBy("user_id")
    .limit(limit)
    .execute();
  return rows.map((row) => row.user_id);
}

/** A block or ignore of one person by another. */
export type Distance = {
  readonly by: PersonId;
  readonly of: PersonId;
  /** Of an ignore that ends by itself. */
  readonly endsAt: Timestamp | null;
};

const COLUMNS = {
  blocks: "blocked_person_id",
  ignores: "ignored_person_id",
} as const;

/**
 * Some blocks or ignores by or of `from` that do not exist for `to` yet. Each is returned
 * as it should be for `to`.
 */
export async function listSomeDistances(
  reader: Reader,
  table: keyof typeof COLUMNS,
  from: PersonId,
  to: PersonId,
  limit: number,
): Promise<Distance[]> {
  const other = sql.ref(COLUMNS[table]);
  const name = sql.table(table);
  const endsAt =
    table === "ignores" ? sql`own.ends_at` : sql`cast(null as text)`;
  // A block of a server is of all people there: it neither follows one who moves, nor ends.
  const isChosen = table === "blocks" ? sql`and not own.by_host` : sql``;
  const { rows } = await sql<{
    by: number;
    of: number;
    ends_at: Timestamp | null;
  }>`
    select own.person_id as "by", ${to} as "of", ${endsAt} as ends_at from ${name} as own
      where own.${other} = ${from} and own.person_id <> ${to} ${isChosen}
        and not exists (select 1 from ${name} as theirs
          where theirs.person_id = own.person_id and theirs.${other} = ${to})
    union all
    select ${to} as "by", own.${other} as "of", ${endsAt} as ends_at from ${name} as own
      where own.person_id = ${from} and own.${other} <> ${to} ${isChosen}
        and not exists (select 1 from ${name} as theirs
          where theirs.person_id = ${to} and theirs.${other} = own.${other})
    limit ${limit}`.execute(reader);
  return rows.map(({ by, of, ends_at: endsAt }) => ({
    by: Number(by) as PersonId,
    of: Number(of) as PersonId,
    endsAt,
  }));
}
