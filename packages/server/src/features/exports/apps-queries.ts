import type { Reader } from "../../db/db.ts";
import { loadJson } from "../../db/schema/columns/json-text.ts";
import type { SignedIn } from "../accounts/index.ts";
import type { Keyed } from "./export-file.ts";
import { pageAfter } from "./page-after.ts";

/** Apps that the user has let in, without their tokens. */
export async function listExportedApps(
  reader: Reader,
  { userId }: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("oauth_accesses")
    .innerJoin("oauth_apps", "oauth_apps.id", "oauth_accesses.app_id")
    .select(["oauth_accesses.id", "oauth_apps.name", "oauth_apps.website"])
    .select(["oauth_accesses.scopes", "oauth_accesses.created_at"])
    .select("oauth_accesses.last_used_at")
    .where("oauth_accesses.user_id", "=", userId)
    .$call(pageAfter("oauth_accesses.id", afterId, limit))
    .execute();
  return rows.map((row) => ({
    key: row.id,
    record: {
      name: row.name,
      website: row.website,
      scopes: loadJson(row.scopes),
      createdAt: row.created_at,
      lastUsedAt: row.last_used_at,
    },
  }));
}
