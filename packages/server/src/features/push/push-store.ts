import { sql } from "kysely";
import type { Reader, Tx } from "../../db/db.ts";
import { prepareQuery } from "../../db/prepared-query.ts";
import { loadJson, storeJson } from "../../db/schema/columns/json-text.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import { hashSecret, type BoundSeal } from "../accounts/index.ts";
import type { AccessId, PushSubscriptionId, TokenId, UserId } from "../ids.ts";
import type {
  NewPushSubscription,
  PushChoice,
  PushHolder,
  PushSubscription,
  PushTarget,
} from "./push-subscription.ts";

/** The columns that name the session or token. */
type HolderColumns =
  | { readonly session_hash: string }
  | { readonly token_id: TokenId }
  | { readonly access_id: AccessId };

/** Finds the row of a session or token of this user. */
export async function findHolder(
  reader: Reader,
  userId: UserId,
  holder: PushHolder,
): Promise<HolderColumns | undefined> {
  if ("session" in holder) {
    const session = await reader
      .selectFrom("sessions")
      .select("id_hash")
      .where("id_hash", "=", hashSecret(holder.session))
      .where("user_id", "=", userId)
      .executeTakeFirst();
    return session && { session_hash: session.id_hash };
  }
  const hash = hashSecret(holder.token);
  const access = await reader
    .selectFrom("oauth_accesses")
    .select("id")
    .where("token_hash", "=", hash)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  if (access) return { access_id: access.id };
  const token = await reader
    .selectFrom("access_tokens")
    .select("id")
    .where("token_hash", "=", hash)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return token && { token_id: token.id };
}

const COLUMNS = [
  "push_subscriptions.id",
  "push_subscriptions.user_id",
  "push_subscriptions.target_sealed",
  "push_subscriptions.encoding",
  "push_subscriptions.alerts",
  "push_subscriptions.policy",
] as const;

const selectColumns = (reader: Reader) =>
  reader.selectFrom("push_subscriptions").select(COLUMNS);

type Row = Awaited<
  ReturnType<ReturnType<typeof selectColumns>["executeTakeFirstOrThrow"]>
>;

/** Seals lines, because a reader of them could use up the quota of the client. */
const linesOf = (target: PushTarget, token: string | null): Buffer =>
  Buffer.from(
    [target.endpoint, target.p256dh, target.auth, token ?? ""].join("\n"),
  );

const nameOf = (userId: UserId): string =>
  `target_sealed of push_subscriptions, user ${userId}`;

function toSubscription(seal: BoundSeal, row: Row): PushSubscription {
  const opened = seal.open(row.target_sealed, nameOf(row.user_id));
  const [endpoint = "", p256dh = "", auth = "", token = ""] = opened
    .toString()
    .split("\n");
  return {
    ...{ id: row.id, userId: row.user_id },
    ...{ target: { endpoint, p256dh, auth }, token: token || null },
    ...{ encoding: row.encoding, policy: row.policy },
    alerts: loadJson(row.alerts),
  };
}

export async function findSubscriptionOf(
  reader: Reader,
  seal: BoundSeal,
  holder: HolderColumns,
): Promise<PushSubscription | undefined> {
  const [[column, value] = []] = Object.entries(holder);
  if (column === undefined) return undefined;
  const row = await selectColumns(reader)
    .where(sql.ref(column), "=", value)
    .executeTakeFirst();
  return row && toSubscription(seal, row);
}

/** Finds one whose user and session may still receive something. */
export async function findLivingSubscription(
  reader: Reader,
  seal: BoundSeal,
  id: PushSubscriptionId,
  now: Timestamp,
): Promise<PushSubscription | undefined> {
  const row = await selectColumns(reader)
    .innerJoin("users", "users.id", "push_subscriptions.user_id")
    .innerJoin("people", "people.user_id", "users.id")
    .leftJoin("sessions", "sessions.id_hash", "push_subscriptions.session_hash")
    .where("push_subscriptions.id", "=", id)
    .where("users.state", "=", "active")
    .where("people.state", "=", "active")
    .where((is) =>
      is.or([
        is("push_subscriptions.session_hash", "is", null),
        is("sessions.expires_at", ">", now),
      ]),
    )
    .executeTakeFirst();
  return row && toSubscription(seal, row);
}

/** Where a user's pushes go: ids, with the hosts on which they depend. */
export type PushAddress = {
  readonly id: PushSubscriptionId;
  readonly host: string;
};

const addresses = prepareQuery<{ userId: UserId }, PushAddress>(
  (reader, value) =>
    reader
      .selectFrom("push_subscriptions")
      .select(["id", "host"])
      .where("user_id", "=", value("userId"))
      .where("policy", "<>", "none")
      .compile(),
);

/** Asked with every notification. */
export const listAddresses = (
  reader: Reader,
  userId: UserId,
): Promise<PushAddress[]> => addresses(reader, { userId });

/** Inserts one in the place of that of the same session or token. */
export async function replaceSubscription(
  tx: Tx,
  seal: BoundSeal,
  userId: UserId,
  { columns, token }: { columns: HolderColumns; token: string | null },
  given: NewPushSubscription,
  now: Timestamp,
): Promise<PushSubscriptionId> {
  const { endpoint } = given.target;
  await deleteSubscriptionOf(tx, columns);
  const { id } = await tx
    .insertInto("push_subscriptions")
    .values({
      ...{ user_id: userId, session_hash: null },
      ...{ token_id: null, access_id: null, ...columns },
      host: new URL(endpoint).host,
      endpoint_hash: hashSecret(endpoint),
      target_sealed: seal.seal(linesOf(given.target, token), nameOf(userId)),
      ...{ encoding: given.encoding, policy: given.policy },
      alerts: storeJson(given.alerts),
      created_at: now,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * Deletes others at the same endpoint: those of the same user, and those of other sessions if it
 * is of a session, because a browser shows pages to one user.
 */
export async function deleteOthersAt(
  tx: Tx,
  endpoint: string,
  userId: UserId,
  isOfSession: boolean,
): Promise<void> {
  await tx
    .deleteFrom("push_subscriptions")
    .where("endpoint_hash", "=", hashSecret(endpoint))
    .where((is) =>
      is.or([
        is("user_id", "=", userId),
        ...(isOfSession ? [is("session_hash", "is not", null)] : []),
      ]),
    )
    .execute();
}

/** Deletes the oldest, until this many are left. */
export async function deleteSurplusSubscriptions(
  tx: Tx,
  userId: UserId,
  kept: number,
): Promise<void> {
  await tx
    .deleteFrom("push_subscriptions")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("push_subscriptions as one")
        .select("one.id")
        .where("one.user_id", "=", userId)
        .orderBy("one.id", "desc")
        // SQLite takes an offset only with a limit.
        .limit(1000)
        .offset(kept),
    )
    .execute();
}

export async function updateChoice(
  tx: Tx,
  id: PushSubscriptionId,
  { alerts, policy }: PushChoice,
): Promise<void> {
  await tx
    .updateTable("push_subscriptions")
    .set({ alerts: storeJson(alerts), policy })
    .where("id", "=", id)
    .execute();
}

export async function deleteSubscriptionOf(
  tx: Tx,
  holder: HolderColumns,
): Promise<void> {
  for (const [column, value] of Object.entries(holder))
    await tx
      .deleteFrom("push_subscriptions")
      .where(sql.ref(column), "=", value)
      .execute();
}

export async function deleteSubscription(
  tx: Tx,
  id: PushSubscriptionId,
): Promise<void> {
  await tx.deleteFrom("push_subscriptions").where("id", "=", id).execute();
}
