import type { Reader } from "../../../db/db.ts";
import { loadJson } from "../../../db/schema/columns/json-text.ts";
import type { UserId } from "../../ids.ts";
import { fetchPage, type Page } from "../../page.ts";
import type { Author } from "../../posts/index.ts";
import { LIST_KINDS } from "../formats/lists-csv.ts";
import { IMPORT_STATES, type HeldImport } from "./held-import.ts";

const selectImports = (reader: Reader) =>
  reader.selectFrom("imports").selectAll("imports");

type Row = Awaited<
  ReturnType<ReturnType<typeof selectImports>["executeTakeFirstOrThrow"]>
>;

function toImport(row: Row): HeldImport {
  return {
    id: row.id,
    userId: row.user_id,
    fileKey: row.file_key,
    fileName: row.file_name,
    listKind: LIST_KINDS.find((kind) => kind === row.list_kind) ?? null,
    bytes: row.bytes,
    parts: row.parts,
    state: IMPORT_STATES.find((state) => state === row.state) ?? "failed",
    done: row.done,
    total: row.total,
    rehearsal: row.rehearsal && loadJson(row.rehearsal),
    report: row.report && loadJson(row.report),
    moves: Boolean(row.moves),
    failure: row.failure,
    createdAt: row.created_at,
    changedAt: row.changed_at,
    endedAt: row.ended_at,
  };
}

export async function findImport(
  reader: Reader,
  id: number,
): Promise<HeldImport | undefined> {
  const row = await selectImports(reader)
    .where("id", "=", id)
    .executeTakeFirst();
  return row && toImport(row);
}

/** The import that holds the place of its account. */
export async function findOpenImport(
  reader: Reader,
  userId: UserId,
): Promise<HeldImport | undefined> {
  const row = await selectImports(reader)
    .where("user_id", "=", userId)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  return row && toImport(row);
}

/** One page of the imports of an account, newest first. */
export async function listImportsOf(
  reader: Reader,
  userId: UserId,
  page: Page,
): Promise<HeldImport[]> {
  const query = selectImports(reader).where("user_id", "=", userId);
  return (await fetchPage(query, "imports.id", page)).map(toImport);
}

/** The bytes of all files that are stored. */
export async function sumStoredBytes(reader: Reader): Promise<number> {
  const { bytes } = await reader
    .selectFrom("imports")
    .select((eb) => eb.fn.sum<number | null>("bytes").as("bytes"))
    .where("parts", ">", 0)
    .executeTakeFirstOrThrow();
  return Number(bytes ?? 0);
}

/** Some imports that did not change since then, oldest first. */
export async function listUnchanged(
  reader: Reader,
  since: string,
  limit: number,
): Promise<HeldImport[]> {
  const rows = await selectImports(reader)
    .where("changed_at", "<", since)
    .orderBy("changed_at")
    .limit(limit)
    .execute();
  return rows.map(toImport);
}

/** Some imports that are under way, longest unchanged first. */
export async function listUnderWay(
  reader: Reader,
  limit: number,
): Promise<HeldImport[]> {
  const rows = await selectImports(reader)
    .where("state", "in", ["importing", "rehearsing"])
    .orderBy("changed_at")
    .limit(limit)
    .execute();
  return rows.map(toImport);
}

/** Some uploads that broke off: they did not change since then. */
export async function listBrokenOff(
  reader: Reader,
  since: string,
  limit: number,
): Promise<HeldImport[]> {
  const rows = await selectImports(reader)
    .where("state", "=", "receiving")
    .where("changed_at", "<", since)
    .limit(limit)
    .execute();
  return rows.map(toImport);
}

/** The owner of an import, unless the account or its person is closed or suspended. */
export async function findImporter(
  reader: Reader,
  userId: UserId,
): Promise<Author | undefined> {
  const row = await reader
    .selectFrom("users")
    .innerJoin("people", "people.user_id", "users.id")
    .select("people.id")
    .where("users.id", "=", userId)
    .where("users.state", "=", "active")
    .where("people.state", "=", "active")
    .executeTakeFirst();
  return row && { userId, personId: row.id };
}
