import type { DialectName, Tx } from "../../db/db.ts";
import { lockKey } from "../../db/dialect.ts";
import type { PersonId } from "../ids.ts";

/** What is decided of a host and of a person at the same time must not overtake each other: whoever writes a standing first reads what else was decided. */
export function lockStanding(
  tx: Tx,
  dialect: DialectName,
  personId: PersonId,
): Promise<void> {
  return lockKey(tx, dialect, `standing:${personId}`);
}
