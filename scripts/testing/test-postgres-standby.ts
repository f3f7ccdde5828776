import * as fs from "node:fs";
import path from "node:path";
import pg from "pg";
import { startPostgres, type TestPostgres } from "./test-postgres.ts";

const STANDBY = "kith_standby";

/** The settings of a server that has a standby. */
const WITH_STANDBY = {
  wal_level: "replica",
  hot_standby: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  // A query that replaying contradicts is cancelled at once.
  max_standby_streaming_delay: "0",
} as const;

/**
 * A PostgreSQL server and its standby. If that is synchronous, a commit is answered when both
 * have it.
 */
export async function startPostgresPair({
  isSynchronous = true,
} = {}): Promise<{
  readonly primary: TestPostgres;
  readonly standby: TestPostgres;
}> {
  const primary = await startPostgres({ settings: WITH_STANDBY });
  try {
    const standby = await startStandby(primary);
    if (!isSynchronous) return { primary, standby };
    await onServer(primary.url, async (client) => {
      await client.query(
        `alter system set synchronous_standby_names = '${STANDBY}'`,
      );
      await client.query("select pg_reload_conf()");
    });
    return { primary, standby };
  } catch (error) {
    await primary.stop();
    throw error;
  }
}

/** Kills a server as a power cut does. */
export function killPostgres({ data }: TestPostgres): void {
  const [pid] = fs
    .readFileSync(path.join(data, "postmaster.pid"), "utf8")
    .split("\n");
  process.kill(Number(pid), "SIGKILL");
}

/** Makes a standby take writes. Resolves when it does. */
export async function promote({ url }: TestPostgres): Promise<void> {
  await onServer(url, (client) => client.query("select pg_promote(true, 60)"));
}

/**
 * Copies a running server to one that follows it.
 * @see PostgreSQL, Continuous Archiving, "Making a Base Backup Using the Low Level API"
 */
export async function startStandby(
  primary: TestPostgres,
): Promise<TestPostgres> {
  const { hostname, port, username, password } = new URL(primary.url);
  const conninfo = Object.entries({
    ...{ host: hostname, port, user: username, password },
    application_name: STANDBY,
  });
  return startPostgres({
    settings: {
      ...WITH_STANDBY,
      primary_conninfo: conninfo.map((pair) => pair.join("=")).join(" "),
    },
    copy: {
      password,
      to: (data) =>
        onServer(primary.url, async (client) => {
          await client.query("select pg_backup_start('standby', true)");
          fs.cpSync(primary.data, data, {
            recursive: true,
            filter: (from) => path.basename(from) !== "postmaster.pid",
          });
          const { rows } = await client.query<{ labelfile: string }>(
            "select labelfile from pg_backup_stop(false)",
          );
          const label = rows[0]?.labelfile ?? "";
          fs.writeFileSync(path.join(data, "backup_label"), label);
          fs.writeFileSync(path.join(data, "standby.signal"), "");
        }),
    },
  });
}

async function onServer<T>(
  url: string,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
