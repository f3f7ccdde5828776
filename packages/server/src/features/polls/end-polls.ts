import type { Db } from "../../db/db.ts";
import { recurringKind, type JobHandler } from "../../jobs/job.ts";
import { later, timestamp, type Clock } from "../../lib/time/clock.ts";
import type { Facts } from "../facts.ts";
import { listEndedPolls, noteEnded } from "./poll-store.ts";

/** The job that finds polls that have ended. */
export const END_POLLS = recurringKind("end-polls");

const EVERY_MS = 30_000;
const AT_ONCE = 200;
/** The end of an older one is no news: the server was off, or the poll comes from long ago. */
const NEWS_FOR_MS = 2 * 86_400_000;

type EndPollsDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly facts: Facts;
};

/** The handler of {@link END_POLLS}. */
export function createEndPolls(polls: {
  readonly noteSomeEnded: () => Promise<boolean>;
}): JobHandler<Record<string, never>> {
  return async (_payload, { signal }) => {
    while (!signal.aborted && (await polls.noteSomeEnded()));
    return { kind: "again", afterMs: EVERY_MS };
  };
}

/** Notes polls that have ended. @returns true if more may have */
export function noteSomeEnded({
  db,
  clock,
  facts,
}: EndPollsDeps): Promise<boolean> {
  return db.transaction(async (tx) => {
    const now = clock.now();
    const ended = await listEndedPolls(tx, timestamp(now), AT_ONCE);
    const news = timestamp(later(now, -NEWS_FOR_MS));
    for (const { id, postId, by, endsAt } of ended)
      // Another process may have been first.
      if ((await noteEnded(tx, id)) && endsAt > news)
        await facts.record(tx, { type: "poll.ended", postId, by });
    return ended.length === AT_ONCE;
  });
}
