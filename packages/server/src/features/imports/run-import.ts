import { KithError } from "../../lib/errors.ts";
import type { Author } from "../posts/index.ts";
import { refuse } from "../../lib/archives/archive-entry.ts";
import { isArchive, unpackArchive } from "../../lib/archives/unpack.ts";
import { openKithArchive } from "./formats/kith-archive.ts";
import { listKindOf, openList, type ListKind } from "./formats/lists-csv.ts";
import { openImportFolder } from "./import-folder.ts";
import type { ImportItem } from "./import-item.ts";
import { importRelation } from "./import-relation.ts";
import { countOutcomes, type ArchiveReport } from "./import-report.ts";
import type { ImportDeps, ImportRun } from "./import-run.ts";
import { importWriting } from "./import-writing.ts";
import type { Source } from "./source-format.ts";

export type RunImport = {
  readonly user: Author;
  /** On this machine. */
  readonly file: string;
  /** The kind of a list whose file name does not say it. */
  readonly kind?: ListKind | undefined;
  /** Tell what would happen, and change nothing. */
  readonly isRehearsal: boolean;
  /** Is called with how many records are done, and how many there are. */
  readonly onProgress?: (done: number, ofAll: number) => void;
};

/** More than the largest accounts hold. */
const MAX_RECORDS = 1_000_000;

/**
 * Imports an archive or a list. It may be stopped at any record and run again: what is here
 * already is counted as known and stays as it is.
 * @param folder of the imports of all accounts
 * @throws {KithError} `bad_request` for a file of no known form, `conflict` while another import
 *   of the account is running
 */
export async function runImport(
  deps: ImportDeps,
  folder: string,
  { user, file, kind, isRehearsal, onProgress }: RunImport,
): Promise<ArchiveReport> {
  const opened = await openImportFolder(folder, user.userId, deps.clock);
  try {
    const source = await openSource(deps, file, opened.files, kind);
    const ofAll = await count(source);
    const outcomes = countOutcomes();
    const run = { user, source, isRehearsal, outcomes, planned: new Map() };
    let done = 0;
    for await (const item of source.items()) {
      await importItem(deps, run, item);
      done += 1;
      onProgress?.(done, ofAll);
    }
    return outcomes.report();
  } finally {
    await opened.remove();
  }
}

async function openSource(
  { openOther }: ImportDeps,
  file: string,
  folder: string,
  kind: ListKind | undefined,
): Promise<Source> {
  if (!(await isArchive(file))) {
    const known = kind ?? listKindOf(file);
    if (known) return openList(file, known);
    throw new KithError(
      "bad_request",
      "This is neither a zip nor a tar.gz file, and its name does not say what it lists.",
    );
  }
  const files = await unpackArchive(file, folder);
  const source = openKithArchive(files) ?? openOther(files);
  if (!source) throw refuse("is of no known program");
  return source;
}

/** Reads all of it once before anything is stored, so that a damaged file changes nothing. */
async function count(source: Source): Promise<number> {
  let records = 0;
  for await (const _ of source.items()) {
    records += 1;
    if (records > MAX_RECORDS) throw refuse("holds too many records");
  }
  return records;
}

async function importItem(
  deps: ImportDeps,
  run: ImportRun,
  item: ImportItem,
): Promise<void> {
  if ("fault" in item) run.outcomes.note(item.kind, item.fault, item.name);
  else if (item.kind === "post")
    await importWriting(deps, run, item.writing, item.name);
  else await importRelation(deps, run, item);
}
