import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import {
  createReadyDatabase,
  forEachDatabase,
  type TestDatabase,
} from "../../../test/support/server/databases.ts";
import type { Db, Tx } from "../../db/db.ts";
import { migrate } from "../../db/migrate.ts";
import { openDatabase } from "../../db/open-database.ts";
import { openNotices, type Notices } from "../../db/postgres/notices.ts";
import { createWriteWatch } from "../../features/freshness/index.ts";
import type { PersonId, PostId, UserId } from "../../features/ids.ts";
import { systemClock } from "../../lib/time/clock.ts";
import type { AnswerScope } from "./answer-scope.ts";
import { createResponseCache, type ResponseCache } from "./response-cache.ts";

const AT = "2026-01-01T00:00:00.000Z";
const WITHIN_MS = 5_000;

const writeJob = (tx: Tx) =>
  tx
    .insertInto("job_documents")
    .values({ body: "news", created_at: AT })
    .execute();

const renameAspects = (tx: Tx) =>
  tx.updateTable("aspects").set({ name: "Friends" }).execute();

const insertPost = (guid: string, personId: number) => (tx: Tx) =>
  tx
    .insertInto("posts")
    .values({
      ...{ id: personId as PostId, guid, person_id: personId as PersonId },
      ...{ type: "StatusMessage", public: true, listed: true },
      ...{ text: "", provider_name: "", root_guid: null, uri: null },
      ...{ root_person_id: null, created_at: AT, updated_at: AT },
    })
    .execute();

const insertPerson = (id: number) => (tx: Tx) =>
  tx
    .insertInto("people")
    .values({
      ...{ id: id as PersonId, guid: `person-${id}`, user_id: null },
      ...{ handle: `p${id}@a.example`, public_key_pem: "", state: "active" },
      ...{ created_at: AT, updated_at: AT },
    })
    .execute();

const followTag = (userId: number) => (tx: Tx) =>
  tx
    .insertInto("followed_tags")
    .values({ user_id: userId as UserId, tag: "kith", created_at: AT })
    .execute();

