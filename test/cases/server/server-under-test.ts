import { execFile } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  readFileSync,
  rmSync,
} from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { Caller } from "../call.ts";
import {
  makeDataFolder,
  type DataKind,
  type PreparedDatabase,
} from "../prepared-database.ts";
import type { ServerProcess, ServerProcesses } from "./server-process.ts";
import { findFreePort } from "../../../scripts/testing/free-port.ts";

/** The name of the server under test on the simulated network. */
export const HOST = "kith.test";
export const BASE_URL = `https://${HOST}`;

const KITH = path.resolve(
  import.meta.dirname,
  "../../../packages/server/bin/kith.cjs",
);
const runFile = promisify(execFile);

export type ServerOptions = {
  /** A folder with the data of a stopped server; without it, the server is new. */
  readonly copyOf?: string;
  readonly database: PreparedDatabase;
  readonly processes: ServerProcesses;
  /** The port of the simulated network, to which every name resolves. */
  readonly networkPort: number;
};

/** A Kith server whose outgoing names all lead to the simulated network. */
export class ServerUnderTest {
  readonly folder: string;
  readonly caller: Caller;
  readonly database: DataKind;
  readonly #process: ServerProcess;
  readonly #options: ServerOptions;
  readonly #settings: NodeJS.ProcessEnv;
  #hasStopped = false;

  static async start(options: ServerOptions): Promise<ServerUnderTest> {
    const server = new ServerUnderTest(options, await findFreePort());
    try {
      await server.#process.startServer(server.#settings, server.#keep);
    } catch (error) {
      const said = server.#lastLines();
      await server.stop().catch(() => {});
      rmSync(server.folder, { recursive: true, force: true });
      throw new Error(`The server does not start: ${said}`, { cause: error });
    }
    return server;
  }

  private constructor(options: ServerOptions, port: number) {
    this.#options = options;
    this.#process = options.processes.take();
    this.database = options.database.kind;
    this.folder = makeDataFolder("kith-case-");
    if (options.copyOf !== undefined)
      cpSync(options.copyOf, this.dataDir, { recursive: true });
    this.caller = new Caller(port, HOST);
    this.#settings = {
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
    };
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

  /** Runs a command of the server beside it. @throws on failure */
  async command(...words: string[]): Promise<string> {
    const { stdout } = await runFile(process.execPath, [KITH, ...words], {
      env: { PATH: process.env["PATH"], ...this.#settings },
    });
    return stdout;
  }

  /** The properties that every object of the process has gained since its start. */
  listGained(): Promise<string[]> {
    return this.#process.listGained();
  }

  /** Whether its process has not ended. */
  get isRunning(): boolean {
    return this.#process.isRunning;
  }

  /** Every `address port` that it has connected to, or tried to. */
  listConnections(): string[] {
    return this.#process.listConnections();
  }

  readonly #keep = (chunk: Buffer): void => {
    if (existsSync(this.folder)) appendFileSync(this.logFile, chunk);
  };

  #lastLines(): string {
    return existsSync(this.logFile)
      ? readFileSync(this.logFile, "utf8").slice(-2000)
      : "it said nothing";
  }

  /** Keeps its data. */
  async stop(): Promise<void> {
    if (this.#hasStopped) return;
    this.#hasStopped = true;
    this.caller.close();
    try {
      if (this.#process.isRunning) await this.#process.stopServer();
    } finally {
      await this.#options.processes.giveBack(this.#process);
    }
  }

  /** Stops it and removes its data. */
  async remove(): Promise<void> {
    try {
      await this.stop();
    } finally {
      await this.#options.database.remove();
      rmSync(this.folder, { recursive: true, force: true });
    }
  }
}
