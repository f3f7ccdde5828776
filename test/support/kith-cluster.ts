import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import {
  createTestDatabase,
  type TestDatabase,
} from "../../packages/server/test/support/server/databases.ts";
import { settingsFor, spawnKith, type Settings } from "./kith-command.ts";
import { eventually } from "./kith-process.ts";
import { findFreePort } from "../../scripts/testing/free-port.ts";

/** One Kith on one PostgreSQL, with several web processes and several workers. */
export class KithCluster {
  readonly baseUrl: string;
  readonly webUrls: readonly string[];
  readonly database: TestDatabase;
  readonly #settings: Settings;
  readonly #door: Door;
  readonly #children: ChildProcess[] = [];
  readonly #workers: ChildProcess[] = [];

  static async start(webs: number, workers: number): Promise<KithCluster> {
    const database = await createTestDatabase("postgres");
    const ports: number[] = [];
    for (let count = 0; count < webs; count += 1)
      ports.push(await findFreePort());
    const door = await Door.open(ports);
    const cluster = new KithCluster(database, door, ports);
    try {
      for (const port of ports) await cluster.#startWeb(port);
      for (let count = 0; count < workers; count += 1)
        await cluster.startWorker(count);
    } catch (error) {
      await cluster.remove();
      throw error;
    }
    return cluster;
  }

  private constructor(database: TestDatabase, door: Door, ports: number[]) {
    this.database = database;
    this.#door = door;
    this.baseUrl = `http://localhost:${door.port}`;
    this.webUrls = ports.map((port) => `http://localhost:${port}`);
    this.#settings = {
      ...settingsFor(database),
      KITH_BASE_URL: this.baseUrl,
      // All load comes from one address.
      KITH_RATE_LIMITS: "off",
    };
  }

  handle(username: string): string {
    return `${username}@localhost:${this.#door.port}`;
  }

  async #startWeb(port: number): Promise<void> {
    const child = this.#spawn(["serve", "--no-worker", "--port", String(port)]);
    await eventually(async () => {
      if (child.exitCode !== null) throw new Error("A web process has ended");
      const answer = await fetch(`http://localhost:${port}/readyz`);
      if (!answer.ok) throw new Error(await answer.text());
    });
  }

  async startWorker(number: number): Promise<void> {
    const child = this.#spawn(["worker", "--concurrency", "16"]);
    this.#workers[number] = child;
    if (child.stdout) await once(child.stdout, "data");
  }

  /** Kills a worker without any warning. */
  async killWorker(number: number): Promise<void> {
    const child = this.#workers[number];
    if (child) await end(child);
  }

  #spawn(args: readonly string[]): ChildProcess {
    const child = spawnKith(args, this.#settings);
    child.stderr?.pipe(process.stderr);
    this.#children.push(child);
    return child;
  }

  async remove(): Promise<void> {
    await Promise.all(this.#children.map(end));
    await this.#door.close();
    await this.database.remove();
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

/** A round-robin balancer for connections to the web processes. */
class Door {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly port: number;

  static async open(ports: readonly number[]): Promise<Door> {
    const port = await findFreePort();
    const door = new Door(ports, port);
    door.#server.listen(port, "localhost");
    await once(door.#server, "listening");
    return door;
  }

  private constructor(ports: readonly number[], port: number) {
    this.port = port;
    let turn = 0;
    this.#server = createServer((near) => {
      turn += 1;
      const far = connect(ports[turn % ports.length] ?? 0, "localhost");
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(from);
        from.on("error", () => to.destroy());
        from.on("close", () => {
          this.#sockets.delete(from);
          to.destroy();
        });
        from.pipe(to);
      }
    });
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    const closed = once(this.#server, "close");
    this.#server.close();
    await closed;
  }
}
