import type { Reader, Tx } from "../../../db/db.ts";
import type { PersonId } from "../../../features/ids.ts";
import type { Timestamp } from "../../../lib/time/clock.ts";

/** The authorization to quote a local post or comment, with its document. */
export type QuoteLeave = {
  readonly guid: string;
  /** The author of the quoted object. */
  readonly personId: PersonId;
  readonly quotedGuid: string;
  /** The actor id of the requester. */
  readonly askedBy: string;
  readonly document: string;
};

/** The first authorization of a quote is kept. @param quote names it */
export async function insertQuoteLeave(
  tx: Tx,
  leave: QuoteLeave,
  quote: string,
  now: Timestamp,
): Promise<void> {
  await tx
    .insertInto("sent_activities")
    .values({
      guid: leave.guid,
      person_id: leave.personId,
      public: true,
      addressees: "[]",
      document: leave.document,
      is_object: true,
      quoted_guid: leave.quotedGuid,
      asked_by: leave.askedBy,
      answers: quote,
      created_at: now,
    })
    .onConflict((conflict) => conflict.column("answers").doNothing())
    .execute();
}

/** @returns its guid */
export async function findQuoteLeave(
  reader: Reader,
  quote: string,
): Promise<string | undefined> {
  const row = await reader
    .selectFrom("sent_activities")
    .select("guid")
    .where("answers", "=", quote)
    .executeTakeFirst();
  return row?.guid;
}

/** How many quotes of one object an actor is authorized for. */
export async function countQuoteLeaves(
  reader: Reader,
  quotedGuid: string,
  askedBy: string,
): Promise<number> {
  const row = await reader
    .selectFrom("sent_activities")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("quoted_guid", "=", quotedGuid)
    .where("asked_by", "=", askedBy)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Selects authorizations by objects, by author and requester, or one by what it answers. */
export type GivenLeaves =
  | { readonly quote: string }
  | { readonly quotedGuids: readonly string[] }
  | { readonly personId: PersonId; readonly askedBy: string };

export async function listQuoteLeaves(
  reader: Reader,
  given: GivenLeaves,
  limit: number,
): Promise<QuoteLeave[]> {
  const query = reader
    .selectFrom("sent_activities")
    .select(["guid", "person_id", "quoted_guid", "asked_by", "document"])
    .limit(limit);
  if ("quote" in given) {
    const rows = await query.where("answers", "=", given.quote).execute();
    return rows.map(toLeave);
  }
  const rows = await (
    "personId" in given
      ? query
          .where("person_id", "=", given.personId)
          .where("asked_by", "=", given.askedBy)
      : query.where("quoted_guid", "in", [...given.quotedGuids])
  ).execute();
  return rows.map(toLeave);
}

const toLeave = (row: {
  guid: string;
  person_id: PersonId;
  quoted_guid: string | null;
  asked_by: string | null;
  document: string;
}): QuoteLeave => ({
  guid: row.guid,
  personId: row.person_id,
  quotedGuid: row.quoted_guid ?? "",
  askedBy: row.asked_by ?? "",
  document: row.document,
});

export async function deleteQuoteLeaves(
  tx: Tx,
  guids: readonly string[],
): Promise<void> {
  await tx
    .deleteFrom("sent_activities")
    .where("guid", "in", [...guids])
    .where("quoted_guid", "is not", null)
    .execute();
}
