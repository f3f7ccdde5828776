import type { Reader, Tx } from "../../db/db.ts";
import type { Timestamp } from "../../lib/clock.ts";
import type { PersonId } from "../ids.ts";

/** What somebody elsewhere told the moderators of this server. */
export type Report = {
  readonly id: number;
  readonly guid: string;
  /** Of the server that it came from; who there has reported is its own business. */
  readonly host: string;
  /** Whom it is about, where that is a person. */
  readonly personId: PersonId | null;
  /** Ids of all the people and posts here that it names. */
  readonly objects: readonly string[];
  /** Plain text. */
  readonly text: string;
  readonly createdAt: Timestamp;
};

/** One that is known already stays as it is. */
export async function insertReport(
  tx: Tx,
  report: Omit<Report, "id">,
): Promise<void> {
  await tx
    .insertInto("reports")
    .values({
      guid: report.guid,
      host: report.host,
      person_id: report.personId,
      objects: JSON.stringify(report.objects),
      text: report.text,
      created_at: report.createdAt,
    })
    .onConflict((conflict) => conflict.column("guid").doNothing())
    .execute();
}

/** How many one server sent since then. */
export async function countReportsFrom(
  reader: Reader,
  host: string,
  since: Timestamp,
): Promise<number> {
  const { count } = await reader
    .selectFrom("reports")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("host", "=", host)
    .where("created_at", ">", since)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Some reports after an id, oldest first, with the handles of those whom they are about. */
export async function listReports(
  reader: Reader,
  afterId: number,
  limit: number,
): Promise<(Report & { readonly handle: string | null })[]> {
  const rows = await reader
    .selectFrom("reports")
    .leftJoin("people", "people.id", "reports.person_id")
    .selectAll("reports")
    .select("people.handle")
    .where("reports.id", ">", afterId)
    .orderBy("reports.id")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    guid: row.guid,
    host: row.host,
    personId: row.person_id as PersonId | null,
    objects: JSON.parse(row.objects) as string[],
    text: row.text,
    createdAt: row.created_at,
    handle: row.handle,
  }));
}

/** About somebody who is gone. @returns how many went */
export async function deleteSomeReportsAbout(
  tx: Tx,
  personId: PersonId,
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("reports")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("reports as own")
        .select("own.id")
        .where("own.person_id", "=", personId)
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
