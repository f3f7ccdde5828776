import type { UserId } from "../../../src/db/schema/ids.ts";
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before } from "node:test";
import type { FastifyInstance } from "fastify";
import type { ComposeInput } from "../../../src/compose/compose-input.ts";
import { compose, type Server } from "../../../src/compose/server.ts";
import { readConfig } from "../../../src/config/config.ts";
import type { Db } from "../../../src/db/db.ts";
import { lockInstance } from "../../../src/db/locks/instance-lock.ts";
import { migrate } from "../../../src/db/migrate.ts";
import {
  openDatabase,
  type DatabaseLocation,
} from "../../../src/db/open-database.ts";
import { openNotices } from "../../../src/db/postgres/notices.ts";
import type { Role } from "../../../src/features/accounts/index.ts";
import type { Log } from "../../../src/observability/log.ts";
import type { Metrics } from "../../../src/observability/metrics.ts";
import { watchEntities } from "../mastodon/entity-watch.ts";
import { watchAnswers, watchedLog } from "./answer-watch.ts";
import { ApiClient } from "./api-client.ts";
import { testCredentials } from "./credentials.ts";
import { createReadyDatabase, type DatabaseKind } from "./databases.ts";
import { resolveLocalHost } from "./resolve-host.ts";
import { takeSnapshot, type Snapshot } from "./snapshot.ts";
import { TestClock } from "./test-clock.ts";
import type { IssuedTokenRecord, PersonRecord } from "./wire.ts";
import { findFreePort } from "../../../../../scripts/testing/free-port.ts";

export const PASSWORD = "correct horse";

type OwnRecord = PersonRecord & { UserID: UserId };

/** Somebody with an account here and a token. */
export type TestPerson = ApiClient & {
  readonly handle: string;
  readonly username: string;
  readonly record: OwnRecord;
};

/** The whole of Kith in this process, over a database of its own, on a loopback port. */
export class KithServer {
  readonly baseUrl: string;
  /** `host:port`, as in handles. */
  readonly host: string;
  /** The folder of its files. */
  readonly dataDir: string;
  readonly location: DatabaseLocation;
  readonly clock: TestClock;
  readonly db: Db;
  readonly server: Server;
  readonly app: FastifyInstance;
  /** Runs due jobs until there are none. */
  readonly settle: () => Promise<void>;
  readonly close: () => Promise<void>;
  /** Everybody's: it has no token. */
  readonly anonymous: ApiClient;
  #people = 0;

  constructor(parts: Parts) {
    this.baseUrl = parts.baseUrl;
    this.host = parts.host;
    this.dataDir = parts.dataDir;
    this.location = parts.location;
    this.clock = parts.clock;
    this.db = parts.db;
    this.server = parts.server;
    this.app = parts.app;
    this.settle = parts.settle;
    this.close = parts.close;
    const { baseUrl } = this;
    this.anonymous = new ApiClient({
      baseUrl,
      snapshot: () => this.snapshot(),
    });
  }

  snapshot(): Promise<Snapshot> {
    return takeSnapshot(this.db);
  }

  /** Signs a person up and gets a token, all over HTTP. */
  async person(
    options: { handle?: string; role?: Role } = {},
  ): Promise<TestPerson> {
    this.#people += 1;
    const username = options.handle ?? `person${this.#people}`;
    await this.signUp(username);
    if (options.role)
      await this.server.features.administration.setRole(
        null,
        { username },
        options.role,
      );
    const { token } = await this.token(username);
    const client = this.anonymous.with(token);
    const handle = `${username}@${this.host}`;
    const record = await client.post<OwnRecord>("/search", { handle });
    return Object.assign(client, { handle, username, record });
  }

  async signUp(username: string, password = PASSWORD): Promise<void> {
    const response = await fetch(`${this.baseUrl}/users/sign_up`, {
      method: "POST",
      body: new URLSearchParams({ username, password, confirm: password }),
      redirect: "manual",
    });
    assert.equal(response.status, 302, await response.text());
  }

  token(username: string, clientId = "test"): Promise<IssuedTokenRecord> {
    return this.anonymous.post<IssuedTokenRecord>("/oauth/tokens", {
      grant_type: "password",
      username,
      password: PASSWORD,
      client_id: clientId,
    });
  }
}

type Parts = Pick<
  KithServer,
  | "baseUrl"
  | "host"
  | "dataDir"
  | "location"
  | "clock"
  | "db"
  | "server"
  | "app"
  | "settle"
  | "close"
>;

/** Deviations of a test from the defaults. */
export type KithOptions = {
  /** Additional settings, by name. */
  readonly env?: Readonly<Record<string, string>>;
  readonly log?: Log;
  /** By default, localhost alone is resolved. */
  readonly resolveHost?: ComposeInput["resolveHost"];
  readonly metrics?: Metrics;
  /** Does it notify other processes on its database? */
  readonly notifies?: boolean;
};

export async function startKith(
  kind: DatabaseKind,
  options: KithOptions = {},
): Promise<KithServer> {
  const database = await createReadyDatabase(kind);
  const lock = await lockInstance(database.location);
  const db = await openDatabase(database.location);
  const clock = new TestClock();
  await migrate(db, clock);
  const port = await findFreePort();
  const { config, secrets } = readConfig(
    {
      KITH_PORT: String(port),
      // Thousands of calls come from one address; tests of limits switch them on.
      KITH_RATE_LIMITS: "off",
      // Only tests of previews visit the pages that posts link.
      KITH_LINK_PREVIEWS: "false",
      KITH_DATA_DIR: database.dataDir,
      ...options.env,
    },
    {},
  );
  const secretKey = randomBytes(32);
  const notices = options.notifies
    ? await openNotices(database.location)
    : undefined;
  const { log = watchedLog(), resolveHost = resolveLocalHost } = options;
  const { metrics } = options;
  const server = compose({
    config,
    db,
    clock,
    log,
    secretKey,
    credentials: testCredentials,
    version: "0",
    smtp: secrets.smtp,
    resolveHost,
    ...(metrics && { metrics }),
    ...(notices && { notices }),
  });
  const worker = server.createWorker(lock);
  const app = await server.createApp();
  watchAnswers(app);
  watchEntities(app);
  const close = async () => {
    // A test that leaves a response unread keeps its connection busy.
    const cut = setTimeout(() => app.server.closeAllConnections(), 1_000);
    await app.close();
    clearTimeout(cut);
    await worker.stop();
    await server.close();
    await notices?.close();
    await db.close();
    await lock.release();
    await database.remove();
  };
  try {
    await app.listen({ host: "localhost", port });
  } catch (error) {
    await close();
    throw error;
  }
  return new KithServer({
    // It listens here, whatever its base URL.
    baseUrl: `http://localhost:${port}`,
    host: config.baseHost,
    dataDir: config.dataDir,
    location: database.location,
    clock,
    db,
    server,
    app,
    settle: () => worker.settle(),
    close,
  });
}

/**
 * One server for all tests of the surrounding `describe`.
 * @returns a function that gives the server, once a test runs
 */
export function useKith(
  kind: DatabaseKind,
  options: KithOptions = {},
): () => KithServer {
  let kith: KithServer | undefined;
  before(async () => {
    kith = await startKith(kind, options);
  });
  after(() => kith?.close());
  return () => {
    assert.ok(kith, "The server runs inside of tests only");
    return kith;
  };
}
