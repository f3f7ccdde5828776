import type { Selectable } from "kysely";
import type { Reader, Tx } from "../../db/db.ts";
import type { Database } from "../../db/schema/schema.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { SpamRule } from "./spam-rule.ts";

/** All rules, by name: there are at most some hundred. */
export async function listSpamRules(reader: Reader): Promise<SpamRule[]> {
  const rows = await reader
    .selectFrom("spam_rules")
    .selectAll()
    .orderBy("name")
    .execute();
  return rows.map(toRule);
}

/** The rules that are on. */
export async function listRulesOn(reader: Reader): Promise<SpamRule[]> {
  const rows = await reader
    .selectFrom("spam_rules")
    .selectAll()
    .where("is_on", "=", true)
    .orderBy("id")
    .execute();
  return rows.map(toRule);
}

export async function findRule(
  reader: Reader,
  id: number,
): Promise<SpamRule | undefined> {
  const row = await reader
    .selectFrom("spam_rules")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirst();
  return row && toRule(row);
}

/** A rule of the same name is replaced. */
export async function saveRule(
  tx: Tx,
  { name, conditions, action, isOn, updatedAt }: Omit<SpamRule, "id">,
): Promise<SpamRule> {
  const values = {
    phrase: conditions.phrase,
    link_host: conditions.linkHost,
    mentions: conditions.mentions,
    known_days: conditions.knownDays,
    no_contact: conditions.noContact,
    action,
    is_on: isOn,
    updated_at: updatedAt,
  };
  const row = await tx
    .insertInto("spam_rules")
    .values({ name, ...values, created_at: updatedAt })
    .onConflict((conflict) => conflict.column("name").doUpdateSet(values))
    .returningAll()
    .executeTakeFirstOrThrow();
  return toRule(row);
}

export async function updateIsOn(
  tx: Tx,
  id: number,
  isOn: boolean,
  now: Timestamp,
): Promise<void> {
  await tx
    .updateTable("spam_rules")
    .set({ is_on: isOn, updated_at: now })
    .where("id", "=", id)
    .execute();
}

export async function deleteRule(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom("spam_rules").where("id", "=", id).execute();
}

function toRule(row: Selectable<Database["spam_rules"]>): SpamRule {
  return {
    id: row.id,
    name: row.name,
    conditions: {
      phrase: row.phrase,
      linkHost: row.link_host,
      mentions: row.mentions,
      knownDays: row.known_days,
      noContact: Boolean(row.no_contact),
    },
    action: row.action,
    isOn: Boolean(row.is_on),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
