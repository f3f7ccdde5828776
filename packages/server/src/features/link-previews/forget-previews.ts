import type { Db } from "../../db/db.ts";
import { recurringKind, type JobHandler } from "../../jobs/job.ts";
import { listPreviewsAfter } from "./link-preview-queries.ts";
import { deleteUnused } from "./link-preview-store.ts";

/** The job that deletes previews of pages that no post links any more. */
export const FORGET_PREVIEWS = recurringKind("forget-link-previews");

const EVERY_MS = 6 * 3_600_000;
const BATCH_SIZE = 500;

export function createForgetPreviews({
  db,
}: {
  readonly db: Db;
}): JobHandler<Record<string, never>> {
  return async (_payload, { signal }) => {
    let after: string | undefined = "";
    while (after !== undefined && !signal.aborted) {
      const some = await listPreviewsAfter(db.read, after, BATCH_SIZE);
      const unused = some.filter(({ isUsed }) => !isUsed);
      if (unused.length > 0)
        await db.transaction((tx) =>
          deleteUnused(
            tx,
            unused.map(({ url }) => url),
          ),
        );
      after = some.length < BATCH_SIZE ? undefined : some.at(-1)?.url;
    }
    return { kind: "again", afterMs: EVERY_MS };
  };
}
