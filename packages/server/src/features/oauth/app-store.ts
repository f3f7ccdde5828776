import { sql } from "kysely";
import type { Reader, Tx } from "../../db/db.ts";
import { loadJson, storeJson } from "../../db/schema/columns/json-text.ts";
import type { JsonText } from "../../db/schema/columns/json-text.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import { hashSecret } from "../accounts/index.ts";
import type { AppId } from "../ids.ts";
import type { App } from "./app.ts";
import { parseScopes } from "./scopes.ts";

export type StoredApp = App & {
  readonly secretHash: string;
  readonly usedAt: Timestamp;
};

export async function insertApp(
  tx: Tx,
  app: Omit<App, "id">,
  secret: string,
): Promise<AppId> {
  const { id } = await tx
    .insertInto("oauth_apps")
    .values({
      client_id: app.clientId,
      secret_hash: hashSecret(secret),
      name: app.name,
      website: app.website,
      redirect_uris: storeJson(app.redirectUris),
      scopes: storeJson(app.scopes),
      created_at: app.createdAt,
      used_at: app.createdAt,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function findApp(
  reader: Reader,
  by: { readonly clientId: string } | { readonly id: AppId },
): Promise<StoredApp | undefined> {
  const query = reader.selectFrom("oauth_apps").selectAll();
  const row = await (
    "id" in by
      ? query.where("id", "=", by.id)
      : query.where("client_id", "=", by.clientId)
  ).executeTakeFirst();
  return (
    row && {
      id: row.id,
      clientId: row.client_id,
      secretHash: row.secret_hash,
      name: row.name,
      website: row.website,
      redirectUris: loadJson(row.redirect_uris),
      scopes: loadScopes(row.scopes),
      createdAt: row.created_at,
      usedAt: row.used_at,
    }
  );
}

/** Stored scopes; one that is no scope any more allows nothing. */
export function loadScopes(stored: JsonText<readonly string[]>) {
  return parseScopes(loadJson(stored).join(" "));
}

/** @param isAuthorized does a person let it in? */
export async function updateAppUse(
  tx: Tx,
  id: AppId,
  now: Timestamp,
  isAuthorized: boolean,
): Promise<void> {
  await tx
    .updateTable("oauth_apps")
    .set({ used_at: now, ...(isAuthorized && { authorized: true }) })
    .where("id", "=", id)
    .execute();
}

/**
 * Deletes some apps that have no access or code any more and were not used for long.
 * @returns how many
 */
export async function deleteUnusedApps(
  tx: Tx,
  usedBefore: { readonly authorized: Timestamp; readonly unknown: Timestamp },
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("oauth_apps")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("oauth_apps as app")
        .select("app.id")
        .where("app.used_at", "<", usedBefore.unknown)
        .where(
          sql<boolean>`(not app.authorized or app.used_at < ${usedBefore.authorized})`,
        )
        .where((is) =>
          is.not(
            is.exists(
              is
                .selectFrom("oauth_accesses")
                .select("oauth_accesses.id")
                .whereRef("oauth_accesses.app_id", "=", "app.id"),
            ),
          ),
        )
        .where((is) =>
          is.not(
            is.exists(
              is
                .selectFrom("oauth_codes")
                .select("oauth_codes.code_hash")
                .whereRef("oauth_codes.app_id", "=", "app.id"),
            ),
          ),
        )
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
