import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Order, Report } from "./serve-in-turn.ts";

const PROGRAM = path.join(import.meta.dirname, "./serve-in-turn.ts");
const WATCHER = path.join(
  import.meta.dirname,
  "../network/watch-connections.ts",
);
const WITHIN_MS = 120_000;

/** A process in which one server runs after the other. */
export class ServerProcess {
  /** False once it must not be used again. */
  isSound = true;
  readonly #folder = mkdtempSync(path.join(tmpdir(), "kith-serving-"));
  readonly #child: ChildProcess;
  #log: (chunk: Buffer) => void = () => {};

  /** @param certificate of the authority of the simulated network */
  constructor(certificate: string) {
    const authority = path.join(this.#folder, "authority.pem");
    writeFileSync(authority, certificate);
    this.#forgetConnections();
    this.#child = fork(PROGRAM, {
      env: {
        PATH: process.env["PATH"],
        NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
        NODE_EXTRA_CA_CERTS: authority,
        CASES_CONNECTIONS: this.#connections,
        CASES_GAINED: this.#gained,
      },
      execArgv: ["--import", WATCHER],
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on("data", (chunk: Buffer) => this.#log(chunk));
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** @param log takes the output of this server */
  async startServer(
    settings: NodeJS.ProcessEnv,
    log: (chunk: Buffer) => void,
  ): Promise<void> {
    this.#log = log;
    this.#forgetConnections();
    await this.#order({ settings });
  }

  async stopServer(): Promise<void> {
    await this.#order({});
    this.#log = () => {};
  }

  /** Every `address port` that the server has connected to, or tried to. */
  listConnections(): string[] {
    return readFileSync(this.#connections, "utf8").split("\n").slice(0, -1);
  }

  /** The properties that every object of the process has gained since its start. */
  async listGained(): Promise<string[]> {
    rmSync(this.#gained, { force: true });
    this.#child.kill("SIGUSR2");
    const deadline = performance.now() + WITHIN_MS;
    while (!existsSync(this.#gained)) {
      if (!this.isRunning || performance.now() > deadline)
        throw new Error("The process does not say what objects have gained");
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const gained = readFileSync(this.#gained, "utf8").split("\n");
    const found = gained.filter((line) => line !== "");
    if (found.length > 0) this.isSound = false;
    return found;
  }

  async end(): Promise<void> {
    if (this.isRunning) {
      const ended = once(this.#child, "exit");
      this.#child.kill("SIGKILL");
      await ended;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #connections(): string {
    return path.join(this.#folder, "connections");
  }

  get #gained(): string {
    return path.join(this.#folder, "gained");
  }

  #forgetConnections(): void {
    writeFileSync(this.#connections, "");
  }

  /** @throws unless the process reports that it has done so */
  async #order(order: Order): Promise<void> {
    const waiting = new AbortController();
    const { signal } = waiting;
    const timer = setTimeout(() => waiting.abort(), WITHIN_MS);
    const reported = once(this.#child, "message", { signal });
    const exited = once(this.#child, "exit", { signal }).then(() => undefined);
    try {
      if (!this.isRunning) throw new Error("The process has ended");
      this.#child.send(order);
      const report = await Promise.race([reported, exited]);
      if (!report) throw new Error("The process ended");
      const [{ fault }] = report as [Report];
      if (fault !== undefined) throw new Error(fault);
    } catch (error) {
      this.isSound = false;
      throw error;
    } finally {
      clearTimeout(timer);
      waiting.abort();
      await Promise.allSettled([reported, exited]);
    }
  }
}

/** Processes for servers of the same simulated network, used again. */
export class ServerProcesses {
  readonly #certificate: string;
  readonly #free: ServerProcess[] = [];

  /** @param certificate of the authority of that network */
  constructor(certificate: string) {
    this.#certificate = certificate;
  }

  take(): ServerProcess {
    return this.#free.pop() ?? new ServerProcess(this.#certificate);
  }

  async giveBack(process: ServerProcess): Promise<void> {
    if (process.isSound && process.isRunning) this.#free.push(process);
    else await process.end();
  }

  async end(): Promise<void> {
    await Promise.all(this.#free.map((process) => process.end()));
  }
}
