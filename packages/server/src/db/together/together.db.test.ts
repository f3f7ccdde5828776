import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { afterEach, beforeEach, describe, test } from "node:test";
import { sql } from "kysely";
import {
  createReadyDatabase,
  forEachDatabase,
  type TestDatabase,
} from "../../../test/support/server/databases.ts";
import { withOldReads } from "../../lib/caching/old-reads.ts";
import type { Db, Reader, Tx } from "../db.ts";
import { textsIn } from "../dialect.ts";
import { lockNames } from "../lock-names.ts";
import { openDatabase } from "../open-database.ts";
import { prepareQuery } from "../prepared-query.ts";

const now = "2026-01-01T00:00:00.000Z";
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

type Creation = { activity: string; object: string; now: string };
const TYPES = { activity: "text", object: "text", now: "text" } as const;

const insert = prepareQuery<Creation, { activity: string }>(
  (reader, value) =>
    reader
      .insertInto("creations")
      .values({
        activity: value("activity"),
        object: value("object"),
        created_at: value("now"),
      })
      .onConflict((conflict) => conflict.column("object").doNothing())
      .returning("activity")
      .compile(),
  { types: TYPES, by: "activity" },
);

const find = prepareQuery<{ activity: string }, { object: string }>(
  (reader, value) =>
    reader
      .selectFrom("creations")
      .select("object")
      .where("activity", "=", value("activity"))
      .compile(),
  { types: { activity: "text" } },
);

/** The insert above has no index for its conflict: PostgreSQL and SQLite refuse it. */
const refuse = (tx: Tx) => insert(tx, { activity: "x", object: "x", now });

const add = async (tx: Tx, name: string): Promise<string[]> => {
  await tx
    .insertInto("creations")
    .values({ activity: name, object: `of ${name}`, created_at: now })
    .execute();
  return (await find(tx, { activity: name })).map(({ object }) => object);
};

async function listAll(reader: Reader): Promise<string[]> {
  const rows = await reader
    .selectFrom("creations")
    .select("activity")
    .execute();
  return rows.map(({ activity }) => activity).sort();
}

