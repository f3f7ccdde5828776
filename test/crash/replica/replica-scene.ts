import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import {
  startPostgresPair,
  startStandby,
} from "../../../scripts/testing/test-postgres-standby.ts";
import type { TestPostgres } from "../../../scripts/testing/test-postgres.ts";
import { ApiClient } from "../../support/api-client.ts";
import { guidOf } from "../../support/conversation.ts";
import {
  runKith,
  spawnKith,
  type Settings,
} from "../../support/kith-command.ts";
import { eventually } from "../../support/kith-process.ts";
import { MovingDoor } from "../moving-door.ts";
import { findFreePort } from "../../../scripts/testing/free-port.ts";

/** The one of `ApiClient`. */
const PASSWORD = "correct horse";

/** The user of the database, and its password. */
const ROLE = "kith";

/** An answer. */
type Page = { readonly status: number; readonly text: string };

/** A primary with a standby, and two processes of Kith that read from both. */
export class ReplicaScene {
  readonly primary: TestPostgres;
  standby: TestPostgres;
  /** The address of the standby for Kith. */
  readonly door: MovingDoor;
  readonly #dataDir = mkdtempSync(path.join(tmpdir(), "kith-replica-"));
  readonly #kiths: ChildProcess[] = [];
  #ann: ApiClient | undefined;
  #cookie = "";
  #settings: Settings = {};
  #writes = "";
  #reads = "";
  readonly #metrics: string[] = [];

  static async start(): Promise<ReplicaScene> {
    const pair = await startPostgresPair({ isSynchronous: false });
    const { standby } = pair;
    const door = await MovingDoor.open(Number(new URL(standby.url).port));
    const scene = new ReplicaScene(pair.primary, standby, door);
    try {
      await scene.#startKith();
      return scene;
    } catch (error) {
      await scene.stop();
      throw error;
    }
  }

  private constructor(
    primary: TestPostgres,
    standby: TestPostgres,
    door: MovingDoor,
  ) {
    this.primary = primary;
    this.standby = standby;
    this.door = door;
  }

  /** A person who writes in the process that strangers do not ask. */
  get ann(): ApiClient {
    assert.ok(this.#ann);
    return this.#ann;
  }

  get replicaUrl(): string {
    return addressOf(this.standby.url, { port: this.door.port });
  }

  get primaryUrl(): string {
    return addressOf(this.primary.url);
  }

  async #startKith(): Promise<void> {
    // No superuser, as on most servers.
    for (const sql of [
      `create role ${ROLE} login password '${ROLE}'`,
      `create database kith owner ${ROLE}`,
    ])
      await query(this.primary.url, sql);
    const writing = await findFreePort();
    const reading = await findFreePort();
    this.#writes = `http://localhost:${writing}`;
    this.#reads = `http://localhost:${reading}`;
    this.#settings = {
      KITH_DATABASE_URL: this.primaryUrl,
      KITH_DATABASE_REPLICA_URL: this.replicaUrl,
      KITH_DATA_DIR: this.#dataDir,
      KITH_BASE_URL: this.#writes,
      KITH_RATE_LIMITS: "off",
    };
    await this.#spawn(this.#writes, this.#settings);
    await this.#spawn(this.#reads, {
      ...{
        ...this.#settings,
        KITH_PORT: String(reading),
        KITH_WORKER: "false",
      },
    });
    this.#ann = await ApiClient.signUp(this.#writes, "ann");
  }

  async #spawn(url: string, settings: Settings): Promise<void> {
    const metrics = await findFreePort();
    this.#metrics.push(`http://127.0.0.1:${metrics}/metrics`);
    const kith = spawnKith(["serve"], {
      ...settings,
      KITH_METRICS_PORT: String(metrics),
    });
    this.#kiths.push(kith);
    kith.stdout?.resume();
    kith.stderr?.resume();
    await eventually(async () => {
      assert.equal((await fetch(`${url}/readyz`)).status, 200);
    });
  }

  /** The findings of `kith doctor --json`. */
  async askDoctor(): Promise<string> {
    return (await runKith(["doctor", "--json"], this.#settings)).output;
  }

  /** @returns the Guid */
  async publish(text: string): Promise<string> {
    return guidOf(await this.ann.post("/posts", { post: text, aspectID: "0" }));
  }

  /** With the session of a browser, in the process that strangers ask. */
  async asAnn(at: string): Promise<Page> {
    this.#cookie ||= await this.#signIn();
    return this.asStranger(at, { cookie: this.#cookie });
  }

  async #signIn(): Promise<string> {
    const response = await fetch(`${this.#writes}/users/sign_in`, {
      method: "POST",
      body: new URLSearchParams({ username: "ann", password: PASSWORD }),
      redirect: "manual",
    });
    assert.equal(response.status, 302, await response.text());
    const cookies = response.headers.getSetCookie();
    return cookies.map((cookie) => cookie.split(";", 1)[0]).join("; ");
  }

  async asStranger(
    at: string,
    { isWriting = false, accept = "text/html", cookie = "" } = {},
  ): Promise<Page> {
    const base = isWriting ? this.#writes : this.#reads;
    const response = await fetch(base + at, {
      headers: { accept, ...(cookie !== "" && { cookie }) },
      signal: AbortSignal.timeout(30_000),
    });
    return { status: response.status, text: await response.text() };
  }

  /** Whose data the answers of a process to strangers showed. */
  async countAnswers({ isWriting = false } = {}): Promise<
    Record<"replica" | "primary", number>
  > {
    const url = this.#metrics[isWriting ? 0 : 1] ?? "";
    const metrics = await (await fetch(url)).text();
    const of = (server: string) => {
      const line = `kith_replica_answers_total{server="${server}"} `;
      const at = metrics.indexOf(line);
      assert.ok(at >= 0, metrics);
      return Number.parseInt(metrics.slice(at + line.length), 10);
    };
    return { replica: of("replica"), primary: of("primary") };
  }

  /** Resolves when the replica answers strangers, in both processes. */
  async isUsed(): Promise<void> {
    for (const process of [{ isWriting: true }, { isWriting: false }])
      await eventually(async () => {
        const before = await this.countAnswers(process);
        await this.asStranger("/u/ann", process);
        const after = await this.countAnswers(process);
        assert.ok(after.replica > before.replica);
        assert.equal(after.primary, before.primary);
      });
  }

  pauseReplay(): Promise<unknown> {
    return query(this.standby.url, "select pg_wal_replay_pause()");
  }

  resumeReplay(): Promise<unknown> {
    return query(this.standby.url, "select pg_wal_replay_resume()");
  }

  /** Puts a new standby in the place of one that is gone. */
  async replaceStandby(): Promise<void> {
    const old = this.standby;
    this.standby = await startStandby(this.primary);
    await old.stop();
    this.door.moveTo(Number(new URL(this.standby.url).port));
  }

  async stop(): Promise<void> {
    for (const kith of this.#kiths) {
      const ended = once(kith, "exit");
      kith.kill("SIGTERM");
      if (kith.exitCode === null && kith.signalCode === null) await ended;
    }
    await this.door.close();
    await Promise.all([this.primary.stop(), this.standby.stop()]);
    rmSync(this.#dataDir, { recursive: true, force: true });
  }
}

export async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

function addressOf(url: string, { port }: { port?: number } = {}): string {
  const changed = new URL(url);
  if (port !== undefined) changed.port = String(port);
  changed.pathname = "/kith";
  changed.username = ROLE;
  changed.password = ROLE;
  return changed.href;
}
