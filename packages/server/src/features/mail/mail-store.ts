import { sql } from "kysely";
import type { Reader, Tx } from "../../db/db.ts";
import { prepareQuery } from "../../db/prepared-query.ts";
import {
  loadJson,
  storeJson,
  type JsonText,
} from "../../db/schema/columns/json-text.ts";
import { mailAddressKey } from "../../lib/mail/mail-address.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { NotificationKind } from "../notifications/index.ts";
import type { UserId } from "../ids.ts";
import {
  DEFAULT_MAIL_CHOICES,
  type MailChoices,
  type MailFrequency,
  type MailSettings,
} from "./mail-settings.ts";

/** @param now at which links have ended */
export async function findMailSettings(
  reader: Reader,
  userId: UserId,
  now: Timestamp,
): Promise<MailSettings> {
  const row = await reader
    .selectFrom("mail_addresses")
    .select(["address", "bounced_at", "wanted_address", "wanted_until"])
    .select(["wanted_hash", "frequency", "kinds", "staff_kinds"])
    .where("user_id", "=", userId)
    .executeTakeFirst();
  if (!row)
    return {
      ...DEFAULT_MAIL_CHOICES,
      ...{ address: null, bouncedAt: null, wanted: null },
    };
  const { wanted_address: wanted, wanted_until: until } = row;
  return {
    address: row.address,
    bouncedAt: row.bounced_at,
    wanted:
      wanted === null
        ? null
        : {
            address: wanted,
            hasEnded: row.wanted_hash === null || (until ?? "") <= now,
          },
    frequency: row.frequency,
    kinds: loadJson(row.kinds),
    staffKinds: loadJson(row.staff_kinds),
  };
}

export async function saveWantedAddress(
  tx: Tx,
  userId: UserId,
  wanted: {
    readonly address: string;
    readonly hash: string;
    readonly until: Timestamp;
  },
  now: Timestamp,
): Promise<void> {
  const values = {
    wanted_address: wanted.address,
    wanted_hash: wanted.hash,
    wanted_until: wanted.until,
    updated_at: now,
  };
  await tx
    .insertInto("mail_addresses")
    .values({ ...emptyRow(userId), ...values })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(values))
    .execute();
}

const emptyRow = (userId: UserId) => ({
  user_id: userId,
  ...{ address: null, address_key: null, confirmed_at: null },
  ...{ bounced_at: null, wanted_address: null, wanted_hash: null },
  ...{ wanted_until: null, digest_at: null, digest_after_id: 0 },
  frequency: DEFAULT_MAIL_CHOICES.frequency,
  kinds: storeJson(DEFAULT_MAIL_CHOICES.kinds),
  staff_kinds: storeJson(DEFAULT_MAIL_CHOICES.staffKinds),
});

export type WantedAddress = {
  readonly userId: UserId;
  readonly username: string;
  readonly address: string;
  readonly before: string | null;
};

/** Finds what a link confirms, of an account that is there. */
export async function findWantedAddress(
  reader: Reader,
  hash: string,
  now: Timestamp,
): Promise<WantedAddress | undefined> {
  const row = await reader
    .selectFrom("mail_addresses")
    .innerJoin("users", "users.id", "mail_addresses.user_id")
    .select(["user_id", "username", "address", "wanted_address"])
    .where("wanted_hash", "=", hash)
    .where("wanted_until", ">", now)
    .where("users.state", "in", ["active", "pending"])
    .executeTakeFirst();
  return row?.wanted_address == null
    ? undefined
    : {
        userId: row.user_id,
        username: row.username,
        address: row.wanted_address,
        before: row.address,
      };
}

export async function updateConfirmed(
  tx: Tx,
  userId: UserId,
  address: string,
  now: Timestamp,
): Promise<void> {
  await tx
    .updateTable("mail_addresses")
    .set({
      ...{ address, address_key: mailAddressKey(address), confirmed_at: now },
      ...{ bounced_at: null, wanted_address: null, wanted_hash: null },
      ...{ wanted_until: null, updated_at: now },
    })
    .where("user_id", "=", userId)
    .execute();
}

/** With all choices. */
export async function deleteMailAddress(tx: Tx, userId: UserId): Promise<void> {
  await tx.deleteFrom("mail_addresses").where("user_id", "=", userId).execute();
}

