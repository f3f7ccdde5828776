import type { Client } from "pg";

/** A server that takes longer does not answer on new connections either. */
const ANSWER_WITHIN_MS = 3_000;
const CLOSED_WITHIN_MS = 1_000;
/** Between two questions about the same connections: an answer may be on its way. */
export const GRACE_MS = 1_000;
/** A connection is a little younger than its process, which first asks for the password. */
const MAX_AGE_DIFFERENCE_S = 5;
/** A process that works at both questions has done so for longer. */
const MOMENT_MS = GRACE_MS * 0.9;

/**
 * A server process that has nothing to do for its client, or waits for it: it has answered, and the
 * answer or the next query got lost. With `copy` it may wait for rows that are slow to come.
 */
const HAS_ANSWERED = `(state like 'idle%' or wait_event = 'ClientWrite'
  or (wait_event = 'ClientRead' and query not ilike 'copy %'))`;

const LIST_BUSY = `select pid from pg_stat_activity
  where pid = any($1::int[]) and ${HAS_ANSWERED} is not true`;

/**
 * Behind a pooler nobody knows which process works for which connection: each of this user may that
 * works longer than a moment. Poolers serve those who wait in turn, so a query that came before
 * this inquiry is at work by now, if it is to be done at all.
 */
const FIND_ANY_BUSY = `select pid from pg_stat_activity
  where datname = current_database() and usename = current_user
    and pid <> pg_backend_pid() and ${HAS_ANSWERED} is not true
    and (query_start is null
      or query_start < clock_timestamp() - $1 * interval '1 millisecond')
  limit 1`;

/** After a failover another server has processes of the same numbers, which are not as old. */
const END_ANSWERED = `select pg_terminate_backend(pid) from pg_stat_activity
  join unnest($1::int[], $2::float8[]) as broken(id, age) on pid = id
  where usename = current_user and datname = current_database() and ${HAS_ANSWERED}
    and abs(extract(epoch from clock_timestamp() - backend_start) - age) < ${MAX_AGE_DIFFERENCE_S}`;

/** A server process by its number, and its age in seconds. */
export type ServerProcess = { readonly id: number; readonly ageS: number };

type Busy = { readonly pid: number };

/** A new connection, on which the server is asked about others. */
export type Inquiry = {
  /** @returns those of `ids` whose server processes do not work on an answer */
  readonly listAnswered: (
    ids: readonly number[],
  ) => Promise<ReadonlySet<number>>;
  /** Ends those processes that do not work: they may hold locks, and do not learn that their clients have gone. */
  readonly end: (processes: readonly ServerProcess[]) => Promise<void>;
  readonly close: () => void;
};

/** @throws {Error} where the server does not answer on new connections */
export async function openInquiry(url: string): Promise<Inquiry> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({
    connectionString: url,
    application_name: "kith inquiry",
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
  });
  client.on("error", () => {});
  const close = (): void => {
    void client.end();
    const { stream } = client.connection;
    setTimeout(() => stream.destroy(), CLOSED_WITHIN_MS).unref();
  };
  try {
    await client.connect();
    const isPooled = await isBehindPooler(client);
    return {
      close,
      listAnswered: async (ids) => {
        const { rows } = isPooled
          ? await client.query<Busy>(FIND_ANY_BUSY, [MOMENT_MS])
          : await client.query<Busy>(LIST_BUSY, [ids]);
        if (isPooled) return new Set(rows.length === 0 ? ids : []);
        return new Set(ids).difference(new Set(rows.map(({ pid }) => pid)));
      },
      end: async (processes) => {
        if (isPooled) return;
        const ids = processes.map(({ id }) => id);
        const ages = processes.map(({ ageS }) => ageS);
        await client.query(END_ANSWERED, [ids, ages]);
      },
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** Poolers make up the number that they give to a client. */
async function isBehindPooler(client: Client): Promise<boolean> {
  const { rows } = await client.query<Busy>("select pg_backend_pid() as pid");
  const { processID } = client as Client & { processID?: number | null };
  return rows[0]?.pid !== processID;
}
