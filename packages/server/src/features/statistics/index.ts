import type { StatisticName } from "../../db/schema/columns/statistic-name.ts";
import { timestamp } from "../../lib/time/clock.ts";
import { createCount, type CountDeps } from "./count.ts";
import { countJoined } from "./statistics-queries.ts";
import { addSpans, startOf, type Span } from "./spans.ts";
import {
  listFailingHosts,
  listStatistics,
  type HostDeliveries,
} from "./statistics-store.ts";

export type { StatisticName } from "../../db/schema/columns/statistic-name.ts";
export type { Span } from "./spans.ts";
export type { HostDeliveries } from "./statistics-store.ts";
export { createRecordStatistics, RECORD_STATISTICS } from "./record.ts";

/** The numbers of the last spans, the oldest first. */
export type Numbers = {
  /** When each span begins. */
  readonly starts: readonly Date[];
  /** One for each span; undefined where nothing was recorded. */
  readonly valuesOf: (name: StatisticName) => readonly (number | undefined)[];
};

const FAILING_DAYS = 7;

/** How the server does, in numbers of hours, days and months. */
export type Statistics = ReturnType<typeof createStatistics>;

export function createStatistics(deps: CountDeps) {
  const { db, clock } = deps;
  return {
    ...createCount(deps),
    /** Lists the last spans, up to the current one. */
    list: async (span: Span, count: number): Promise<Numbers> => {
      const current = startOf(span, clock.now());
      const starts = Array.from({ length: count }, (_, at) =>
        addSpans(span, current, at - count + 1),
      );
      const from = timestamp(starts[0] ?? current);
      const to = timestamp(addSpans(span, current, 1));
      const rows = await listStatistics(db.read, span, { from, to });
      const values = new Map(
        rows.map(({ name, at, value }) => [`${name} ${at}`, value]),
      );
      return {
        starts,
        valuesOf: (name) =>
          starts.map((start) => values.get(`${name} ${timestamp(start)}`)),
      };
    },
    /**
     * Counts the accounts made from each of these moments up to the next one, or up to now, that
     * are still here.
     */
    countJoined: (starts: readonly Date[]): Promise<number[]> =>
      countJoined(db.read, starts.map(timestamp)),
    /** The servers that most deliveries of the last week failed to, the worst first. */
    listFailing: (limit: number): Promise<HostDeliveries[]> => {
      const today = startOf("day", clock.now());
      const since = timestamp(addSpans("day", today, 1 - FAILING_DAYS));
      return listFailingHosts(
        db.read,
        since.slice(0, "YYYY-MM-DD".length),
        limit,
      );
    },
  };
}
