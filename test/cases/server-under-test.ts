import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { Caller } from "./call.ts";
import type { DataKind, PreparedDatabase } from "./prepared-database.ts";
import { findFreePort } from "../support/kith-process.ts";

/** The name of the server under test on the simulated network. */
export const HOST = "kith.test";
export const BASE_URL = `https://${HOST}`;

const KITH = path.resolve(
  import.meta.dirname,
  "../../packages/server/bin/kith.cjs",
);
const WATCHER = path.join(
  import.meta.dirname,
  "./network/watch-connections.ts",
);
const START_WITHIN_MS = 60_000;
const runFile = promisify(execFile);

export type ServerOptions = {
  /** A folder with the data of a stopped server; without it, the server is new. */
  readonly copyOf?: string;
  readonly database: PreparedDatabase;
  /** The port of the simulated network, to which every name resolves. */
  readonly networkPort: number;
  /** The certificate of the authority of that network. */
  readonly certificate: string;
};

/** A Kith process whose outgoing names all lead to the simulated network. */
export class ServerUnderTest {
  readonly folder: string;
  readonly caller: Caller;
  readonly database: DataKind;
  readonly #child: ChildProcess;
  readonly #options: ServerOptions;
  readonly #settings: NodeJS.ProcessEnv;

  static async start(options: ServerOptions): Promise<ServerUnderTest> {
    const server = new ServerUnderTest(options, await findFreePort());
    try {
      await server.#untilItAnswers();
    } catch (error) {
      await server.stop("SIGKILL");
      rmSync(server.folder, { recursive: true, force: true });
      throw error;
    }
    return server;
  }

  private constructor(options: ServerOptions, port: number) {
    this.#options = options;
    this.database = options.database.kind;
    this.folder = mkdtempSync(path.join(tmpdir(), "kith-case-"));
    if (options.copyOf !== undefined)
      cpSync(options.copyOf, this.dataDir, { recursive: true });
    const certificate = path.join(this.folder, "authority.pem");
    writeFileSync(certificate, options.certificate);
    writeFileSync(this.#connections, "");
    this.caller = new Caller(port, HOST);
    this.#settings = {
      PATH: process.env["PATH"],
      KITH_BASE_URL: BASE_URL,
      KITH_BIND: "127.0.0.1",
      KITH_PORT: String(port),
      KITH_DATA_DIR: this.dataDir,
      KITH_DATABASE_URL: options.database.url,
      KITH_REGISTRATION: "open",
      // The rules against private addresses apply; names resolve as configured.
      KITH_ALLOW_PRIVATE_NETWORK: "false",
      KITH_HOSTS: `*=127.0.0.1:${options.networkPort}`,
      KITH_LOG_LEVEL: process.env["KITH_TEST_LOG_LEVEL"] ?? "warn",
      NODE_EXTRA_CA_CERTS: certificate,
    };
    this.#child = spawn(process.execPath, [KITH, "serve"], {
      env: {
        ...this.#settings,
        NODE_OPTIONS: `--import=${pathToFileURL(WATCHER).href}`,
        CASES_CONNECTIONS: this.#connections,
        CASES_GAINED: this.#gained,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const keep = (chunk: Buffer) => {
      if (existsSync(this.folder)) appendFileSync(this.logFile, chunk);
    };
    this.#child.stdout?.on("data", keep);
    this.#child.stderr?.on("data", keep);
  }

  get dataDir(): string {
    return path.join(this.folder, "data");
  }

  /** Empty if the database is in the data folder. */
  get databaseUrl(): string {
    return this.#options.database.url;
  }

  get logFile(): string {
    return path.join(this.folder, "server.log");
  }

  get #connections(): string {
    return path.join(this.folder, "connections");
  }

  get #gained(): string {
    return path.join(this.folder, "gained");
  }

  /** Runs a command of the server beside it. @throws on failure */
  async command(...words: string[]): Promise<string> {
    const { stdout } = await runFile(process.execPath, [KITH, ...words], {
      env: this.#settings,
    });
    return stdout;
  }

  /** The properties that every object of the process has gained since its start. */
  async listGained(): Promise<string[]> {
    rmSync(this.#gained, { force: true });
    this.#child.kill("SIGUSR2");
    const deadline = performance.now() + START_WITHIN_MS;
    while (!existsSync(this.#gained)) {
      if (!this.isRunning || performance.now() > deadline)
        throw new Error("The process does not say what objects have gained");
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return readFileSync(this.#gained, "utf8").split("\n").filter(Boolean);
  }

  /** Whether it is still the original process. */
  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Every `address port` that it has connected to, or tried to. */
  listConnections(): string[] {
    return readFileSync(this.#connections, "utf8").split("\n").slice(0, -1);
  }

  async #untilItAnswers(): Promise<void> {
    const deadline = performance.now() + START_WITHIN_MS;
    for (;;) {
      if (!this.isRunning)
        throw new Error(`The server ended: ${this.#lastLines()}`);
      const answer = await this.caller
        .call({ method: "GET", path: "/.well-known/nodeinfo" })
        .catch(() => undefined);
      if (answer?.status === 200) return;
      if (performance.now() > deadline)
        throw new Error(`The server does not answer: ${this.#lastLines()}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  #lastLines(): string {
    return existsSync(this.logFile)
      ? readFileSync(this.logFile, "utf8").slice(-2000)
      : "it said nothing";
  }

  /** Stops the process and keeps its data. */
  async stop(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    this.caller.close();
    if (!this.isRunning) return;
    const ended = once(this.#child, "exit");
    this.#child.kill(signal);
    await ended;
  }

  /** Stops the process and removes its data. */
  async remove(): Promise<void> {
    await this.stop("SIGKILL");
    await this.#options.database.remove();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
