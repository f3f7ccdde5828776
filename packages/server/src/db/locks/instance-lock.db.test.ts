import assert from "node:assert/strict";
import { once } from "node:events";
import {
  connect,
  createServer,
  type AddressInfo,
  type Server,
  type Socket,
} from "node:net";
import { describe, test } from "node:test";
import pg from "pg";
import {
  createTestDatabase,
  forEachDatabase,
  throughPort,
} from "../../../test/support/server/databases.ts";
import { lockInstance } from "./instance-lock.ts";

describe("instance lock", () => {
  forEachDatabase((kind) => {
    test("distinguishes ended processes from itself", async () => {
      const database = await createTestDatabase(kind);
      const lock = await lockInstance(database.location);
      const stranger = lock.id === 7 ? 8 : 7;
      assert.deepEqual(await lock.ended([lock.id, stranger]), [stranger]);
      await lock.release();
      await database.remove();
    });
  });

  test("on SQLite, a second instance is refused until the first has ended", async () => {
    const database = await createTestDatabase("sqlite");
    const first = await lockInstance(database.location);
    await assert.rejects(lockInstance(database.location), {
      name: "DatabaseUnusable",
      message: /in use by another running Kith/,
    });
    await first.release();
    const second = await lockInstance(database.location);
    assert.deepEqual(await second.ended([first.id]), [first.id]);
    await second.release();
    await database.remove();
  });

  test("on PostgreSQL, instances live side by side, and know when one has ended", async () => {
    const database = await createTestDatabase("postgres");
    const one = await lockInstance(database.location);
    const two = await lockInstance(database.location);
    const three = await lockInstance(database.location);
    assert.deepEqual(await one.ended([two.id, three.id]), []);
    await three.release();
    assert.deepEqual(await one.ended([two.id, three.id]), [three.id]);
    assert.deepEqual(await two.ended([one.id]), []);
    await one.release();
    await two.release();
    await database.remove();
  });

  test("on PostgreSQL, an instance whose connection broke takes its lock again", async () => {
    const database = await createTestDatabase("postgres");
    assert.ok(database.location.kind === "postgres");
    const one = await lockInstance(database.location);
    const two = await lockInstance(database.location);
    const admin = new pg.Client({ connectionString: database.location.url });
    await admin.connect();
    const holders = async (): Promise<number[]> => {
      const { rows } = await admin.query<{ pid: number }>(
        "select pid from pg_locks where locktype = 'advisory' and objid = $1 and granted",
        [one.id],
      );
      return rows.map(({ pid }) => pid);
    };
    try {
      const [broken] = await holders();
      await admin.query("select pg_terminate_backend($1)", [broken]);
      await until(async () => {
        const [now] = await holders();
        return now !== undefined && now !== broken;
      });
      assert.deepEqual(await two.ended([one.id]), []);
      assert.deepEqual(await one.ended([two.id]), []);
    } finally {
      await admin.end();
      await one.release();
      await two.release();
      await database.remove();
    }
  });

  test("on PostgreSQL, an instance does not wait for its own lock on a connection that PostgreSQL believes to be alive", async () => {
    const database = await createTestDatabase("postgres");
    assert.ok(database.location.kind === "postgres");
    const line = await Line.lay(database.location.url);
    const one = await lockInstance({ kind: "postgres", url: line.url });
    const two = await lockInstance(database.location);
    try {
      assert.deepEqual(await two.ended([one.id]), []);
      line.breakNearEnds();
      // Until it is back it answers all the same.
      assert.deepEqual(await one.ended([two.id]), []);
      const other = two.id === 7 ? 8 : 7;
      await until(async () => (await one.ended([other])).length === 1);
      assert.deepEqual(await two.ended([one.id]), []);
    } finally {
      await one.release();
      await two.release();
      await line.close();
      await database.remove();
    }
  });
});

/** A line to PostgreSQL that can break on the near side, unnoticed by the far side. */
class Line {
  readonly url: string;
  readonly #server: Server;
  readonly #near = new Set<Socket>();
  readonly #far = new Set<Socket>();

  static async lay(to: string): Promise<Line> {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new Line(server, new URL(to));
  }

  private constructor(server: Server, to: URL) {
    const { port } = server.address() as AddressInfo;
    this.url = throughPort(to.href, port);
    this.#server = server;
    server.on("connection", (near) => {
      const far = connect(Number(to.port || 5432), to.hostname);
      this.#near.add(near);
      this.#far.add(far);
      near.on("error", () => {}).on("data", (data) => far.write(data));
      far.on("error", () => {}).on("data", (data) => near.write(data));
    });
  }

  breakNearEnds(): void {
    for (const socket of this.#near) socket.destroy();
    this.#near.clear();
  }

  async close(): Promise<void> {
    this.breakNearEnds();
    for (const socket of this.#far) socket.destroy();
    const closed = once(this.#server, "close");
    this.#server.close();
    await closed;
  }
}

async function until(look: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!(await look())) {
    assert.ok(performance.now() < deadline, "in time");
    // What is answered from memory alone lets nothing else happen.
    await new Promise((resolve) => setImmediate(resolve));
  }
}
