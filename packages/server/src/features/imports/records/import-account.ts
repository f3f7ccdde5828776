import { KithError } from "../../../lib/errors.ts";
import type { ImportDeps, ImportRun, RecordOutcome } from "../import-run.ts";
import type { OldAccount } from "../source-format.ts";

/**
 * Says before the first record whether the key of an archive proves that its account is the
 * user's. If it is to move, what is here of it already will be the user's, and comes only once.
 */
export async function checkOldAccount(
  deps: ImportDeps,
  run: ImportRun,
  old: OldAccount,
): Promise<RecordOutcome> {
  const { kind, oldId } = await moveByKey(deps, run, old, true);
  if (run.moves && oldId !== undefined) run.formerId = oldId;
  return kind === "moved" ? "added" : kind;
}

/**
 * Moves the account of the archive here, after all records: pictures are fetched from it before
 * that. It may be repeated, and done twice at once.
 */
export async function importOldAccount(
  deps: ImportDeps,
  run: ImportRun,
  old: OldAccount,
): Promise<RecordOutcome> {
  if (!run.moves) return "not_asked";
  const { kind } = await moveByKey(deps, run, old, false);
  return kind === "moved" ? "added" : kind;
}

async function moveByKey(
  deps: ImportDeps,
  { user }: ImportRun,
  old: OldAccount,
  isRehearsal: boolean,
): ReturnType<ImportDeps["moveByKey"]> {
  try {
    return await deps.moveByKey(user, { ...old, isRehearsal });
  } catch (error) {
    const isOfRecord =
      error instanceof KithError && error.code !== "unavailable";
    if (!isOfRecord) throw error;
    return { kind: "refused" };
  }
}
