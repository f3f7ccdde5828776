import type { Db, Tx } from "../../db/db.ts";
import { lockKeys } from "../../db/dialect.ts";
import type { UserId } from "../ids.ts";

/** Blocks changes of these users' contacts and follow requests until the transaction ends. */
export async function lockContactsOf(
  { dialect }: Pick<Db, "dialect">,
  tx: Tx,
  userIds: readonly UserId[],
): Promise<void> {
  const keys = userIds.map((userId) => `contacts:${userId}`);
  await lockKeys(tx, dialect, keys);
}
