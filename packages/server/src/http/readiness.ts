/**
 * Why this process cannot serve at the moment, in a few words without anything
 * private, for load balancers; undefined where it can.
 */
export type Readiness = () => Promise<string | undefined>;

/** A database that takes longer is as good as none. */
const DATABASE_TIMEOUT_MS = 2_000;
/** The database is asked once in this time, by any number of probes. */
const CACHED_MS = 1_000;

export type ReadinessDeps = {
  /** Reaches the database and finds its schema up to date. Rejects where it cannot be reached. */
  readonly isDatabaseReady: () => Promise<boolean>;
  /** Where this process has one. */
  readonly worker?: { readonly isRunning: () => boolean };
  /** Is the process about to end? */
  readonly isStopping?: () => boolean;
};

/** Checks whether this process can serve requests and run jobs. */
export function createReadiness(deps: ReadinessDeps): Readiness {
  let answer: Promise<string | undefined> | undefined;
  let askedAtMs = 0;
  return async () => {
    if (deps.isStopping?.() === true) return "stopping";
    if (deps.worker && !deps.worker.isRunning())
      return "the worker is not running";
    const nowMs = performance.now();
    if (!answer || nowMs - askedAtMs > CACHED_MS) {
      askedAtMs = nowMs;
      answer = examineDatabase(deps);
    }
    return answer;
  };
}

async function examineDatabase({
  isDatabaseReady,
}: ReadinessDeps): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<string>((resolve) => {
    timer = setTimeout(
      () => resolve("the database does not answer"),
      DATABASE_TIMEOUT_MS,
    );
  });
  const ready = async () =>
    (await isDatabaseReady()) ? undefined : "the database is not up to date";
  try {
    return await Promise.race([ready(), timeout]);
  } catch {
    return "the database cannot be reached";
  } finally {
    clearTimeout(timer);
  }
}
