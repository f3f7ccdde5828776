import type { Reader } from "../../db/db.ts";
import type { PersonId } from "../ids.ts";
import { fetchPage, type Page } from "../page.ts";
import type { Appeal, Strike, StrikeAction } from "./strike.ts";

const selectStrikes = (reader: Reader) =>
  reader.selectFrom("strikes").selectAll("strikes");

type Row = Awaited<
  ReturnType<ReturnType<typeof selectStrikes>["executeTakeFirstOrThrow"]>
>;

function toStrike(row: Row): Strike {
  return {
    id: row.id,
    guid: row.guid,
    personId: row.person_id,
    action: row.action,
    message: row.message,
    excerpt: row.excerpt,
    createdAt: row.created_at,
    endedAt: row.ended_at,
    appeal: toAppeal(row),
  };
}

function toAppeal(row: Row): Appeal | null {
  if (row.appealed_at === null) return null;
  return {
    text: row.appeal ?? "",
    appealedAt: row.appealed_at,
    decidedAt: row.decided_at,
    accepted: row.accepted === null ? null : Boolean(row.accepted),
  };
}

export async function findStrike(
  reader: Reader,
  id: number,
): Promise<Strike | undefined> {
  const row = await selectStrikes(reader)
    .where("id", "=", id)
    .executeTakeFirst();
  return row && toStrike(row);
}

/** The newest strike of an action that is in force. */
export async function findStanding(
  reader: Reader,
  personId: PersonId,
  action: StrikeAction,
): Promise<Strike | undefined> {
  const row = await selectStrikes(reader)
    .where("person_id", "=", personId)
    .where("action", "=", action)
    .where("ended_at", "is", null)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row && toStrike(row);
}

/** One page of the strikes of a person, newest first. */
export async function listStrikesOf(
  reader: Reader,
  personId: PersonId,
  page: Page,
): Promise<Strike[]> {
  const query = selectStrikes(reader).where("person_id", "=", personId);
  return (await fetchPage(query, "strikes.id", page)).map(toStrike);
}

/** The strikes with these Guids; few, such as those of a page of notifications. */
export async function listStrikesByGuid(
  reader: Reader,
  personId: PersonId,
  guids: readonly string[],
): Promise<Map<string, Strike>> {
  if (guids.length === 0) return new Map();
  const rows = await selectStrikes(reader)
    .where("person_id", "=", personId)
    .where("guid", "in", guids)
    .execute();
  return new Map(rows.map((row) => [row.guid, toStrike(row)]));
}

export type AppealState = "open" | "closed";

/** One page of the strikes with an open or a closed appeal, newest strike first. */
export async function listAppealed(
  reader: Reader,
  state: AppealState,
  page: Page,
): Promise<Strike[]> {
  const query = selectStrikes(reader)
    .where("appealed_at", "is not", null)
    .where("decided_at", state === "open" ? "is" : "is not", null);
  return (await fetchPage(query, "strikes.id", page)).map(toStrike);
}

export async function countOpenAppeals(reader: Reader): Promise<number> {
  const { count } = await reader
    .selectFrom("strikes")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("appealed_at", "is not", null)
    .where("decided_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(count);
}
