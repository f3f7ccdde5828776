import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  createReadyDatabase,
  type DatabaseKind,
  type TestDatabase,
} from "../../packages/server/test/support/server/databases.ts";
import { settingsFor, spawnKith, type Settings } from "./kith-command.ts";
import { findFreePort } from "../../scripts/testing/free-port.ts";

const START_WITHIN_MS = 60_000;

export type KithOptions = {
  readonly database: DatabaseKind;
  /** Such as `activitypub,diaspora`. */
  readonly protocols: string;
  /** The host of its base URL and of its handles, such as `127.0.0.1`; localhost by default. */
  readonly host?: string;
  /** Additional settings. */
  readonly settings?: Settings;
};

/** A Kith server in its own process, on a loopback port, with its own data. */
export class KithProcess {
  readonly port: number;
  readonly #options: KithOptions;
  readonly #database: TestDatabase;
  #child: ChildProcess | undefined;
  #output = "";

  static async start(options: KithOptions): Promise<KithProcess> {
    const database = await createReadyDatabase(options.database);
    const kith = new KithProcess(options, database, await findFreePort());
    try {
      await kith.start();
    } catch (error) {
      await kith.remove();
      throw error;
    }
    return kith;
  }

  /** Starts several at once: all of them, or none. */
  static async startAll(
    all: readonly KithOptions[],
  ): Promise<readonly KithProcess[]> {
    const starting = all.map((options) => KithProcess.start(options));
    const settled = await Promise.allSettled(starting);
    try {
      return await Promise.all(starting);
    } catch (error) {
      for (const one of settled)
        if (one.status === "fulfilled") await one.value.remove();
      throw error;
    }
  }

  private constructor(
    options: KithOptions,
    database: TestDatabase,
    port: number,
  ) {
    this.#options = options;
    this.#database = database;
    this.port = port;
  }

  get #host(): string {
    return this.#options.host ?? "localhost";
  }

  get baseUrl(): string {
    return `http://${this.#host}:${this.port}`;
  }

  /** The settings with which other commands use the same data. */
  get settings(): Settings {
    return {
      ...settingsFor(this.#database),
      KITH_PORT: String(this.port),
      KITH_BASE_URL: this.baseUrl,
      KITH_PROTOCOLS: this.#options.protocols,
    };
  }

  get dataDir(): string {
    return this.#database.dataDir;
  }

  /** The path of its database, for reading it. */
  get location(): TestDatabase["location"] {
    return this.#database.location;
  }

  get isRunning(): boolean {
    const child = this.#child;
    return child?.exitCode === null && child.signalCode === null;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** The output of the process. */
  get output(): string {
    return this.#output;
  }

  handle(username: string): string {
    return `${username}@${this.#host}:${this.port}`;
  }

  async start(): Promise<void> {
    const { location, dataDir } = this.#database;
    const child = spawnKith(["serve"], {
      KITH_PORT: String(this.port),
      KITH_BASE_URL: this.baseUrl,
      KITH_DATA_DIR: dataDir,
      KITH_DATABASE_URL: location.kind === "postgres" ? location.url : "",
      KITH_PROTOCOLS: this.#options.protocols,
      // All load comes from one address.
      KITH_RATE_LIMITS: "off",
      KITH_LOG_LEVEL: process.env["KITH_TEST_LOG_LEVEL"] ?? "warn",
      ...this.#options.settings,
    });
    this.#child = child;
    const collect = (chunk: Buffer): void => {
      this.#output += chunk.toString();
    };
    child.stdout?.on("data", collect);
    child.stderr?.on("data", collect);
    await eventually(async () => {
      if (child.exitCode !== null)
        throw new Error(`Kith ended with ${child.exitCode}:\n${this.#output}`);
      const response = await fetch(`${this.baseUrl}/`);
      if (!response.ok) throw new Error(`/ answered ${response.status}`);
    }, START_WITHIN_MS);
  }

  /** Stops the process as Ctrl-C does. @returns its exit code */
  async stop(): Promise<number | null> {
    return this.#end("SIGINT");
  }

  /** Kills the process without any warning. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null)
      return child?.exitCode ?? null;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
    return child.exitCode;
  }

  /** Stops the process and removes its data. */
  async remove(): Promise<void> {
    await this.kill();
    await this.#database.remove();
  }
}

/**
 * Polls until `look` no longer throws: for results of another process.
 * @throws the last error of `look`
 */
export async function eventually<T>(
  look: () => Promise<T>,
  withinMs = 60_000,
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