export async function saveMailChoices(
  tx: Tx,
  userId: UserId,
  choices: MailChoices,
  /** Absent if the digests go on as before. */
  digest:
    { readonly at: Timestamp | null; readonly afterId: number } | undefined,
  now: Timestamp,
): Promise<void> {
  const values = {
    frequency: choices.frequency,
    kinds: storeJson(choices.kinds),
    staff_kinds: storeJson(choices.staffKinds),
    ...(digest && {
      ...{ digest_at: digest.at, digest_after_id: digest.afterId },
    }),
    updated_at: now,
  };
  await tx
    .insertInto("mail_addresses")
    .values({ ...emptyRow(userId), ...values })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(values))
    .execute();
}

/** No mail reaches the address: nothing more is sent there. */
export async function updateBounced(
  tx: Tx,
  userId: UserId,
  address: string,
  now: Timestamp,
): Promise<void> {
  await tx
    .updateTable("mail_addresses")
    .set({ bounced_at: now, updated_at: now })
    .where("user_id", "=", userId)
    .where("address", "=", address)
    .execute();
  await tx
    .updateTable("mail_addresses")
    .set({ wanted_hash: null, wanted_until: null, updated_at: now })
    .where("user_id", "=", userId)
    .where("wanted_address", "=", address)
    .execute();
}

type Chosen = {
  readonly frequency: MailFrequency;
  readonly kinds: JsonText<readonly NotificationKind[]>;
};

const chosen = prepareQuery<{ userId: UserId }, Chosen>((reader, value) =>
  reader
    .selectFrom("mail_addresses")
    .select(["frequency", "kinds"])
    .where("user_id", "=", value("userId"))
    .where("address", "is not", null)
    .where("bounced_at", "is", null)
    .compile(),
);

/** The kinds of notifications that are sent to a user at once. Asked with every one. */
export async function listKindsAtOnce(
  reader: Reader,
  userId: UserId,
): Promise<readonly NotificationKind[]> {
  const [row] = await chosen(reader, { userId });
  return row?.frequency === "at_once" ? loadJson(row.kinds) : [];
}

export type DueDigest = {
  readonly userId: UserId;
  readonly dueAt: Timestamp;
  readonly frequency: MailFrequency;
  readonly afterId: number;
};

export async function listDueDigests(
  reader: Reader,
  now: Timestamp,
  limit: number,
): Promise<DueDigest[]> {
  const rows = await reader
    .selectFrom("mail_addresses")
    .select(["user_id", "digest_at", "frequency", "digest_after_id"])
    .where("digest_at", "<=", now)
    .orderBy("digest_at")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    userId: row.user_id,
    dueAt: row.digest_at ?? now,
    frequency: row.frequency,
    afterId: row.digest_after_id,
  }));
}

/** @returns false if the digest was begun, or the choice changed, meanwhile */
export async function updateDigest(
  tx: Tx,
  { userId, dueAt }: DueDigest,
  next: { readonly at: Timestamp | null; readonly afterId: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("mail_addresses")
    .set({ digest_at: next.at, digest_after_id: next.afterId })
    .where("user_id", "=", userId)
    .where("digest_at", "=", dueAt)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The id of the newest notification of a user; 0 if there is none. */
export async function findNewestNotification(
  reader: Reader,
  userId: UserId,
): Promise<number> {
  const row = await reader
    .selectFrom("notifications")
    .select(sql<number | null>`max(id)`.as("id"))
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return Number(row?.id ?? 0);
}

/** Finds the address of a user by a number that a stranger gave. */
export async function findAddressOf(
  reader: Reader,
  userId: number,
): Promise<{ userId: UserId; address: string } | undefined> {
  const row = await reader
    .selectFrom("mail_addresses")
    .select(["user_id", "address"])
    .where(sql<number>`user_id`, "=", userId)
    .executeTakeFirst();
  return row?.address == null
    ? undefined
    : { userId: row.user_id, address: row.address };
}

export async function listAddressesOf(
  reader: Reader,
  userIds: readonly UserId[],
): Promise<Map<UserId, string>> {
  if (userIds.length === 0) return new Map();
  const rows = await reader
    .selectFrom("mail_addresses")
    .select(["user_id", "address"])
    .where("user_id", "in", userIds)
    .execute();
  return new Map(
    rows.flatMap(({ user_id: id, address }) =>
      address === null ? [] : [[id, address] as const],
    ),
  );
}
