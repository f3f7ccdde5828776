import type { Db } from "../../../db/db.ts";
import { recurringKind, type JobHandler } from "../../../jobs/job.ts";
import type { Jobs } from "../../../jobs/jobs.ts";
import { later, timestamp, type Clock } from "../../../lib/time/clock.ts";
import { laneOfImport } from "./held-import.ts";
import {
  listBrokenOff,
  listUnchanged,
  listUnderWay,
} from "./import-queries.ts";
import { interrupt } from "./interrupted.ts";
import { endImport } from "./import-store.ts";
import { BROKEN_OFF_MS } from "./receive-file.ts";
import { removeFile, removeImport } from "./remove-file.ts";

/** The job that deletes files and reports that nobody has needed for a week. */
export const SWEEP_IMPORTS = recurringKind("sweep-imports");

type SweepDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly jobs: Jobs;
};

const EVERY_MS = 3_600_000;
const KEPT_MS = 7 * 86_400_000;
const AT_ONCE = 100;

/** The handler of {@link SWEEP_IMPORTS}. */
export function createSweepImports(
  deps: SweepDeps,
): JobHandler<Record<string, never>> {
  return async (_payload, { signal }) => {
    for (let isMore = true; isMore && !signal.aborted;)
      isMore = await sweepSome(deps);
    return { kind: "again", afterMs: EVERY_MS };
  };
}

/** @returns whether more may be left */
function sweepSome(deps: SweepDeps): Promise<boolean> {
  const { db, clock } = deps;
  const now = clock.now();
  const before = (ms: number) => timestamp(later(now, -ms));
  return db.transaction(async (tx) => {
    const broken = await listBrokenOff(tx, before(BROKEN_OFF_MS), AT_ONCE);
    for (const held of broken) await removeImport(deps, tx, held);
    const old = await listUnchanged(tx, before(KEPT_MS), AT_ONCE);
    for (const held of old)
      if (held.endedAt !== null) await removeImport(deps, tx, held);
      else {
        await removeFile(deps, tx, held);
        await endImport(tx, held.id, { state: "expired" }, timestamp(now));
      }
    // As when the end of a job could not be stored.
    for (const { id } of await listUnderWay(tx, AT_ONCE))
      if (!(await deps.jobs.hasJobIn(tx, laneOfImport(id))))
        await interrupt(tx, clock, id, "given_up");
    return Math.max(broken.length, old.length) === AT_ONCE;
  });
}
