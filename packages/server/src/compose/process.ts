import { backupDepsOf, planOf, upgrade } from "./backups.ts";
import { locateDatabase, type CommandInput } from "./command-input.ts";
import { compose, type Server } from "./server.ts";
import { refuseHalfRestored } from "../backups/half-restored.ts";
import type { Config } from "../config/config.ts";
import type { Db, OnQuery } from "../db/db.ts";
import { lockInstance } from "../db/locks/instance-lock.ts";
import { measureDatabase, traceDatabase } from "../db/measure-database.ts";
import { isMigrated } from "../db/migrate.ts";
import { replicaGauges } from "../db/replica/replica-gauges.ts";
import { openNotices, type Notices } from "../db/postgres/notices.ts";
import { openDatabase, type DatabaseLocation } from "../db/open-database.ts";
import { openExisting } from "../db/open-existing.ts";
import { openSecretKey } from "../features/accounts/index.ts";
import { hideSecretCalendars } from "../features/calendars/index.ts";
import { hideSharedAddresses } from "../features/photos/index.ts";
import { hideMailTokens } from "../features/mail/index.ts";
import { hideProxyAddresses } from "../features/remote-media/index.ts";
import { listen } from "../http/listen.ts";
import {
  listenForOperations,
  type OperationsDeps,
} from "../http/operations-listener.ts";
import {
  listenForProcesses,
  operationsAnswers,
} from "../http/operations-of-processes.ts";
import { createReadiness } from "../http/readiness.ts";
import { countFailingHosts } from "../federation/delivery/host-gauges.ts";
import { countQueue } from "../jobs/queue-gauges.ts";
import { answerQuestions, isChild } from "../lib/processes/child-process.ts";
import { runProcesses } from "../lib/processes/run-processes.ts";
import { systemClock } from "../lib/time/clock.ts";
import { collectGauges } from "../observability/collect-gauges.ts";
import {
  chooseFormat,
  createLog,
  humanDestination,
  silentLog,
  type Log,
} from "../observability/log.ts";
import { createMetrics, type Metrics } from "../observability/metrics.ts";
import type { Tracing } from "../observability/tracing.ts";
import { withTimeout } from "../lib/time/timeout.ts";

/** A process that runs until it is stopped. */
export type Running = {
  readonly stop: () => Promise<void>;
  /** Stops a web server as well, but gives the requests that it has begun minutes to end. */
  readonly drain?: () => Promise<void>;
};

/** The state of a new server, for its operator. */
export type FirstSteps = {
  /** Has there never been an account? */
  readonly isNew: boolean;
  /** Lets the first admin sign up; undefined if there is one. */
  readonly setupCode: string | undefined;
  /** The host in the addresses of its people, if the settings name another one. */
  readonly formerHost: string | undefined;
};

/** How long a stop may take altogether: supervisors kill after ten seconds. */
const STOP_WITHIN_MS = 9_500;
const CUT_OFF_AFTER_MS = 3_000;
/** A process that is replaced: enough for a video over a slow connection. */
const DRAIN_WITHIN_MS = 5 * 60_000;

/**
 * Serves the web, the API and federation, and works off the queue unless
 * `config.worker` is false. Resolves when it listens. @throws {OperatorError}
 */
export async function startServing(
  input: CommandInput,
): Promise<Running & { readonly firstSteps: FirstSteps }> {
  const { config } = input;
  const base = await openBase(input, config.worker);
  try {
    const app = await base.server.createApp(base.readiness);
    const listeners = await listen(app, config.bind, config.port);
    base.worker?.start();
    let ended: Promise<void> | undefined;
    const end = async (requestsMs: number): Promise<void> => {
      const requestsEnded = listeners.close(requestsMs);
      const stopAll = async (): Promise<void> => {
        base.beginStop();
        await Promise.all([requestsEnded, app.close(), base.worker?.stop()]);
        await base.close();
      };
      ended ??= stopAll();
      const closingMs = STOP_WITHIN_MS - CUT_OFF_AFTER_MS;
      await withTimeout(ended, requestsMs + closingMs);
    };
    const { accounts, people } = base.server.features;
    const firstSteps = {
      isNew: await accounts.isNew(),
      setupCode: (await accounts.hasAdmin()) ? undefined : accounts.setupCode,
      formerHost: await people.findFormerHost(config.baseHost),
    };
    const drain = async (): Promise<void> => {
      await listeners.leave();
      await end(DRAIN_WITHIN_MS);
    };
    return { firstSteps, drain, stop: () => end(CUT_OFF_AFTER_MS) };
  } catch (error) {
    await base.close();
    throw error;
  }
}

/** A worker beside other processes that share a PostgreSQL. @throws {OperatorError} */
export async function startWorking(input: CommandInput): Promise<Running> {
  const base = await openBase(input, true);
  base.worker?.start();
  return { stop: () => withTimeout(base.close(), STOP_WITHIN_MS) };
}

/**
 * Runs this command in several processes, which call `startServing` or
 * `startWorking` themselves.
 * @throws {ProcessFailed}
 * @throws {OperatorError} if the metrics cannot be served
 */
