import type { Db } from "../db/db.ts";
import { isMigrated } from "../db/migrate.ts";
import type { Readiness } from "../http/health-routes.ts";
import type { Worker } from "../jobs/worker/worker.ts";

/** Who asks waits no longer; a database that takes longer is as good as none. */
const DATABASE_WITHIN_MS = 2_000;
/** However many ask, the database is asked once in this time. */
const KEPT_MS = 1_000;

export type HealthDeps = {
  readonly db: Db;
  /** Where this process has one. */
  readonly worker?: Pick<Worker, "isRunning">;
  /** Is the process about to end? */
  readonly isStopping?: () => boolean;
};

/** Finds out whether this process can do what it is there for. */
export function createReadiness(deps: HealthDeps): Readiness {
  let asked: Promise<string | undefined> | undefined;
  let askedAtMs = 0;
  return async () => {
    if (deps.isStopping?.() === true) return "stopping";
    if (deps.worker && !deps.worker.isRunning())
      return "the worker is not running";
    const nowMs = performance.now();
    if (!asked || nowMs - askedAtMs > KEPT_MS) {
      askedAtMs = nowMs;
      asked = lookAtDatabase(deps.db);
    }
    return asked;
  };
}

async function lookAtDatabase(db: Db): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<string>((resolve) => {
    timer = setTimeout(
      () => resolve("the database does not answer"),
      DATABASE_WITHIN_MS,
    );
  });
  try {
    return await Promise.race([lookAtSchema(db), patience]);
  } catch {
    return "the database cannot be reached";
  } finally {
    clearTimeout(timer);
  }
}

async function lookAtSchema(db: Db): Promise<string | undefined> {
  return (await isMigrated(db.read))
    ? undefined
    : "the database is not up to date";
}
