import path from "node:path";
import type { Author } from "../posts/index.ts";
import { refuse } from "../../lib/archives/archive-entry.ts";
import { cleanSource } from "./clean-source.ts";
import { countOutcomes, type ArchiveReport } from "./import-report.ts";
import { importRelation, isRelation } from "./import-relation.ts";
import { importWriting } from "./import-writing.ts";
import { importRecord } from "./records/import-record.ts";
import { WorkBudget } from "../../lib/limits/work-budget.ts";
import { openImportFolder } from "./import-folder.ts";
import { openImportSource } from "./open-import-source.ts";
import type { ImportDeps, ImportRun, PersonLimits } from "./import-run.ts";
import type { ImportItem } from "./import-item.ts";
import type { ListKind } from "./formats/lists-csv.ts";
import { checkOldAccount, importOldAccount } from "./records/import-account.ts";
import type { OldAccount, Source } from "./source-format.ts";

/** How far an import has come, in records. */
export type ImportProgress = {
  readonly done: number;
  readonly total: number;
  readonly report: ArchiveReport;
};

export type RunImport = {
  readonly user: Author;
  /** On this machine; or puts the file into a folder. */
  readonly file: string | ((folder: string) => Promise<string>);
  /** The kind of a list whose file name does not say it. */
  readonly kind?: ListKind | undefined;
  /** Tell what would happen, and change nothing. */
  readonly isRehearsal: boolean;
  /** Is called with how many records are done, and how many there are. */
  readonly onProgress?: (done: number, ofAll: number) => void;
  /** Move the account of the archive here, if it has its private key. */
  readonly moves?: boolean;
  /** Goes on after these records, with their report. */
  readonly after?: Omit<ImportProgress, "total">;
  /**
   * Is asked after each record; the import ends there if the answer is false.
   * @param isCertain the next step cannot be undone, so it must know whether somebody has stopped it
   */
  readonly goesOn?: (
    progress: ImportProgress,
    isCertain?: boolean,
  ) => Promise<boolean>;
  /** Of people who import by themselves. */
  readonly limits?: PersonLimits;
};

/** More than the largest accounts hold. */
const MAX_RECORDS = 1_000_000;
/** For the rules of all events that repeat: thousands of them, but for hostile ones. */
const MAX_RULES_MS = 10_000;

/**
 * Imports an archive or a list. It may be stopped at any record and run again: what is here
 * already is counted as known and stays as it is.
 * @param folder of the imports of all accounts
 * @returns how far it came; all records are done unless `goesOn` ended it
 * @throws {KithError} `bad_request` for a file of no known form, `conflict` while another import
 *   of the account is running
 */
export async function runImport(
  deps: ImportDeps,
  folder: string,
  input: RunImport,
): Promise<ImportProgress> {
  const { user, file, kind, isRehearsal, limits } = input;
  const opened = await openImportFolder(folder, user.userId);
  try {
    const name =
      typeof file === "string" ? file : await file(path.dirname(opened.files));
    const source = cleanSource(
      await openImportSource(deps, name, opened.files, kind, limits),
    );
    const records = await count(source, limits?.maxRecords ?? MAX_RECORDS);
    const old = await source.findOldAccount?.();
    const outcomes = countOutcomes(input.after?.report);
    const run = {
      ...{ user, source, isRehearsal, outcomes, limits },
      moves: input.moves ?? false,
      ...{ planned: new Map(), counts: new Map() },
      budget: new WorkBudget(MAX_RULES_MS),
    };
    const total = records + (old ? 1 : 0);
    return await importItems(deps, run, input, { total, old });
  } finally {
    await opened.remove();
  }
}

async function importItems(
  deps: ImportDeps,
  run: ImportRun,
  { after, onProgress, goesOn }: RunImport,
  {
    total,
    old,
  }: { readonly total: number; readonly old: OldAccount | undefined },
): Promise<ImportProgress> {
  const first = after?.done ?? 0;
  const isChecked = old && (run.isRehearsal || run.moves);
  const checked = isChecked && (await checkOldAccount(deps, run, old));
  let done = 0;
  for await (const item of run.source.items()) {
    done += 1;
    if (done <= first) continue;
    await importItem(deps, run, item);
    onProgress?.(done, total);
    const progress = { done, total, report: run.outcomes.report() };
    if (goesOn && !(await goesOn(progress))) return progress;
  }
  const last = { done, total, report: run.outcomes.report() };
  if (!old) return last;
  if (done >= first) {
    if (goesOn && !(await goesOn(last, true))) return last;
    const outcome =
      (run.isRehearsal && checked) || (await importOldAccount(deps, run, old));
    run.outcomes.note("account", outcome, old.handle);
    onProgress?.(total, total);
  }
  done += 1;
  return { done, total, report: run.outcomes.report() };
}

/** Reads all of it once before anything is stored, so that a damaged file changes nothing. */
async function count(source: Source, max: number): Promise<number> {
  let records = 0;
  for await (const _ of source.items()) {
    records += 1;
    if (records > max) throw refuse("holds too many records");
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
  else if (isRelation(item)) await importRelation(deps, run, item);
  else await importRecord(deps, run, item);
}
