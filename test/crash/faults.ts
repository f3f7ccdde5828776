import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import type { DatabaseKind } from "../../packages/server/test/support/server/databases.ts";
import { codeOf } from "../../packages/server/src/lib/errors.ts";
import type { KithProcess } from "../support/kith-process.ts";
import type { Servers } from "./town.ts";

const run = promisify(execFile);

/** A fault of a server in a round; it may leave the server down. */
export type Fault = {
  readonly name: string;
  /** Its relative frequency. */
  readonly share: number;
  readonly databases: readonly DatabaseKind[];
  readonly befall: (
    server: KithProcess,
    random: () => number,
    town: Servers,
  ) => Promise<void>;
};

const BOTH: readonly DatabaseKind[] = ["sqlite", "postgres"];
const OUTAGE_MS = { least: 1_000, most: 3_500 };
const TROUBLE_MS = { least: 500, most: 2_000 };

const between = (
  { least, most }: { readonly least: number; readonly most: number },
  random: () => number,
): number => least + random() * (most - least);

const kill: Fault["befall"] = (server) => server.kill();

const killTwice: Fault["befall"] = async (server, random) => {
  await server.kill();
  await server.start();
  await sleep(random() * 300);
  await server.kill();
};

const killBoth: Fault["befall"] = async (_server, random, { one, two }) => {
  await one.kill();
  await sleep(random() * 200);
  await two.kill();
};

const beAway: Fault["befall"] = async (server, random) => {
  await (random() < 0.5 ? server.kill() : server.stop());
  await sleep(between(OUTAGE_MS, random));
};

/**
 * No file of the process can grow any more, as on a full disk: each write to
 * the database or its log fails at any moment.
 */
const fillDisk: Fault["befall"] = async (server, random) => {
  const limit = (bytes: string) =>
    run("prlimit", [`--pid=${server.pid}`, `--fsize=${bytes}:`]);
  await limit("4096");
  await sleep(between(TROUBLE_MS, random));
  // In the middle of it, too.
  if (random() < 0.3) await server.kill();
  else await limit("unlimited");
};

/** PostgreSQL reports a full disk for every write. */
const fillServersDisk: Fault["befall"] = async (server, random) => {
  await onDatabaseOf(server, async (client) => {
    await change(client, FILL);
    await sleep(between(TROUBLE_MS, random));
    if (random() < 0.3) await server.kill();
    await change(client, FREE);
  });
};

const FILL = `
create function disk_full() returns trigger language plpgsql as $$ begin
  raise exception using errcode = '53100', message = 'could not extend file: No space left on device';
end $$;
do $$ declare name text; begin
  for name in select tablename from pg_tables where schemaname = 'public' loop
    execute format('create trigger disk_full before insert or update on %I for each statement execute function disk_full()', name);
  end loop;
end $$;`;
const FREE = `drop function disk_full() cascade`;

const DEADLOCK = "40P01";

/** Locks each table, in an order of its own: if PostgreSQL resolves a deadlock by ending this, it is retried. */
async function change(client: pg.Client, statements: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1)
    try {
      await client.query(statements);
      return;
    } catch (error) {
      if (codeOf(error) !== DEADLOCK || attempt === 50) throw error;
    }
}

/** Cuts every connection to the database, several times. */
const cutConnections: Fault["befall"] = async (server, random) => {
  await onDatabaseOf(server, async (client) => {
    const times = 1 + Math.floor(random() * 3);
    for (let time = 0; time < times; time += 1) {
      await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
      );
      await sleep(random() * 400);
    }
  });
};

async function onDatabaseOf(
  { settings }: KithProcess,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({
    connectionString: settings["KITH_DATABASE_URL"],
  });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** Whether a process can be limited from outside, as on Linux. */
const CAN_LIMIT = process.platform === "linux";

export const FAULTS: readonly Fault[] = [
  { name: "killed", share: 8, databases: BOTH, befall: kill },
  { name: "killed twice", share: 2, databases: BOTH, befall: killTwice },
  { name: "both killed", share: 2, databases: BOTH, befall: killBoth },
  { name: "away", share: 3, databases: BOTH, befall: beAway },
  {
    name: "disk full",
    share: 3,
    databases: CAN_LIMIT ? ["sqlite"] : [],
    befall: fillDisk,
  },
  {
    name: "disk full",
    share: 2,
    databases: ["postgres"],
    befall: fillServersDisk,
  },
  {
    name: "connections cut",
    share: 3,
    databases: ["postgres"],
    befall: cutConnections,
  },
];

/** One of the faults possible with this database, by their frequencies. */
export function chooseFault(
  database: DatabaseKind,
  random: () => number,
): Fault {
  const possible = FAULTS.filter(({ databases }) =>
    databases.includes(database),
  );
  let lot = random() * possible.reduce((sum, { share }) => sum + share, 0);
  for (const fault of possible) if ((lot -= fault.share) < 0) return fault;
  throw new Error("There is a fault for each database");
}
