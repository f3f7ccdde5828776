import { recurringKind, type JobHandler } from "../../jobs/job.ts";
import type { Log } from "../../observability/log.ts";
import type { FreedByRule, WalkOptions } from "./clean.ts";

type Cleaning = {
  clean(options: WalkOptions): Promise<{
    readonly freed: FreedByRule;
    readonly mediaBytes: number;
  }>;
  maintain(signal: AbortSignal): Promise<void>;
};

/** The job that applies the rules, and then returns free space. */
export const CLEAN_STORAGE = recurringKind("clean-storage");

const EVERY_MS = 24 * 3_600_000;

export function createCleanStorage(
  storage: Cleaning,
  log: Log,
): JobHandler<Record<string, never>> {
  return async (_payload, { signal }) => {
    const { freed, mediaBytes } = await storage.clean({ signal });
    const hasFreed =
      mediaBytes > 0 || Object.values(freed).some(({ bytes }) => bytes > 0);
    if (hasFreed) log.info({ freed, mediaBytes }, "Storage was freed");
    await storage.maintain(signal);
    return { kind: "again", afterMs: EVERY_MS };
  };
}