describe("works that are stored together", () => {
  forEachDatabase((kind) => {
    let database: TestDatabase;
    let db: Db;
    let asked: string[] = [];
    beforeEach(async () => {
      database = await createReadyDatabase(kind);
      db = await openDatabase(database.location, (_ms, text) =>
        asked.push(text),
      );
      asked = [];
    });
    afterEach(async () => {
      await db.close();
      await database.remove();
    });

    test("each has its own answers, context and listener", async () => {
      const context = new AsyncLocalStorage<number>();
      let commits = 0;
      db.onCommit(() => (commits += 1));
      const results = await Promise.all(
        numbers(60).map((n) =>
          context.run(n, () =>
            db.together([`name:name ${n}`], async (tx) => {
              await lockNames(tx, kind, [`name ${n}`]);
              return [...(await add(tx, `a${n}`)), context.getStore()];
            }),
          ),
        ),
      );
      assert.deepEqual(
        results,
        numbers(60).map((n) => [`of a${n}`, n]),
      );
      assert.equal((await listAll(db.read)).length, 60);
      assert.ok(commits >= 1);
    });

    test("any text comes back as it was given", async () => {
      const texts = ["", "NULL", "null", "{}", '{"a",b}', 'q"\\"', "\\", "a,b"]
        .concat(["'); drop table creations; --", "a\nb\t", "😀 ä $1 ? %s", " "])
        .concat("x".repeat(70_000));
      const found = await Promise.all(
        texts.map((text) => db.together([], (tx) => add(tx, text))),
      );
      assert.deepEqual(
        found,
        texts.map((text) => [`of ${text}`]),
      );
      assert.deepEqual(await listAll(db.read), texts.toSorted());
    });

    test("one that throws stores nothing, and the others all they have", async () => {
      const results = await Promise.allSettled(
        numbers(20).map((n) =>
          db.together([], async (tx) => {
            await add(tx, `a${n}`);
            if (n % 7 === 3) throw new Error(`refused ${n}`);
            return n;
          }),
        ),
      );
      for (const [n, result] of results.entries())
        if (n % 7 === 3)
          assert.match(
            String((result as PromiseRejectedResult).reason),
            /refused/,
          );
        else assert.equal((result as PromiseFulfilledResult<number>).value, n);
      const stored = numbers(20).filter((n) => n % 7 !== 3);
      assert.deepEqual(
        await listAll(db.read),
        stored.map((n) => `a${n}`).sort(),
      );
    });

    test("a statement that the database refuses harms no other", async () => {
      const results = await Promise.allSettled([
        db.together([], (tx) => add(tx, "before")),
        db.together([], refuse),
        db.together([], (tx) => add(tx, "after")),
      ]);
      assert.deepEqual(
        results.map(({ status }) => status),
        ["fulfilled", "rejected", "fulfilled"],
      );
      assert.deepEqual(await listAll(db.read), ["after", "before"]);
    });

    test("those with a common key come one after the other", async () => {
      let running = 0;
      const found = await Promise.all(
        numbers(12).map((n) =>
          db.together([n % 2 === 0 ? "even" : "odd"], async (tx) => {
            running += n % 2 === 0 ? 1 : 0;
            assert.ok(running <= 1, "two of one key at once");
            const present = await listAll(tx);
            await add(tx, `a${n}`);
            running -= n % 2 === 0 ? 1 : 0;
            return present.filter((name) => Number(name.slice(1)) % 2 === n % 2)
              .length;
          }),
        ),
      );
      assert.deepEqual(
        found.toSorted((a, b) => a - b),
        [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5],
      );
    });

    test("their writes are reported by the names of the rows", async () => {
      const written: unknown[] = [];
      db.onWrites((writes) =>
        written.push(...(writes ?? [{ table: "anything" }])),
      );
      const insertTag = prepareQuery<{ tags: string; postId: number }, never>(
        (reader, value) =>
          sql<never>`insert into post_tags (tag, post_id) select value, ${value("postId")}
            from ${textsIn(kind, value("tags"))}
            where exists (select 1 from posts where id = ${value("postId")})
            on conflict do nothing`.compile(reader),
        { types: { tags: "text", postId: "bigint" } },
      );
      const writeTag = (n: number) =>
        db.together([], (tx) =>
          insertTag(tx, { tags: JSON.stringify([`t${n}`]), postId: n }),
        );
      await Promise.all(numbers(5).map((n) => writeTag(n)));
      const together = written.splice(0);
      for (const n of numbers(5))
        await db.transaction((tx) =>
          insertTag(tx, { tags: JSON.stringify([`t${n}`]), postId: n }),
        );
      assert.deepEqual(together, written);
      assert.equal(together.length, 5);
    });

    if (kind === "postgres") {
      const xid = sql<{
        xid: string;
      }>`select pg_current_xact_id()::text as xid`;

      test("they share one transaction, and a query that they prepared is one statement", async () => {
        const xids = await Promise.all(
          numbers(50).map((n) =>
            db.together([], async (tx) => {
              assert.deepEqual(await find(tx, { activity: `a${n}` }), []);
              return (await xid.execute(tx)).rows[0]?.xid;
            }),
          ),
        );
        assert.equal(new Set(xids).size, 1);
        const finds = asked.filter((text) => /from "creations"/.test(text));
        assert.equal(finds.length, 1);
        assert.match(finds[0] ?? "", /unnest/);
      });

      test("those beside one that fails share a transaction all the same", async () => {
        let runs = 0;
        const xids = await Promise.all(
          numbers(10).map((n) =>
            db
              .together([], async (tx) => {
                runs += 1;
                await add(tx, `a${n}`);
                if (n === 4) throw new Error("refused");
                return (await xid.execute(tx)).rows[0]?.xid;
              })
              .catch(() => "refused"),
          ),
        );
        assert.equal(xids[4], "refused");
        assert.equal(new Set(xids).size, 2);
        assert.equal(runs, 20);
        assert.equal((await listAll(db.read)).length, 9);
      });

      test("readers of one turn ask a prepared query once", async () => {
        await Promise.all(
          ["a", "b"].map((name) => db.together([], (tx) => add(tx, name))),
        );
        asked = [];
        const answers = await Promise.all(
          ["b", "none", "a"].map((activity) => find(db.read, { activity })),
        );
        assert.deepEqual(answers, [
          [{ object: "of b" }],
          [],
          [{ object: "of a" }],
        ]);
        assert.equal(asked.length, 1);
      });

      test("reads that may be old are asked for themselves", async () => {
        const ask = () => find(db.read, { activity: "a" });
        await Promise.all([ask(), withOldReads(ask), ask(), withOldReads(ask)]);
        const merged = asked.filter((text) => /unnest/.test(text));
        assert.equal(merged.length, 1);
        assert.equal(asked.length, 3);
      });

      test("a lock on another key than its own gets a transaction of its own", async () => {
        const xids = await Promise.all(
          ["named", "other"].map((name) =>
            db.together(
              ["name:named", "name:third"].slice(0, name === "named" ? 1 : 2),
              async (tx) => {
                await lockNames(tx, kind, [name]);
                return (await xid.execute(tx)).rows[0]?.xid;
              },
            ),
          ),
        );
        assert.equal(new Set(xids).size, 2);
      });

      test("one that waits for a lock holds up no other", async () => {
        const { promise: held, resolve: free } = Promise.withResolvers<void>();
        const holder = db.transaction(async (tx) => {
          await lockNames(tx, kind, ["held"]);
          await held;
        });
        const order: string[] = [];
        const works = ["held", "free"].map((name) =>
          db
            .together([`name:${name}`], async (tx) => {
              await lockNames(tx, kind, [name]);
              await add(tx, name);
            })
            .then(() => order.push(name)),
        );
        await works[1];
        await Promise.all(
          ["c", "d"].map((name) => db.together([], (tx) => add(tx, name))),
        );
        const same = db
          .together(["name:held"], (tx) => add(tx, "same"))
          .then(() => order.push("same"));
        await new Promise((resolve) => setTimeout(resolve, 50));
        await db.together([], (tx) => add(tx, "e"));
        assert.deepEqual(order, ["free"]);
        free();
        await Promise.all([holder, same, ...works]);
        assert.deepEqual(order, ["free", "held", "same"]);
      });

      test("a query that comes after the end of its transaction is refused", async () => {
        const late: Promise<unknown>[] = [];
        const { promise: ended, resolve: end } = Promise.withResolvers<void>();
        const fail = (tx: Tx) => {
          const lateOnes = ended.then(() =>
            Promise.allSettled([
              add(tx, "late"),
              find(tx, { activity: "late" }),
              lockNames(tx, kind, ["late"]),
            ]),
          );
          late.push(lateOnes);
          throw new Error("refused");
        };
        const beside = ["a", "b"].map((name) =>
          db.together([], (tx) => add(tx, name)),
        );
        const failing = db.together(["name:late"], fail);
        await Promise.all([assert.rejects(failing, /refused/), ...beside]);
        end();
        // In the middle of another group on the same connection.
        await Promise.all(
          ["c", "d"].map((name) =>
            db.together([], async (tx) => {
              await add(tx, name);
              await Promise.all(late);
              await add(tx, `${name} again`);
            }),
          ),
        );
        const [first] = (await Promise.all(
          late,
        )) as PromiseSettledResult<unknown>[][];
        assert.deepEqual(
          first?.map((it) => it.status === "rejected" && String(it.reason)),
          Array(3).fill("Error: The transaction of the query has ended"),
        );
        assert.deepEqual(await listAll(db.read), [
          "a",
          "b",
          "c",
          "c again",
          "d",
          "d again",
        ]);
      });

      test("a connection that breaks loses nothing", async () => {
        let cuts = 0;
        const works = numbers(10).map((n) =>
          db.together([], async (tx) => {
            await add(tx, `a${n}`);
            if (n === 5 && (cuts += 1) === 1)
              await db.transaction((other) =>
                sql`select pg_terminate_backend(pid) from pg_stat_activity
                  where datname = current_database() and pid <> pg_backend_pid()
                  and state = 'idle in transaction'`.execute(other),
              );
            await add(tx, `b${n}`);
          }),
        );
        await Promise.all(works);
        assert.equal((await listAll(db.read)).length, 20);
        await Promise.all(
          ["c", "d"].map((name) => db.together([], (tx) => add(tx, name))),
        );
        assert.equal((await listAll(db.read)).length, 22);
      });
    }
  });
});
