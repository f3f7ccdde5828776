import type { Reader } from "../../db/db.ts";

/** The error of the previous attempt; null for the first one. */
export async function findLastError(
  reader: Reader,
  jobId: number,
): Promise<string | null> {
  const row = await reader
    .selectFrom("jobs")
    .select("last_error")
    .where("id", "=", jobId)
    .executeTakeFirst();
  return row?.last_error ?? null;
}
