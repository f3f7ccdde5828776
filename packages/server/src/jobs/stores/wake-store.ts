import { sql, type RawBuilder } from "kysely";
import type { Reader, Tx } from "../../db/db.ts";
import { byIndex, forUpdate } from "../../db/dialect.ts";
import type { Names } from "../../db/together/names.ts";
import {
  dialectOf,
  prepareQuery,
  type SqlInput,
} from "../../db/prepared-query.ts";
import { timestamp } from "../../lib/time/clock.ts";

/** An attempt out of turn is not counted. */
const UNCOUNTED = sql<number>`case when attempts > 0 then attempts - 1 else 0 end`;

/**
 * Makes jobs due that wait for a thing of one of these names. Usually there are
 * none, which costs one look-up in an almost empty index.
 * @returns whether any job waited
 */
export async function wakeJobs(
  tx: Tx,
  names: Names,
  now: Date,
): Promise<boolean> {
  const known = names.filter((name) => name !== null);
  let woken = 0;
  for (let place = 0; place < known.length; place += 2) {
    const [first = "", second = first] = known.slice(place, place + 2);
    const waiting = await findWaiting(tx, { first, second });
    woken += waiting.length;
    if (waiting.length > 0) await makeDue(tx, [first, second], now);
  }
  return woken > 0;
}

/**
 * Does a job wait for this thing? For a query that stores it under names that
 * the transaction has locked, so that no separate look-up is needed.
 */
export function isAwaited(
  reader: Reader,
  name: SqlInput,
  other: SqlInput,
): RawBuilder<boolean | number> {
  const index = byIndex(dialectOf(reader), "jobs_awaits");
  return sql<boolean | number>`exists (
    select 1 from jobs ${index} where jobs.awaits in (${name}, ${other}))`;
}

/**
 * Locked in the order of ids, so that concurrent writers wait instead of
 * deadlocking.
 */
const findWaiting = prepareQuery<
  { first: string; second: string },
  { id: number }
>((reader, value) => {
  const dialect = dialectOf(reader);
  return sql<{
    id: number;
  }>`select id from jobs ${byIndex(dialect, "jobs_awaits")}
    where awaits in (${value("first")}, ${value("second")}) and state = 'ready'
    order by id ${forUpdate(dialect)}`.compile(reader);
});

/**
 * A message that still lacks something else keeps its place in its schedule.
 */
async function makeDue(
  tx: Tx,
  names: readonly string[],
  now: Date,
): Promise<void> {
  const at = timestamp(now);
  await tx
    .updateTable("jobs")
    .set({ awaits: null, run_at: at, turn: at, attempts: UNCOUNTED })
    .where("awaits", "in", names)
    .where("state", "=", "ready")
    .execute();
}
