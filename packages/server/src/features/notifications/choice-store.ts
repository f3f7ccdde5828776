import type { Selectable } from "kysely";
import type { Reader, Tx } from "../../db/db.ts";
import { prepareQuery } from "../../db/prepared-query.ts";
import { loadJson, storeJson } from "../../db/schema/columns/json-text.ts";
import type { Database } from "../../db/schema/schema.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { UserId } from "../ids.ts";
import { choicesOf, type NotificationChoices } from "./choices.ts";

export async function findChoices(
  reader: Reader,
  userId: UserId,
): Promise<NotificationChoices> {
  const [row] = await ofUser(reader, { userId });
  return row
    ? choicesOf(loadJson(row.senders), loadJson(row.dropped))
    : choicesOf({}, []);
}

const ofUser = prepareQuery<
  { userId: UserId },
  Pick<Selectable<Database["notification_choices"]>, "senders" | "dropped">
>((reader, value) =>
  reader
    .selectFrom("notification_choices")
    .select(["senders", "dropped"])
    .where("user_id", "=", value("userId"))
    .compile(),
);

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
