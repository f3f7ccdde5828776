import type { Reader } from "../../db/db.ts";
import { loadJson } from "../../db/schema/columns/json-text.ts";
import type { SignedIn } from "../accounts/index.ts";
import type { Keyed } from "./export-file.ts";
import { pageAfter } from "./page-after.ts";

/** Posts that are not published yet; their pictures are among the photos. */
export async function listExportedDrafts(
  reader: Reader,
  { userId }: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("drafts")
    .selectAll()
    .where("user_id", "=", userId)
    .$call(pageAfter("id", afterId, limit))
    .execute();
  return rows.map((row) => ({
    key: row.id,
    record: {
      ...loadJson(row.content),
      publishAt: row.publish_at,
      failedReason: row.failed_reason,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    },
  }));
}
