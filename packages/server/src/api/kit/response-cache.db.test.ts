import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import {
  createReadyDatabase,
  forEachDatabase,
  type TestDatabase,
} from "../../../test/support/server/databases.ts";
import type { Db, Tx } from "../../db/db.ts";
import { migrate } from "../../db/migrate.ts";
import { openDatabase } from "../../db/open-database.ts";
import { systemClock } from "../../lib/time/clock.ts";
import { createResponseCache, type ResponseCache } from "./response-cache.ts";

const write = (tx: Tx) =>
  tx
    .insertInto("job_documents")
    .values({ body: "news", created_at: "2026-01-01T00:00:00.000Z" })
    .execute();

forEachDatabase((kind) => {
  let database: TestDatabase;
  /** Two processes on one database. */
  let db: Db;
  let other: Db;
  let answers: ResponseCache;
  let made: string[];
  beforeEach(async () => {
    database = await createReadyDatabase(kind);
    db = await openDatabase(database.location);
    await migrate(db, systemClock);
    other = await openDatabase(database.location);
    answers = createResponseCache(db);
    made = [];
  });
  afterEach(async () => {
    await Promise.all([db.close(), other.close()]);
    await database.remove();
  });

  async function ask(key: string, meanwhile?: () => Promise<unknown>) {
    const answer = await answers.get(key, async () => {
      made.push(key);
      await meanwhile?.();
      return `${key} ${made.length}`;
    });
    return answer.toString();
  }

  /**
   * Is the answer, once made, given again? PostgreSQL counts what is written in the
   * other databases beside this one, too, so that a moment of quiet is waited for.
   */
  async function isKept(
    key: string,
    between: () => Promise<unknown> = () => Promise.resolve(),
  ): Promise<boolean> {
    for (let attempt = 0; attempt < 200; attempt += 1) {
      const first = await ask(key);
      await between();
      if ((await ask(key)) === first) return true;
    }
    return false;
  }

  test("an answer is given again, to each what is its own", async () => {
    assert.ok(await isKept("a"));
    assert.ok(await isKept("a", () => ask("b")));
    assert.match(await ask("b"), /^b /);
  });

  test("reading ends nothing, nor does a transaction that comes to nothing", async () => {
    assert.ok(
      await isKept("a", async () => {
        await db.read.selectFrom("job_documents").selectAll().execute();
        await assert.rejects(
          db.transaction(() => Promise.reject(new Error("no"))),
          /no/,
        );
      }),
    );
  });

  test("a commit ends all of them, also one of another process", async () => {
    assert.ok(await isKept("a"));
    const before = await ask("a");
    await db.transaction(write);
    const after = await ask("a");
    assert.notEqual(after, before);
    await other.transaction(write);
    assert.notEqual(await ask("a"), after);
  });

  test("in the middle of a transaction it is what was committed, and afterwards it is made anew", async () => {
    let inside = "";
    await other.transaction(async (tx) => {
      await write(tx);
      inside = await ask("a");
    });
    assert.notEqual(await ask("a"), inside);
  });

  test("what was read while something was written is not kept", async () => {
    const first = await ask("a", () => db.transaction(write));
    const second = await ask("a", () => other.transaction(write));
    assert.notEqual(second, first);
    assert.notEqual(await ask("a"), second);
  });

  test("one that time has cut short is not kept", async () => {
    const askInHaste = async (isCut: boolean) => {
      const answer = await answers.get("a", async (dontKeep) => {
        made.push("a");
        if (isCut) dontKeep();
        return String(made.length);
      });
      return answer.toString();
    };
    assert.equal(await askInHaste(true), "1");
    assert.equal(await askInHaste(false), "2");
    assert.ok(await isKept("a"));
  });

  test("one that fails is not kept", async () => {
    await assert.rejects(
      ask("a", () => Promise.reject(new Error("broken"))),
      /broken/,
    );
    assert.equal(await ask("a"), "a 2");
  });

  if (kind === "sqlite")
    test("they take no more than 8 MiB, and one that is larger pushes out none", async () => {
      const large = "x".repeat(3 * 1024 * 1024);
      const makeOf = (key: string, text: string) =>
        answers.get(key, () => {
          made.push(key);
          return Promise.resolve(text);
        });
      for (const key of ["a", "b", "c", "c", "b", "a"])
        await makeOf(key, large);
      assert.deepEqual(made, ["a", "b", "c", "a"]);
      await makeOf("huge", large.repeat(3));
      await makeOf("a", large);
      await makeOf("huge", "small by now");
      assert.deepEqual(made, ["a", "b", "c", "a", "huge", "huge"]);
    });
});
