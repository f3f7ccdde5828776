import type { Reader, Tx } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { PersonId } from "../ids.ts";
import { fetchPage, type Page } from "../page.ts";
import type { SpamAction } from "./spam-rule.ts";

/** A hit of a rule, without any text. */
export type SpamHit = {
  readonly id: number;
  /** The name of the rule at the time. */
  readonly rule: string;
  readonly personId: PersonId;
  readonly kind: "post" | "comment";
  /** The address of the thing, or its Guid where it has none. */
  readonly thing: string;
  readonly action: SpamAction;
  readonly at: Timestamp;
};

/** A hit with its author's handle and the host of that. */
export type ShownHit = SpamHit & {
  readonly handle: string;
  readonly host: string;
};

/** Older ones are deleted, however many texts come in. */
export const MAX_HITS = 10_000;

/**
 * Logs a hit, and forgets the oldest beyond the limit.
 * @returns false if this rule has hit the same thing before
 */
export async function insertHit(
  tx: Tx,
  { personId, ...hit }: Omit<SpamHit, "id">,
): Promise<boolean> {
  const row = await tx
    .insertInto("spam_hits")
    .values({ ...hit, person_id: personId })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!row) return false;
  await tx
    .deleteFrom("spam_hits")
    .where("id", "<=", row.id - MAX_HITS)
    .execute();
  return true;
}

/** Newest first. */
export async function listHits(
  reader: Reader,
  page: Page,
): Promise<ShownHit[]> {
  const query = reader
    .selectFrom("spam_hits")
    .innerJoin("people", "people.id", "spam_hits.person_id")
    .selectAll("spam_hits")
    .select(["people.handle", "people.host"]);
  const rows = await fetchPage(query, "spam_hits.id", page);
  return rows.map(({ person_id: personId, ...row }) => ({ ...row, personId }));
}

/** Some of all before a time, or of one person. @returns how many */
export async function deleteSomeHits(
  tx: Tx,
  of: { readonly personId: PersonId } | { readonly before: Timestamp },
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("spam_hits")
    .where("id", "in", (eb) => {
      const some = eb.selectFrom("spam_hits as some").select("some.id");
      const meant =
        "personId" in of
          ? some.where("some.person_id", "=", of.personId)
          : some.where("some.at", "<=", of.before);
      return meant.limit(limit);
    })
    .executeTakeFirst();
  return Number(numDeletedRows);
}