forEachDatabase((kind) => {
  let database: TestDatabase;
  /** Two processes on one database. */
  let db: Db;
  let other: Db;
  let notices: Notices[];
  let answers: ResponseCache;
  let made: string[];
  beforeEach(async () => {
    database = await createReadyDatabase(kind);
    db = await openDatabase(database.location);
    await migrate(db, systemClock);
    other = await openDatabase(database.location);
    notices = [
      await openNotices(database.location),
      await openNotices(database.location),
    ];
    answers = createResponseCache(
      createWriteWatch({ db, notices: notices[0] }),
    );
    createWriteWatch({ db: other, notices: notices[1] });
    made = [];
  });
  afterEach(async () => {
    await Promise.all(notices.map((one) => one.close()));
    await Promise.all([db.close(), other.close()]);
    await database.remove();
  });

  type Name = (scope: AnswerScope) => void;

  /** Two answers are of one user only if their keys begin with the same number. */
  async function ask(
    key: string,
    name: Name = () => {},
    meanwhile?: () => Promise<unknown>,
  ) {
    const of = { key, userId: Number.parseInt(key, 10) || 0 };
    const answer = await answers.get(of, async (scope) => {
      made.push(key);
      const number = made.length;
      name(scope);
      await meanwhile?.();
      return `${key} ${number}`;
    });
    return answer.toString();
  }

  /** Is the answer, once made, given again after `between`? */
  async function isKept(
    key: string,
    between: () => Promise<unknown>,
    name: Name = () => {},
  ): Promise<boolean> {
    const first = await ask(key, name);
    await between();
    return (await ask(key, name)) === first;
  }

  /** On PostgreSQL another process is heard of within moments. */
  async function assertDropped(key: string, before: string): Promise<void> {
    const until = performance.now() + WITHIN_MS;
    while (kind === "postgres" && performance.now() < until) {
      if ((await ask(key)) !== before) return;
      await sleep(10);
    }
    assert.notEqual(await ask(key), before);
  }

  test("an answer is given again, to each what is its own", async () => {
    assert.ok(await isKept("a", () => ask("b")));
    assert.match(await ask("b"), /^b /);
  });

  test("neither readers, nor writes that no list shows, end an answer", async () => {
    assert.ok(
      await isKept("a", async () => {
        await db.read.selectFrom("job_documents").selectAll().execute();
        await db.transaction(writeJob);
      }),
    );
  });

  test("a write without names ends all of them, also one of another process", async () => {
    const before = await ask("a");
    await db.transaction(renameAspects);
    const after = await ask("a");
    assert.notEqual(after, before);
    await other.transaction(renameAspects);
    await assertDropped("a", after);
  });

  test("a new post ends the lists in which it may be, and what refers to it", async () => {
    await db.transaction(insertPerson(3));
    const listOf = (id: number) => (scope: AnswerScope) =>
      scope.listOnly(({ authors }) => authors.has(id));
    const [all, of3, of4] = [
      await ask("all"),
      await ask("of3", listOf(3)),
      await ask("of4", listOf(4)),
    ];
    const waiting = await ask("root", (scope) => {
      scope.addNames(["awaited"]);
      listOf(4)(scope);
    });
    await db.transaction(insertPost("awaited", 3));
    assert.notEqual(await ask("all"), all);
    assert.notEqual(await ask("of3"), of3);
    assert.notEqual(await ask("root"), waiting);
    assert.equal(await ask("of4"), of4);
  });

  test("a write of a user for itself ends the answers to that user alone", async () => {
    await db.transaction(async (tx) => {
      for (const id of [1, 2])
        await tx
          .insertInto("users")
          .values({
            ...{ id: id as UserId, username: `u${id}`, password_hash: "" },
            ...{ role: "user", state: "active", locale: "", time_zone: "" },
            ...{ created_at: AT, updated_at: AT },
          })
          .execute();
    });
    const [first, second] = [await ask("1 home"), await ask("2 home")];
    await db.transaction(followTag(1));
    assert.notEqual(await ask("1 home"), first);
    assert.equal(await ask("2 home"), second);
  });

  test("in the middle of a transaction it is what was committed, and afterwards it is made anew", async () => {
    let inside = "";
    const before = await ask("a");
    await db.transaction(async (tx) => {
      await renameAspects(tx);
      inside = await ask("a");
    });
    assert.equal(inside, before);
    assert.notEqual(await ask("a"), inside);
  });

  test("an answer read during a write that concerns it is not kept", async () => {
    const first = await ask("a", undefined, () =>
      db.transaction(renameAspects),
    );
    assert.notEqual(await ask("a"), first);
    const quiet = await ask("b", undefined, () => db.transaction(writeJob));
    assert.equal(await ask("b"), quiet);
  });

  test("a call that comes after a write does not get what was begun before it", async () => {
    let goOn = (): void => {};
    const begun = ask(
      "a",
      undefined,
      () => new Promise<void>((go) => (goOn = go)),
    );
    const together = ask("a");
    await db.transaction(renameAspects);
    const late = await ask("a");
    goOn();
    assert.equal(await together, await begun);
    assert.notEqual(late, await begun);
    assert.equal(await ask("a"), late);
  });

  test("a transaction that comes to nothing drops too much at most", async () => {
    await assert.rejects(
      db.transaction(async (tx) => {
        await renameAspects(tx);
        throw new Error("no");
      }),
      /no/,
    );
    assert.equal(await ask("a"), await ask("a"));
  });

  test("one that time has cut short is not kept", async () => {
    assert.notEqual(
      await ask("a", (scope) => scope.dontKeep()),
      await ask("a"),
    );
    assert.equal(await ask("a"), await ask("a"));
  });

  test("one that fails is not kept", async () => {
    const fail = () => Promise.reject(new Error("broken"));
    await assert.rejects(ask("a", undefined, fail), /broken/);
    assert.equal(await ask("a"), "a 2");
  });

  if (kind === "sqlite")
    test("they take no more than 16 MiB, and one that is larger pushes out none", async () => {
      const large = "x".repeat(6 * 1024 * 1024);
      const makeOf = (key: string, text: string) =>
        answers.get({ key, userId: 0 }, () => {
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
