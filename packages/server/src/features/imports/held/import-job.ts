import path from "node:path";
import type { Db } from "../../../db/db.ts";
import { DONE, type JobHandler, type JobResult } from "../../../jobs/job.ts";
import type { Jobs } from "../../../jobs/jobs.ts";
import { writeToFile } from "../../../lib/archives/write-to-file.ts";
import { KithError } from "../../../lib/errors.ts";
import type { MediaStore } from "../../../lib/media/media-store.ts";
import { timestamp, type Clock } from "../../../lib/time/clock.ts";
import type { Author } from "../../posts/index.ts";
import type { PersonLimits } from "../import-run.ts";
import type { ImportProgress, RunImport } from "../run-import.ts";
import { partKeys, type HeldImport } from "./held-import.ts";
import { findImport, findImporter } from "./import-queries.ts";
import {
  changeState,
  endImport,
  resetProgress,
  saveProgress,
} from "./import-store.ts";
import { findUnderWay, interrupt, type UnderWay } from "./interrupted.ts";
import { removeFile } from "./remove-file.ts";

export type ImportJobDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly jobs: Jobs;
  readonly media: MediaStore;
  readonly run: (input: RunImport) => Promise<ImportProgress>;
  readonly limits: PersonLimits;
};

/** After this time the import of somebody else may run. */
const PART_MS = 10 * 60_000;
/** The progress is stored at least so often. */
const RECORDS_AT_ONCE = 25;
const SAVE_EVERY_MS = 2_000;
/** While an operator imports into the same account. */
const BUSY_MS = 60_000;

export function createRunImport(
  deps: ImportJobDeps,
): JobHandler<{ readonly id: number }> {
  return async ({ id }, { signal }) => {
    const { db, clock } = deps;
    const held = await findUnderWay(deps, id);
    if (!held) return DONE;
    const user = await findImporter(db.read, held.userId);
    if (!user) {
      await db.transaction((tx) => interrupt(tx, clock, id, "suspended"));
      return DONE;
    }
    try {
      return await runPart(deps, held, user, signal);
    } catch (error) {
      if (!(error instanceof KithError)) throw error;
      // A repeated run meets the same file.
      if (error.code === "bad_request") return fail(deps, held, error.message);
      if (error.code !== "conflict") throw error;
      return { kind: "retry", afterMs: BUSY_MS, reason: error.message };
    }
  };
}

async function runPart(
  deps: ImportJobDeps,
  held: UnderWay,
  user: Author,
  signal: AbortSignal,
): Promise<JobResult> {
  const { media, limits } = deps;
  const isRehearsal = held.state === "rehearsing";
  const saving = createSaving(deps, held, signal);
  const progress = await deps.run({
    ...{ user, isRehearsal, limits, goesOn: saving.goesOn },
    file: (folder) => fetchFile(media, held, folder),
    ...{ kind: held.listKind ?? undefined, moves: held.moves },
    // The plans of a rehearsal are in memory alone: it begins anew.
    ...(!isRehearsal && {
      after: { done: held.done, report: held.report ?? {} },
    }),
  });
  if (!(await saving.save(progress))) return DONE;
  if (progress.done < progress.total) return { kind: "again", afterMs: 0 };
  await (isRehearsal ? endRehearsal(deps, held) : endWell(deps, held));
  return DONE;
}

/** Stores the progress now and then, and ends the part when it is time. */
function createSaving(
  { db, clock }: ImportJobDeps,
  { id, state }: UnderWay,
  signal: AbortSignal,
) {
  const startedAt = clock.now().getTime();
  let savedAt = startedAt;
  let unsaved = 0;
  const save = (progress: ImportProgress): Promise<boolean> => {
    savedAt = clock.now().getTime();
    unsaved = 0;
    return db.transaction((tx) =>
      saveProgress(tx, id, state, progress, timestamp(clock.now())),
    );
  };
  const goesOn = async (
    progress: ImportProgress,
    isCertain = false,
  ): Promise<boolean> => {
    unsaved += 1;
    if (signal.aborted) return false;
    if (isCertain) return save(progress);
    const now = clock.now().getTime();
    if (state === "importing" && now - startedAt > PART_MS) return false;
    if (unsaved < RECORDS_AT_ONCE && now - savedAt < SAVE_EVERY_MS) return true;
    return save(progress);
  };
  return { save, goesOn };
}

async function fetchFile(
  media: MediaStore,
  held: HeldImport,
  folder: string,
): Promise<string> {
  const file = path.join(folder, "upload");
  if (held.parts === 0)
    throw new KithError("bad_request", "The uploaded file is gone.");
  for (const key of partKeys(held)) {
    const part = await media.open(key);
    if (!part) throw new KithError("bad_request", "The uploaded file is gone.");
    await writeToFile(file, [part.stream], { flags: "a" });
  }
  return file;
}

function endRehearsal(
  { db, clock }: ImportJobDeps,
  { id }: HeldImport,
): Promise<void> {
  return db.transaction(async (tx) => {
    const now = timestamp(clock.now());
    if (await changeState(tx, id, ["rehearsing"], "rehearsed", now))
      await resetProgress(tx, id);
  });
}

function endWell(deps: ImportJobDeps, { id }: HeldImport): Promise<void> {
  const { db, clock } = deps;
  return db.transaction(async (tx) => {
    const held = await findImport(tx, id);
    if (!held || held.endedAt !== null) return;
    await removeFile(deps, tx, held);
    await endImport(tx, id, { state: "done" }, timestamp(clock.now()));
  });
}

async function fail(
  deps: ImportJobDeps,
  { id }: HeldImport,
  failure: string,
): Promise<JobResult> {
  const { db, clock } = deps;
  await db.transaction(async (tx) => {
    const held = await findImport(tx, id);
    if (!held || held.endedAt !== null) return;
    await removeFile(deps, tx, held);
    const now = timestamp(clock.now());
    await endImport(tx, id, { state: "failed", failure }, now);
  });
  return DONE;
}
