import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { once } from "node:events";
import { afterEach, beforeEach, describe, test } from "node:test";
import { sql } from "kysely";
import {
  forEachDatabase,
  openTestDatabase,
} from "../../test/support/server/databases.ts";
import { lockKey } from "./dialect.ts";
import type { Db, Reader, Tx } from "./db.ts";

const TIME = "2026-01-01T00:00:00.000Z";

async function insertDocument(tx: Tx, body: string): Promise<number> {
  const { id } = await tx
    .insertInto("job_documents")
    .values({ body, created_at: TIME })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

async function listBodies(reader: Reader): Promise<string[]> {
  const rows = await reader
    .selectFrom("job_documents")
    .select("body")
    .orderBy("id")
    .execute();
  return rows.map(({ body }) => body);
}

describe("transactions", () => {
  forEachDatabase((kind) => {
    let db: Db;
    let close: () => Promise<void>;
    beforeEach(async () => {
      ({ db, close } = await openTestDatabase(kind));
    });
    afterEach(() => close());

    test("a commit stands, and other listeners are called, where one throws", async () => {
      const warned = once(process, "warning") as Promise<[Error]>;
      let notified = 0;
      db.onCommit(() => {
        throw new Error("a listener is wrong");
      });
      db.onCommit(() => (notified += 1));
      await db.transaction((tx) => insertDocument(tx, "first"));
      await db.transaction((tx) => insertDocument(tx, "second"));
      assert.deepEqual(await listBodies(db.read), ["first", "second"]);
      assert.match((await warned)[0].message, /a listener is wrong/);
      assert.equal(notified, 2);
    });

    test("transactions at once run in the contexts of their own callers", async () => {
      const context = new AsyncLocalStorage<number>();
      const seen = await Promise.all(
        [1, 2, 3].map((caller) =>
          context.run(caller, () =>
            db.transaction(async (tx) => {
              await insertDocument(tx, String(caller));
              return context.getStore();
            }),
          ),
        ),
      );
      assert.deepEqual(seen, [1, 2, 3]);
    });

    test("a read outside of a transaction sees committed data, also in the middle of writing", async () => {
      await db.transaction((tx) => insertDocument(tx, "first"));
      assert.deepEqual(await listBodies(db.read), ["first"]);
      const seen = await db.transaction(async (tx) => {
        await insertDocument(tx, "second");
        return [await listBodies(db.read), await listBodies(tx)];
      });
      assert.deepEqual(seen, [["first"], ["first", "second"]]);
      assert.deepEqual(await listBodies(db.read), ["first", "second"]);
    });

    if (kind === "postgres")
      test("one that goes on after a failed statement is not committed, and says so", async () => {
        const transaction = db.transaction(async (tx) => {
          await insertDocument(tx, "lost");
          await sql`select 1 / 0`.execute(tx).catch(() => {});
          return "acknowledged";
        });
        await assert.rejects(transaction, /rolled a transaction back/);
        assert.deepEqual(await listBodies(db.read), []);
      });

    if (kind === "postgres")
      test("one whose connection breaks while it asks for nothing fails, and nothing else does", async () => {
        await assert.rejects(
          db.transaction(async (tx) => {
            await insertDocument(tx, "never");
            const { rows } = await sql<{ pid: number }>`
              select pg_backend_pid() as pid`.execute(tx);
            await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(
              db.read,
            );
            // The connection learns of its end while no query waits for an answer.
            await new Promise((resolve) => setTimeout(resolve, 200));
          }),
        );
        assert.deepEqual(await listBodies(db.read), []);
        await db.transaction((tx) => insertDocument(tx, "next"));
        assert.deepEqual(await listBodies(db.read), ["next"]);
      });

    if (kind === "sqlite")
      test("nothing is written outside of a transaction", async () => {
        await assert.rejects(
          insertDocument(db.read as Tx, "never"),
          /readonly/,
        );
        assert.deepEqual(await listBodies(db.read), []);
      });

    test("one that fails leaves nothing, and does not hurt the others of its moment", async () => {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, (_, index) =>
          db.transaction(async (tx) => {
            await insertDocument(tx, `unit ${index}`);
            if (index % 4 === 1) throw new Error(`unit ${index} fails`);
            return index;
          }),
        ),
      );
      for (const [index, outcome] of outcomes.entries())
        if (index % 4 === 1)
          assert.match(
            String((outcome as PromiseRejectedResult).reason),
            /fails/,
          );
        else assert.deepEqual(outcome, { status: "fulfilled", value: index });
      const bodies = await listBodies(db.read);
      assert.equal(bodies.length, 15);
      assert.ok(!bodies.includes("unit 1"));
    });

    test("an error of the database itself ends one transaction only", async () => {
      const add = (guid: string) =>
        db.transaction((tx) =>
          tx
            .insertInto("server_keys")
            .values({ name: guid, private_key: "", public_pem: "" })
            .execute(),
        );
      const outcomes = await Promise.allSettled([add("a"), add("a"), add("b")]);
      const failed = outcomes.filter(({ status }) => status === "rejected");
      assert.equal(failed.length, 1);
      const rows = await db.read
        .selectFrom("server_keys")
        .select("name")
        .execute();
      assert.deepEqual(rows.map(({ name }) => name).toSorted(), ["a", "b"]);
    });

    test("nobody else sees what is not committed", async () => {
      const inside = Promise.withResolvers<void>();
      const looked = Promise.withResolvers<void>();
      const writing = db.transaction(async (tx) => {
        await insertDocument(tx, "not yet");
        assert.deepEqual(await listBodies(tx), ["not yet"]);
        inside.resolve();
        await looked.promise;
      });
      await inside.promise;
      assert.deepEqual(await listBodies(db.read), []);
      looked.resolve();
      await writing;
      assert.deepEqual(await listBodies(db.read), ["not yet"]);
    });

    test("listeners are called for commits, and not for failures", async () => {
      let commits = 0;
      db.onCommit(() => {
        commits += 1;
      });
      await db.transaction((tx) => insertDocument(tx, "one"));
      assert.equal(commits, 1);
      const failing = db.transaction(async (tx) => {
        await insertDocument(tx, "two");
        throw new Error("no");
      });
      await assert.rejects(failing);
      assert.deepEqual(await listBodies(db.read), ["one"]);
    });

    test("a locked key makes those who count wait for each other", async () => {
      await db.transaction((tx) => insertDocument(tx, "0"));
      await Promise.all(
        Array.from({ length: 15 }, () =>
          db.transaction(async (tx) => {
            await lockKey(tx, db.dialect, "counter");
            const [count] = await listBodies(tx);
            await tx
              .updateTable("job_documents")
              .set({ body: String(Number(count) + 1) })
              .execute();
          }),
        ),
      );
      assert.deepEqual(await listBodies(db.read), ["15"]);
    });

    test("committed data is there after closing, and in a large number", async () => {
      const ids = await Promise.all(
        Array.from({ length: 500 }, (_, index) =>
          db.transaction((tx) => insertDocument(tx, String(index))),
        ),
      );
      assert.equal(new Set(ids).size, 500);
      assert.ok(ids.every((id) => typeof id === "number"));
      assert.equal((await listBodies(db.read)).length, 500);
    });
  });
});