export async function startSeveral(
  { processes: count, metrics: address }: Config,
  warn: (line: string) => void,
): Promise<Several> {
  const processes = await runProcesses<FirstSteps | undefined>(count, warn);
  const firstSteps = processes.state;
  if (!address) return { ...processes, firstSteps };
  const close = await listenForProcesses(processes, address).catch(
    async (error: unknown) => {
      await processes.stop();
      throw error;
    },
  );
  const stop = async (): Promise<void> => {
    await processes.stop();
    await close();
  };
  return { ...processes, firstSteps, stop };
}

type Several = Running & {
  readonly firstSteps: FirstSteps | undefined;
  readonly replaceAll: () => Promise<void>;
};

/** Runs `use` with all of Kith, also beside a running server. */
export async function withServer(
  input: CommandInput,
  use: (server: Server) => Promise<void>,
): Promise<void> {
  const db = await openExisting(locateDatabase(input.config, input.secrets));
  try {
    await upgrade(input, db);
    const secretKey = await openSecretKey(db, input.secretKeyPlace);
    const server = composeFrom({ ...input, secretKey }, db, silentLog());
    await use(server).finally(() => server.close());
  } finally {
    await db.close();
  }
}

async function openBase(input: CommandInput, withWorker: boolean) {
  const { config } = input;
  const location = locateDatabase(config, input.secrets);
  await refuseHalfRestored(config.dataDir, location);
  const lock = await lockInstance(location);
  const log = await openLog(config);
  const tracing = await openTraces(input, log);
  const { db, metrics } = await openObserved(config, location, tracing);
  await upgrade(input, db);
  const secretKey = await openSecretKey(db, input.secretKeyPlace);
  const notices = await openNotices(location);
  const beside = { metrics, notices, ...(tracing && { tracing }) };
  const opened = { ...input, secretKey };
  const server = composeFrom(opened, db, log, beside);
  await server.prepare();
  await server.imports.sweep();
  const worker = withWorker ? server.createWorker(lock) : undefined;
  let isStopping = false;
  const readiness = createReadiness({
    isDatabaseReady: () => isMigrated(db.read),
    ...(worker && { worker }),
    isStopping: () => isStopping,
  });
  const closeOperations = await openOperations(config, { metrics, readiness });
  return {
    server,
    worker,
    readiness,
    /** Makes /readyz refuse, so that load balancers send requests elsewhere. */
    beginStop: () => {
      isStopping = true;
    },
    close: async () => {
      isStopping = true;
      await worker?.stop();
      await server.close();
      await notices.close();
      await closeOperations();
      await db.close();
      await lock.release();
      await tracing?.close();
    },
  };
}

/** Where several processes were started by one, that one serves them for all. */
async function openOperations(
  { metrics: address }: Config,
  deps: OperationsDeps,
): Promise<() => Promise<void>> {
  if (isChild()) return answerQuestions(operationsAnswers(deps));
  return address ? listenForOperations(deps, address) : async () => {};
}

/** The packages of OpenTelemetry are loaded only where an operator asks for traces. */
async function openTraces(
  { config, version }: CommandInput,
  log: Log,
): Promise<Tracing | undefined> {
  if (!config.tracing) return undefined;
  const { openTracing } = await import("../observability/open-tracing.ts");
  return openTracing({ version, ...config.tracing, log });
}

/** Measures queries only where an address for metrics is set. */
async function openObserved(
  { metrics: address }: Config,
  location: DatabaseLocation,
  tracing: Tracing | undefined,
) {
  const metrics = createMetrics();
  const observers = [
    ...(tracing ? [traceDatabase(tracing)] : []),
    ...(address ? [measureDatabase(metrics)] : []),
  ];
  const onQuery: OnQuery = (ms, sql) =>
    observers.forEach((one) => one.onQuery(ms, sql));
  const opened = await openDatabase(
    location,
    observers.length > 0 ? onQuery : undefined,
  );
  const db = observers.reduce((inner, one) => one.wrap(inner), opened);
  if (!address) return { db, metrics };
  metrics.gauges(() => replicaGauges(db.replica?.state()));
  collectGauges(metrics, async () => {
    const now = systemClock.now();
    return [
      ...(await countQueue(db.read, now)),
      ...(await countFailingHosts(db.read, now)),
    ];
  });
  return { db, metrics };
}

function composeFrom(
  input: CommandInput & { readonly secretKey: Uint8Array },
  db: Db,
  log: Log,
  beside?: {
    readonly metrics: Metrics;
    readonly notices: Notices;
    readonly tracing?: Tracing;
  },
): Server {
  return compose({
    ...input,
    db,
    log,
    clock: systemClock,
    backup: { ...backupDepsOf(input), plan: planOf(input) },
    smtp: input.secrets.smtp,
    mediaPlace: input.secrets.media,
    ...beside,
  });
}

async function openLog({ logLevel, logFormat }: Config): Promise<Log> {
  if (logLevel === "silent") return silentLog();
  const isForPeople = chooseFormat(logFormat) === "human";
  const destination = isForPeople ? await humanDestination() : undefined;
  return createLog(logLevel, hideSecretAddresses, destination);
}

/** Such an address alone gives access to the picture, or the calendar. */
function hideSecretAddresses(line: string): string {
  const shown = hideSecretCalendars(hideMailTokens(line));
  return hideProxyAddresses(hideSharedAddresses(shown));
}
