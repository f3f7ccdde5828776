import assert from "node:assert/strict";
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import {
  createTestDatabase,
  type DatabaseKind,
  type TestDatabase,
} from "../../packages/server/test/support/server/databases.ts";
import {
  runKith,
  settingsFor,
  type Ended,
  type Settings,
} from "../support/kith-command.ts";
import type { Order, Reply, Weight } from "./server-process.ts";
import { findFreePort } from "../../scripts/testing/free-port.ts";

const PROGRAM = path.join(import.meta.dirname, "server-process.ts");

type Unnumbered<O> = O extends unknown ? Omit<O, "id"> : never;

/** The server of a year, which is killed and restored now and then. */
export class YearServer {
  readonly port: number;
  readonly #kind: DatabaseKind;
  readonly #extra: Settings;
  #place: TestDatabase;
  #child: ChildProcess | undefined;
  /** Of its clock to that of the machine. */
  #offsetMs: number;
  #orders = 0;

  /** @param startsAgoMs when its first day is */
  static async start(
    kind: DatabaseKind,
    startsAgoMs: number,
    settings: Settings,
  ): Promise<YearServer> {
    const [port, place] = [
      await findFreePort(),
      await createTestDatabase(kind),
    ];
    const server = new YearServer(kind, port, place, -startsAgoMs, settings);
    await server.startAgain();
    return server;
  }

  private constructor(
    kind: DatabaseKind,
    port: number,
    place: TestDatabase,
    offsetMs: number,
    extra: Settings,
  ) {
    this.#kind = kind;
    this.port = port;
    this.#place = place;
    this.#offsetMs = offsetMs;
    this.#extra = extra;
  }

  get baseUrl(): string {
    return `http://localhost:${this.port}`;
  }

  get place(): TestDatabase {
    return this.#place;
  }

  readonly clock = { now: (): Date => new Date(Date.now() + this.#offsetMs) };

  handle(username: string): string {
    return `${username}@localhost:${this.port}`;
  }

  async startAgain(): Promise<void> {
    const child = fork(PROGRAM, [], {
      execArgv: ["--expose-gc"],
      env: {
        PATH: process.env["PATH"],
        KITH_TEST_KEYS: process.env["KITH_TEST_KEYS"],
        KITH_YEAR_OFFSET_MS: String(this.#offsetMs),
        ...this.#settings(this.#place),
      },
    });
    this.#child = child;
    const [message] = (await Promise.race([
      once(child, "message"),
      once(child, "exit").then(() => assert.fail("The server did not start")),
    ])) as [Reply];
    assert.deepEqual(message, { up: true });
  }

  async advance(ms: number): Promise<void> {
    this.#offsetMs += ms;
    await this.#order({ kind: "advance", ms });
  }

  /** Runs due jobs until there are none. */
  async settle(): Promise<void> {
    await this.#order({ kind: "settle" });
  }

  async weigh(): Promise<Weight> {
    const reply = await this.#order({ kind: "weigh" });
    assert.ok("weight" in reply && reply.weight);
    return reply.weight;
  }

  async stop(): Promise<void> {
    const ended = this.#child && once(this.#child, "exit");
    await this.#order({ kind: "stop" });
    await ended;
  }

  /** Kills the process, and loses its whole machine. */
  async loseEverything(): Promise<void> {
    const ended = this.#child && once(this.#child, "exit");
    this.#child?.kill("SIGKILL");
    await ended;
    await this.#place.remove();
  }

  /** Restores a backup into an empty place, and starts there. */
  async restore(backup: string): Promise<void> {
    this.#place = await createTestDatabase(this.#kind);
    const { code, complaint } = await this.run(["restore", backup]);
    assert.equal(code, 0, complaint);
    await this.startAgain();
  }

  /** Runs a command with the settings of the server. */
  run(args: readonly string[]): Promise<Ended> {
    return runKith(args, this.#settings(this.#place));
  }

  async remove(): Promise<void> {
    this.#child?.kill("SIGKILL");
    await this.#place.remove();
  }

  #settings(place: TestDatabase): Settings {
    return {
      ...settingsFor(place),
      KITH_PORT: String(this.port),
      KITH_BASE_URL: this.baseUrl,
      KITH_RATE_LIMITS: "off",
      KITH_LINK_PREVIEWS: "false",
      KITH_BACKUP_PASSPHRASE: "correct horse battery staple",
      ...this.#extra,
    };
  }

  async #order(order: Unnumbered<Order>): Promise<Reply> {
    const child = this.#child;
    assert.ok(child?.connected, "The server runs");
    this.#orders += 1;
    const id = this.#orders;
    return new Promise((resolve, reject) => {
      const listen = (reply: Reply): void => {
        if (!("id" in reply) || reply.id !== id) return;
        child.off("message", listen).off("exit", fail);
        resolve(reply);
      };
      const fail = (): void => reject(new Error("The server has ended"));
      child.on("message", listen).once("exit", fail);
      child.send({ ...order, id });
    });
  }
}
