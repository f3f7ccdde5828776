import { sql, type ExpressionBuilder } from "kysely";
import type { Reader, Tx } from "../../../db/db.ts";
import { prepareQuery } from "../../../db/prepared-query.ts";
import { loadJson, storeJson } from "../../../db/schema/columns/json-text.ts";
import type { Database } from "../../../db/schema/schema.ts";
import type { Timestamp } from "../../../lib/time/clock.ts";
import type { PersonId, UserId } from "../../ids.ts";
import { hashSecret } from "../keys/hash-secret.ts";
import type {
  ChosenAudience,
  ListedSession,
  Role,
  Session,
  SignedIn,
} from "../account.ts";

export async function insertSession(
  tx: Tx,
  session: {
    secret: string;
    userId: UserId;
    csrfToken: string;
    createdAt: Timestamp;
    expiresAt: Timestamp;
    device: string;
  },
): Promise<void> {
  await tx
    .insertInto("sessions")
    .values({
      id_hash: hashSecret(session.secret),
      user_id: session.userId,
      csrf_token: session.csrfToken,
      created_at: session.createdAt,
      expires_at: session.expiresAt,
      device: session.device,
    })
    .execute();
}

const selectSession = (reader: Reader, idHash: string, now: Timestamp) =>
  reader
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .innerJoin("people", "people.user_id", "users.id")
    .select([
      "users.id as user_id",
      "people.id as person_id",
      "users.username",
      "users.role",
      "users.last_seen_at",
      "users.locale",
      "users.time_zone",
      "sessions.csrf_token",
    ])
    .where("sessions.id_hash", "=", idHash)
    .where("sessions.expires_at", ">", now)
    .where("users.state", "=", "active")
    .where("people.state", "<>", "shut_out");

type SessionRow = Awaited<
  ReturnType<ReturnType<typeof selectSession>["executeTakeFirstOrThrow"]>
>;

const byHash = prepareQuery<{ idHash: string; now: Timestamp }, SessionRow>(
  (reader, value) =>
    selectSession(reader, value("idHash"), value("now")).compile(),
  { types: { idHash: "text", now: "text" } },
);

type StoredSession = Session & { readonly lastSeenAt: Timestamp | null };

/** Finds the user of a session. Runs for every page. */
export async function findSession(
  reader: Reader,
  secret: string,
  now: Timestamp,
): Promise<StoredSession | undefined> {
  const [row] = await byHash(reader, { idHash: hashSecret(secret), now });
  return (
    row && {
      user: toSignedIn(row),
      csrfToken: row.csrf_token,
      settings: { locale: row.locale, timeZone: row.time_zone },
      lastSeenAt: row.last_seen_at,
    }
  );
}

/** Converts the row found for a session or a token to its user. */
export function toSignedIn(row: {
  user_id: UserId;
  person_id: PersonId;
  username: string;
  role: Role;
}): SignedIn {
  return {
    userId: row.user_id,
    personId: row.person_id,
    username: row.username,
    role: row.role,
  };
}

type LastAudiences = readonly (readonly [place: string, ChosenAudience])[];

const isOfSession = ({ user, csrfToken }: Session) => {
  return (eb: ExpressionBuilder<Database, "sessions">) =>
    eb.and({ user_id: user.userId, csrf_token: csrfToken });
};

export async function findLastAudiences(
  reader: Reader,
  session: Session,
): Promise<LastAudiences> {
  const row = await reader
    .selectFrom("sessions")
    .select("last_audiences")
    .where(isOfSession(session))
    .executeTakeFirst();
  return row?.last_audiences == null ? [] : loadJson(row.last_audiences);
}

export async function updateLastAudiences(
  tx: Tx,
  session: Session,
  audiences: LastAudiences,
): Promise<void> {
  await tx
    .updateTable("sessions")
    .set({ last_audiences: storeJson(audiences) })
    .where(isOfSession(session))
    .execute();
}

export async function deleteSession(tx: Tx, secret: string): Promise<void> {
  await tx
    .deleteFrom("sessions")
    .where("id_hash", "=", hashSecret(secret))
    .execute();
}

/** @param kept the secret of the session that stays */
export async function deleteSessionsOf(
  tx: Tx,
  userId: UserId,
  kept?: string,
): Promise<void> {
  let query = tx.deleteFrom("sessions").where("user_id", "=", userId);
  if (kept !== undefined)
    query = query.where("id_hash", "<>", hashSecret(kept));
  await query.execute();
}

/** Enough of a hash to identify a session to its owner, and useless to anyone else. */
const NAME_LENGTH = 20;

/**
 * Lists sessions, newest first.
 * @param current the secret of the requesting session
 */
export async function listSessions(
  reader: Reader,
  userId: UserId,
  current: string,
  now: Timestamp,
): Promise<ListedSession[]> {
  const rows = await reader
    .selectFrom("sessions")
    .select(["id_hash", "device", "created_at"])
    .where("user_id", "=", userId)
    .where("expires_at", ">", now)
    .orderBy("created_at", "desc")
    .limit(1000)
    .execute();
  return rows.map((row) => ({
    name: row.id_hash.slice(0, NAME_LENGTH),
    device: row.device,
    createdAt: row.created_at,
    isCurrent: row.id_hash === hashSecret(current),
  }));
}

/** @returns false if the user has no such session */
export async function deleteNamedSession(
  tx: Tx,
  userId: UserId,
  name: string,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("sessions")
    .where("user_id", "=", userId)
    .where(sql`substr(id_hash, 1, ${NAME_LENGTH})`, "=", name)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deleteExpiredSessions(
  tx: Tx,
  now: Timestamp,
): Promise<void> {
  await tx.deleteFrom("sessions").where("expires_at", "<=", now).execute();
}
