import type { Tx } from "../../db/db.ts";
import { storeJson } from "../../db/schema/columns/json-text.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { PersonId } from "../ids.ts";
import type { Report } from "./report.ts";

export type NewReport = Omit<
  Report,
  "id" | "assignee" | "resolution" | "resolver" | "resolvedAt"
>;

/**
 * Idempotent: a known report is left unchanged.
 * @returns undefined for a known Guid, and for an open report of the same thing by the same
 * person
 */
export async function insertReport(
  tx: Tx,
  report: NewReport,
): Promise<number | undefined> {
  const row = await tx
    .insertInto("reports")
    .values({
      guid: report.guid,
      host: report.host,
      ...(report.reporterId !== null && { reporter_id: report.reporterId }),
      person_id: report.personId,
      target_kind: report.targetKind,
      ...(report.targetGuid !== null && { target_guid: report.targetGuid }),
      evidence: report.evidence,
      objects: storeJson(report.objects),
      text: report.text,
      category: report.category,
      forwarded: report.forwarded,
      created_at: report.createdAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  return row?.id;
}

/** The moderator who handles it; null for none. */
export async function updateAssignee(
  tx: Tx,
  id: number,
  assignee: string | null,
): Promise<void> {
  await tx
    .updateTable("reports")
    .set({ assignee })
    .where("id", "=", id)
    .execute();
}

/** @returns false if it is closed already */
export async function closeReport(
  tx: Tx,
  id: number,
  by: string,
  resolution: string,
  now: Timestamp,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("reports")
    .set({ resolution, resolver: by, resolved_at: now })
    .where("id", "=", id)
    .where("resolved_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** @returns false if it is open already */
export async function openReport(tx: Tx, id: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("reports")
    .set({ resolution: null, resolver: null, resolved_at: null })
    .where("id", "=", id)
    .where("resolved_at", "is not", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function insertNote(
  tx: Tx,
  reportId: number,
  note: { author: string; text: string; createdAt: Timestamp },
): Promise<void> {
  await tx
    .insertInto("report_notes")
    .values({
      report_id: reportId,
      author: note.author,
      text: note.text,
      created_at: note.createdAt,
    })
    .execute();
}

/** Deletes reports about a deleted person. @returns how many */
export async function deleteSomeReportsAbout(
  tx: Tx,
  personId: PersonId,
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("reports")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("reports as own")
        .select("own.id")
        .where("own.person_id", "=", personId)
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Removes a deleted person as reporter: the reports stay to be handled. @returns how many */
export async function forgetSomeReporters(
  tx: Tx,
  personId: PersonId,
  limit: number,
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable("reports")
    .set({ reporter_id: null })
    .where("id", "in", (eb) =>
      eb
        .selectFrom("reports as own")
        .select("own.id")
        .where("own.reporter_id", "=", personId)
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
