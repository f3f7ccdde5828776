import type { Reader, Tx } from "../../db/db.ts";
import { prepareQuery } from "../../db/prepared-query.ts";
import {
  loadJson,
  storeJson,
  type JsonText,
} from "../../db/schema/columns/json-text.ts";
import type { QuotablePeople } from "../../db/schema/columns/stored-names.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { DefaultAudience } from "../audiences/index.ts";
import type { InvitationId, UserId } from "../ids.ts";
import type { Account, Role, Settings } from "./account.ts";

export type StoredAccount = Account &
  Settings & { readonly passwordHash: string };

export type NewAccountState = Exclude<Account["state"], "suspended">;

const selectAccounts = (reader: Reader) =>
  reader
    .selectFrom("users")
    .leftJoin("people", "people.user_id", "users.id")
    .select([
      "users.id",
      "username",
      "password_hash",
      "role",
      "users.state",
      "people.state as person_state",
      "locale",
      "time_zone",
      "default_audience",
      "link_previews",
      "post_language",
      "read_languages",
      "quotable_by",
      "event_reminder",
      "day_reminder",
      "last_seen_at",
      "users.created_at",
    ]);

const DEFAULT_SETTINGS: Settings = {
  audience: { kind: "everyone" },
  locale: "en",
  timeZone: "UTC",
  linkPreviews: true,
  postLanguage: null,
  readLanguages: [],
  quotableBy: "everyone",
  eventReminder: 60,
  dayReminder: 900,
};

type Row = {
  id: UserId;
  username: string;
  password_hash: string;
  role: Role;
  state: Exclude<Account["state"], "suspended">;
  person_state: string | null;
  locale: string;
  time_zone: string;
  default_audience: JsonText<DefaultAudience> | null;
  link_previews: boolean | number;
  post_language: string | null;
  read_languages: JsonText<readonly string[]> | null;
  quotable_by: QuotablePeople | null;
  event_reminder: number | null;
  day_reminder: number | null;
  last_seen_at: string | null;
  created_at: string;
};

function toAccount(row: Row): StoredAccount {
  return {
    id: row.id,
    username: row.username,
    passwordHash: row.password_hash,
    role: row.role,
    state: toState(row),
    locale: row.locale,
    timeZone: row.time_zone,
    audience:
      row.default_audience === null
        ? DEFAULT_SETTINGS.audience
        : loadJson(row.default_audience),
    linkPreviews: Boolean(row.link_previews),
    postLanguage: row.post_language,
    readLanguages:
      row.read_languages === null
        ? DEFAULT_SETTINGS.readLanguages
        : loadJson(row.read_languages),
    quotableBy: row.quotable_by ?? DEFAULT_SETTINGS.quotableBy,
    eventReminder: row.event_reminder,
    dayReminder: row.day_reminder,
    lastSeenAt: row.last_seen_at,
    createdAt: row.created_at,
  };
}

/**
 * Suspension is stored with the person; when it is lifted, the account returns to its
 * former state.
 */
export function toState(
  row: Pick<Row, "state" | "person_state">,
): Account["state"] {
  const { state } = row;
  return row.person_state === "shut_out" && state !== "closed"
    ? "suspended"
    : state;
}

/** @returns undefined if the name was ever taken before */
export async function insertAccount(
  tx: Tx,
  account: {
    username: string;
    passwordHash: string;
    role: Role;
    state: NewAccountState;
    /** Only for an account that waits for approval. */
    reason: string | null;
    /** English by default. */
    locale?: string | undefined;
    /** UTC by default. */
    timeZone?: string | undefined;
  },
  now: Timestamp,
): Promise<UserId | undefined> {
  const row = await tx
    .insertInto("users")
    .values({
      username: account.username,
      password_hash: account.passwordHash,
      role: account.role,
      state: account.state,
      locale: account.locale ?? DEFAULT_SETTINGS.locale,
      time_zone: account.timeZone ?? DEFAULT_SETTINGS.timeZone,
      created_at: now,
      updated_at: now,
      sign_up_reason: account.reason,
    })
    .onConflict((conflict) => conflict.column("username").doNothing())
    .returning("id")
    .executeTakeFirst();
  return row?.id;
}

