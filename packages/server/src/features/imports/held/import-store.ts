import type { Tx } from "../../../db/db.ts";
import { storeJson } from "../../../db/schema/columns/json-text.ts";
import type { Timestamp } from "../../../lib/time/clock.ts";
import type { UserId } from "../../ids.ts";
import type { ListKind } from "../formats/lists-csv.ts";
import type { ImportProgress } from "../run-import.ts";
import type { HeldImport, ImportState } from "./held-import.ts";

/** Stores an import whose file is being uploaded. @returns its id */
export async function insertImport(
  tx: Tx,
  given: Pick<HeldImport, "createdAt" | "fileKey" | "fileName"> & {
    readonly userId: UserId;
  },
): Promise<number> {
  const { id } = await tx
    .insertInto("imports")
    .values({
      user_id: given.userId,
      file_key: given.fileKey,
      file_name: given.fileName,
      state: "receiving",
      created_at: given.createdAt,
      changed_at: given.createdAt,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Notes a part before it is stored, so that it is deleted if the upload breaks off. */
export async function saveParts(
  tx: Tx,
  id: number,
  { parts, bytes }: Pick<HeldImport, "bytes" | "parts">,
  now: Timestamp,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("imports")
    .set({ parts, bytes, changed_at: now })
    .where("id", "=", id)
    .where("state", "=", "receiving")
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function saveListKind(
  tx: Tx,
  id: number,
  kind: ListKind | null,
): Promise<void> {
  await tx
    .updateTable("imports")
    .set({ list_kind: kind })
    .where("id", "=", id)
    .execute();
}

/** Changes the state, if it is one of these. @returns false otherwise */
export async function changeState(
  tx: Tx,
  id: number,
  from: readonly ImportState[],
  to: ImportState,
  now: Timestamp,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("imports")
    .set({ state: to, changed_at: now, failure: null })
    .where("id", "=", id)
    .where("state", "in", from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Notes that an import under way has ended by itself; an empty report says that it had begun. */
export async function saveInterruption(
  tx: Tx,
  { id, state, report }: Pick<HeldImport, "id" | "report" | "state">,
  failure: string,
  now: Timestamp,
): Promise<void> {
  const begun =
    state === "importing" ? { report: storeJson(report ?? {}) } : {};
  await tx
    .updateTable("imports")
    .set({ ...begun, state: "interrupted", failure, changed_at: now })
    .where("id", "=", id)
    .where("state", "=", state)
    .execute();
}

/** Notes that the account of the archive moves here, as its owner asks. */
export async function saveMoves(tx: Tx, id: number): Promise<void> {
  await tx
    .updateTable("imports")
    .set({ moves: true })
    .where("id", "=", id)
    .execute();
}

/** Notes how far a rehearsal or an import has come. @returns false if it was stopped or deleted */
export async function saveProgress(
  tx: Tx,
  id: number,
  state: "importing" | "rehearsing",
  { done, total, report }: ImportProgress,
  now: Timestamp,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("imports")
    .set({
      ...{ done, total, changed_at: now },
      [state === "importing" ? "report" : "rehearsal"]: storeJson(report),
    })
    .where("id", "=", id)
    .where("state", "=", state)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Starts counting at the first record: the rehearsal has come to the last one. */
export async function resetProgress(tx: Tx, id: number): Promise<void> {
  await tx
    .updateTable("imports")
    .set({ done: 0 })
    .where("id", "=", id)
    .execute();
}

/** Ends an import, whose file is deleted; its account may begin another one. */
export async function endImport(
  tx: Tx,
  id: number,
  {
    state,
    failure = null,
  }: { readonly state: ImportState; readonly failure?: string | null },
  now: Timestamp,
): Promise<void> {
  await tx
    .updateTable("imports")
    .set({ ...{ state, failure, parts: 0 }, changed_at: now, ended_at: now })
    .where("id", "=", id)
    .execute();
}

export async function deleteImport(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom("imports").where("id", "=", id).execute();
}
