import { createReadiness } from "./compose-health.ts";
import { compose, databaseLocation, type Server } from "./compose.ts";
import type { Config, Secrets } from "./config/config.ts";
import type { Db } from "./db/db.ts";
import { lockInstance } from "./db/instance-lock.ts";
import { migrate } from "./db/migrate.ts";
import { openDatabase } from "./db/open-database.ts";
import { hideSharedAddresses } from "./features/photos/index.ts";
import { listen } from "./http/listen.ts";
import { systemClock } from "./lib/clock.ts";
import { OperatorError } from "./lib/errors.ts";
import { createLog, silentLog } from "./lib/log.ts";

/** What one process needs to know. */
export type ProcessInput = {
  readonly config: Config;
  readonly secrets: Secrets;
  /** 32 bytes. */
  readonly secretKey: Uint8Array;
  /** Of Kith. */
  readonly version: string;
};

/** Something that runs until it is stopped. */
export type Running = { readonly stop: () => Promise<void> };

/** Web and worker in one. Resolves when it listens. @throws {OperatorError} */
export async function startServing(input: ProcessInput): Promise<Running> {
  const { config } = input;
  const base = await openBase(input);
  try {
    const app = base.server.createApp(base.readiness);
    const stopListening = await listen(app, config.bind, config.port);
    base.worker.start();
    return {
      stop: async () => {
        base.beginStop();
        await Promise.all([stopListening(), app.close(), base.worker.stop()]);
        await base.close();
      },
    };
  } catch (error) {
    await base.close();
    throw error;
  }
}

/** A worker beside other processes that share a PostgreSQL. @throws {OperatorError} */
export async function startWorking(input: ProcessInput): Promise<Running> {
  const base = await openBase(input);
  base.worker.start();
  return { stop: base.close };
}

/** Brings the schema up to date. @returns the names of the steps that were missing */
export async function migrateDatabase(
  config: Config,
  secrets: Secrets,
): Promise<string[]> {
  const db = await openDatabase(databaseLocation(config, secrets));
  try {
    return await migrate(db, systemClock);
  } finally {
    await db.close();
  }
}

/** Lets a command use the features, also beside a running server. */
export async function withFeatures(
  input: ProcessInput,
  use: (features: Server["features"]) => Promise<void>,
): Promise<void> {
  const db = await openDatabase(databaseLocation(input.config, input.secrets));
  const server = composeFrom(input, db, "silent");
  try {
    await migrate(db, systemClock);
    await use(server.features);
  } finally {
    await server.close();
    await db.close();
  }
}

/** What went wrong, in words; undefined for a bug. */
export function explainFailure(error: unknown): string | undefined {
  return error instanceof OperatorError ? error.message : undefined;
}

async function openBase(input: ProcessInput) {
  const location = databaseLocation(input.config, input.secrets);
  const lock = await lockInstance(location);
  const db = await openDatabase(location);
  await migrate(db, systemClock);
  const server = composeFrom(input, db, input.config.logLevel);
  await server.prepare();
  const worker = server.createWorker(lock);
  let isStopping = false;
  return {
    server,
    worker,
    readiness: createReadiness({ db, worker, isStopping: () => isStopping }),
    beginStop: () => {
      isStopping = true;
    },
    close: async () => {
      await worker.stop();
      await server.close();
      await db.close();
      await lock.release();
    },
  };
}

function composeFrom(input: ProcessInput, db: Db, logLevel: string): Server {
  const log =
    logLevel === "silent"
      ? silentLog()
      : createLog(logLevel, hideSharedAddresses);
  return compose({ ...input, db, log, clock: systemClock });
}
