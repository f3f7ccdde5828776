import { sql } from "kysely";
import type { Reader } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import { isOf, type JobFilter } from "./queue-administration-store.ts";

/** How many jobs of one kind are in one state. */
export type JobCount = {
  readonly kind: string;
  /** `ready` is waiting, `leased` is running, `dead` has failed for good. */
  readonly state: string;
  readonly count: number;
  /** When the oldest was enqueued. */
  readonly oldestAt: Timestamp;
  /** When the first is or was due. */
  readonly nextAt: Timestamp;
};

/** There are about twenty kinds, in three states each. */
const MAX_COUNTS = 500;

/** Reads every job: for operators, not for each request. */
export async function countJobs(reader: Reader): Promise<JobCount[]> {
  const rows = await reader
    .selectFrom("jobs")
    .select(["kind", "state"])
    .select(sql<number>`count(*)`.as("count"))
    .select((eb) => eb.fn.min("created_at").as("oldest_at"))
    .select((eb) => eb.fn.min("run_at").as("next_at"))
    .groupBy(["kind", "state"])
    .orderBy("kind")
    .orderBy("state")
    .limit(MAX_COUNTS)
    .execute();
  return rows.map((row) => ({
    kind: row.kind,
    state: row.state,
    count: Number(row.count),
    oldestAt: row.oldest_at,
    nextAt: row.next_at,
  }));
}

/** Jobs of one kind that depend on one host. */
export type JobGroup = {
  readonly kind: string;
  /** Its origin; null for jobs that need no other server, or many. */
  readonly host: string | null;
  readonly waiting: number;
  readonly running: number;
  readonly dead: number;
  /** When the oldest was enqueued. */
  readonly oldestAt: Timestamp;
  readonly oldestSeconds: number;
  /** When the next waiting job is due; null if none waits. */
  readonly nextAt: Timestamp | null;
  /** The error of the newest job that has one. */
  readonly lastError: string | null;
};

/** More lines than an operator reads. */
const MAX_GROUPS = 1_000;

export async function listGroups(
  reader: Reader,
  filter: JobFilter,
  now: Date,
): Promise<JobGroup[]> {
  const in_ = (state: string) =>
    sql<number>`count(case when state = ${state} then 1 end)`;
  const rows = await reader
    .selectFrom("jobs")
    .where(isOf(filter))
    .select(["kind", "host"])
    .select([
      in_("ready").as("waiting"),
      in_("leased").as("running"),
      in_("dead").as("dead"),
      sql<Timestamp>`min(created_at)`.as("oldest_at"),
      sql<Timestamp | null>`min(case when state = 'ready' then run_at end)`.as(
        "next_at",
      ),
      sql<number | null>`max(case when last_error is not null then id end)`.as(
        "error_id",
      ),
    ])
    .groupBy(["kind", "host"])
    .orderBy(sql`count(*)`, "desc")
    .orderBy("kind")
    .orderBy("host")
    .limit(MAX_GROUPS)
    .execute();
  const errors = await listErrors(
    reader,
    rows.flatMap(({ error_id }) => error_id ?? []),
  );
  return rows.map((row) => ({
    kind: row.kind,
    host: row.host,
    waiting: Number(row.waiting),
    running: Number(row.running),
    dead: Number(row.dead),
    oldestAt: row.oldest_at,
    oldestSeconds: Math.max(
      0,
      Math.round((now.getTime() - Date.parse(row.oldest_at)) / 1000),
    ),
    nextAt: row.next_at,
    lastError: errors.get(row.error_id ?? 0) ?? null,
  }));
}

async function listErrors(
  reader: Reader,
  ids: readonly number[],
): Promise<Map<number, string | null>> {
  if (ids.length === 0) return new Map();
  const rows = await reader
    .selectFrom("jobs")
    .select(["id", "last_error"])
    .where("id", "in", ids)
    .limit(MAX_GROUPS)
    .execute();
  return new Map(rows.map((row) => [row.id, row.last_error]));
}

export async function countMatching(
  reader: Reader,
  filter: JobFilter,
  state: string,
): Promise<number> {
  const row = await reader
    .selectFrom("jobs")
    .select(sql<number>`count(*)`.as("count"))
    .where(isOf(filter))
    .where("state", "=", state)
    .limit(1)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

/** Summarizes dead jobs and shared documents, for metrics. */
export async function summarizeDead(reader: Reader): Promise<{
  readonly dead: number;
  /** When the oldest died. */
  readonly oldestAt: Timestamp | null;
  /** The texts that jobs share. */
  readonly documents: number;
}> {
  const { dead, oldest, documents } = await reader
    .selectFrom("jobs")
    .where("state", "=", "dead")
    .select((eb) => [
      eb.fn.countAll().as("dead"),
      eb.fn.min("died_at").as("oldest"),
      eb
        .selectFrom("job_documents")
        .select((inner) => inner.fn.countAll().as("all"))
        .as("documents"),
    ])
    .executeTakeFirstOrThrow();
  return {
    dead: Number(dead),
    oldestAt: oldest,
    documents: Number(documents),
  };
}
