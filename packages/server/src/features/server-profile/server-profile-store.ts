import type { Reader, Tx } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";

/** Sign-up for anybody, after approval, or for nobody without an invitation. */
export type Registration = "open" | "approval" | "closed";

/** The description of the server by its admins. Empty texts say nothing. */
export type ServerProfile = {
  readonly name: string;
  /** Markdown. */
  readonly description: string;
  /** Markdown. */
  readonly rules: string;
  /** null: as the configuration says. */
  readonly registration: Registration | null;
};

/** The table has one row. */
const ONLY = 1;

export async function findServerProfile(
  reader: Reader,
): Promise<ServerProfile | undefined> {
  return reader
    .selectFrom("server_profile")
    .select(["name", "description", "rules", "registration"])
    .where("id", "=", ONLY)
    .executeTakeFirst();
}

export async function saveServerProfile(
  tx: Tx,
  { name, description, rules, registration }: ServerProfile,
  now: Timestamp,
): Promise<void> {
  const columns = { name, description, rules, registration, updated_at: now };
  await tx
    .insertInto("server_profile")
    .values({ id: ONLY, ...columns })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(columns))
    .execute();
}
