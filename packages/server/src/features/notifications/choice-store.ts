import type { Reader, Tx } from "../../db/db.ts";
import { loadJson, storeJson } from "../../db/schema/columns/json-text.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { UserId } from "../ids.ts";
import { choicesOf, type NotificationChoices } from "./choices.ts";

export async function findChoices(
  reader: Reader,
  userId: UserId,
): Promise<NotificationChoices> {
  const row = await reader
    .selectFrom("notification_choices")
    .select(["senders", "dropped"])
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row
    ? choicesOf(loadJson(row.senders), loadJson(row.dropped))
    : choicesOf({}, []);
}

export async function saveChoices(
  tx: Tx,
  userId: UserId,
  choices: NotificationChoices,
  now: Timestamp,
): Promise<void> {
  const values = {
    senders: storeJson(choices.senders),
    dropped: storeJson(choices.dropped),
    updated_at: now,
  };
  await tx
    .insertInto("notification_choices")
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(values))
    .execute();
}

export async function deleteChoices(tx: Tx, userId: UserId): Promise<void> {
  await tx
    .deleteFrom("notification_choices")
    .where("user_id", "=", userId)
    .execute();
}
