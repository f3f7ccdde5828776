import { sql, type RawBuilder } from "kysely";
import type { Reader, Tx } from "../../db/db.ts";
import { byIndex, forUpdate } from "../../db/dialect.ts";
import type { Names } from "../../db/lock-names.ts";
import {
  dialectOf,
  prepareQuery,
  type SqlInput,
} from "../../db/prepared-query.ts";
import { timestamp } from "../../lib/time/clock.ts";

/** An attempt out of turn is not counted. */
const UNCOUNTED = sql<number>`case when attempts > 0 then attempts - 1 else 0 end`;

/**
 * Makes due what waits for a thing of one of these names. Almost always nothing
 * does, so that costs one look at an index which is all but empty.
 * @returns whether anything waited
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
 * For a query that stores a thing under names that the transaction holds already:
 * does a job wait for it? So nobody has to ask for each thing.
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

/** Locked in one order, so that two who change the same jobs wait instead of dying. */
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

/** A message that still lacks something else goes on waiting where it was in its schedule. */
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
