import assert from "node:assert/strict";
import { describe, test } from "node:test";
import pg from "pg";
import {
  createTestDatabase,
  forEachDatabase,
} from "../../test/support/databases.ts";
import { lockInstance } from "./instance-lock.ts";

describe("instance lock", () => {
  forEachDatabase((kind) => {
    test("tells those that have ended from itself", async () => {
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
});

async function until(look: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!(await look())) assert.ok(performance.now() < deadline, "in time");
}
