import { sql } from "kysely";
import type { KithServer } from "./kith-server.ts";
import { countReferences } from "../remote/references.ts";
import { PARTS_OF_INDEX } from "./snapshot.ts";

/** Data that may name a deleted person permanently, and the reasons. */
export const KEPT: Readonly<Record<string, string>> = {
  "people.user_id": "a name is never given again",
  "profiles.person_id": "every person has one; this one is empty",
  "person_keys.person_id":
    "what still comes from there is known to be of somebody who is gone",
  "remote_people.person_id": "by its actor somebody who is gone is known",
  "tombstones.person_id": "what was retracted does not come back",
  "audit_log.by_user_id":
    "what was done to others by whoever ran this server stays known",
  "invitations.by_user_id": "who let whom in stays known",
  "posts.root_person_id":
    "what others passed on says whose it was, as after every retraction",
};

/** Data removed with the last deletion message, or by age. */
const KEPT_AT_FIRST = [
  "user_keys.user_id",
  "sent_activities.person_id",
  "inbound_messages.recipient_user_id",
  "unproven_messages.recipient_user_id",
];

/** The columns that still refer to a person or its user, except for permitted ones. */
export async function tracesOf(
  kith: KithServer,
  personId: number,
  userId: number | null,
  when: "soon" | "for ever" = "soon",
): Promise<string[]> {
  const counts = await countReferences(kith, personId, userId);
  for (const name of Object.keys(KEPT)) counts.delete(name);
  if (when === "soon") for (const name of KEPT_AT_FIRST) counts.delete(name);
  return [...counts].flatMap(([name, rows]) =>
    rows === 0 ? [] : [`${name}: ${rows}`],
  );
}

/** The columns in which a text holds any of these. */
export async function columnsHolding(
  { db }: KithServer,
  wanted: readonly string[],
): Promise<string[]> {
  const found = new Set<string>();
  for (const { name } of await db.read.introspection.getTables()) {
    if (PARTS_OF_INDEX.test(name)) continue;
    const { rows } = await sql<Record<string, unknown>>`select *
      from ${sql.table(name)}`.execute(db.read);
    for (const [column, value] of rows.flatMap((row) => Object.entries(row)))
      if (typeof value === "string" && wanted.some((it) => value.includes(it)))
        found.add(`${name}.${column}`);
  }
  return [...found].sort();
}
