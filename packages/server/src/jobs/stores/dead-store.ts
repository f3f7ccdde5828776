import type { Db, Tx } from "../../db/db.ts";
import { forUpdate } from "../../db/dialect.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { DroppedJob } from "./queue-administration-store.ts";

/** Dates the dead jobs of an older version of Kith, which wrote no date. */
export async function dateDead(tx: Tx, now: Timestamp): Promise<void> {
  await tx
    .updateTable("jobs")
    .set({ died_at: now })
    .where("state", "=", "dead")
    .where("died_at", "is", null)
    .execute();
}

/**
 * Deletes up to `limit` jobs that died before then. @returns them, with the
 * documents that they needed
 */
export async function deleteDead(
  { dialect }: Db,
  tx: Tx,
  before: Timestamp,
  limit: number,
): Promise<(DroppedJob & { readonly documentId: number | null })[]> {
  const chosen = tx
    .selectFrom("jobs")
    .select("id")
    .where("died_at", "<", before)
    .where("state", "=", "dead")
    .orderBy("died_at")
    .limit(limit)
    .modifyEnd(forUpdate(dialect));
  const rows = await tx
    .deleteFrom("jobs")
    .where("id", "in", chosen)
    .returning(["id", "kind", "payload", "host", "document_id"])
    .execute();
  return rows.map(({ document_id, ...row }) => ({
    ...row,
    documentId: document_id,
  }));
}

/**
 * Deletes up to `limit` documents that were stored before then and that no job
 * needs. @returns how many
 */
export async function deleteOrphans(
  tx: Tx,
  before: Timestamp,
  limit: number,
): Promise<number> {
  const orphans = tx
    .selectFrom("job_documents")
    .select("id")
    .where("created_at", "<", before)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("jobs")
            .select("jobs.id")
            .whereRef("jobs.document_id", "=", "job_documents.id"),
        ),
      ),
    )
    .limit(limit);
  const { numDeletedRows } = await tx
    .deleteFrom("job_documents")
    .where("id", "in", orphans)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