/** For each request with a session or token. */
const ACCOUNT_BY_ID = prepareQuery<{ id: UserId }, Row>((reader, value) =>
  selectAccounts(reader).where("users.id", "=", value("id")).compile(),
);

export async function findAccount(
  reader: Reader,
  key: { username: string } | { id: UserId },
): Promise<StoredAccount | undefined> {
  const [row] =
    "id" in key
      ? await ACCOUNT_BY_ID(reader, { id: key.id })
      : await selectAccounts(reader)
          .where("username", "=", key.username)
          .execute();
  return row && toAccount(row);
}

export async function countPending(reader: Reader): Promise<number> {
  const { count } = await reader
    .selectFrom("users")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("state", "=", "pending")
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function updatePassword(
  tx: Tx,
  userId: UserId,
  passwordHash: string,
  now: Timestamp,
): Promise<void> {
  await tx
    .updateTable("users")
    .set({ password_hash: passwordHash, updated_at: now })
    .where("id", "=", userId)
    .execute();
}

export async function updateSettings(
  tx: Tx,
  userId: UserId,
  settings: Settings,
  now: Timestamp,
): Promise<void> {
  const { audience, locale, timeZone, linkPreviews } = settings;
  const { postLanguage, readLanguages, quotableBy } = settings;
  await tx
    .updateTable("users")
    .set({
      locale,
      time_zone: timeZone,
      default_audience:
        audience.kind === "everyone" ? null : storeJson(audience),
      link_previews: linkPreviews,
      post_language: postLanguage,
      read_languages:
        readLanguages.length === 0 ? null : storeJson(readLanguages),
      quotable_by: quotableBy === "everyone" ? null : quotableBy,
      event_reminder: settings.eventReminder,
      day_reminder: settings.dayReminder,
      updated_at: now,
    })
    .where("id", "=", userId)
    .execute();
}

/** Closes an account for good: no one can sign in any more, and the name stays taken. */
export async function updateAccountClosed(
  tx: Tx,
  userId: UserId,
  now: Timestamp,
): Promise<void> {
  await tx
    .updateTable("users")
    .set({
      state: "closed",
      password_hash: "",
      locale: DEFAULT_SETTINGS.locale,
      time_zone: DEFAULT_SETTINGS.timeZone,
      last_seen_at: null,
      sign_up_reason: null,
      updated_at: now,
    })
    .where("id", "=", userId)
    .execute();
}

export async function updateRole(
  tx: Tx,
  userId: UserId,
  role: Role,
  now: Timestamp,
): Promise<void> {
  await tx
    .updateTable("users")
    .set({ role, updated_at: now })
    .where("id", "=", userId)
    .execute();
}

/**
 * Approves a pending account.
 * @returns false if it is not pending
 */
export async function updateApproved(
  tx: Tx,
  userId: UserId,
  now: Timestamp,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("users")
    .set({ state: "active", sign_up_reason: null, updated_at: now })
    .where("id", "=", userId)
    .where("state", "=", "pending")
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** A pending account owns no other rows yet. */
export async function deletePending(tx: Tx, userId: UserId): Promise<void> {
  await tx
    .deleteFrom("users")
    .where("id", "=", userId)
    .where("state", "=", "pending")
    .execute();
}

export async function updateInvitation(
  tx: Tx,
  userId: UserId,
  invitationId: InvitationId,
): Promise<void> {
  await tx
    .updateTable("users")
    .set({ invitation_id: invitationId })
    .where("id", "=", userId)
    .execute();
}

export async function updateLastSeen(
  tx: Tx,
  userId: UserId,
  now: Timestamp,
): Promise<void> {
  await tx
    .updateTable("users")
    .set({ last_seen_at: now })
    .where("id", "=", userId)
    .execute();
}

/** Is there an admin who can sign in? */
export async function hasAdmin(reader: Reader): Promise<boolean> {
  const row = await reader
    .selectFrom("users")
    .innerJoin("people", "people.user_id", "users.id")
    .select("users.id")
    .where("users.role", "=", "admin")
    .where("users.state", "=", "active")
    .where("people.state", "=", "active")
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
