import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import {
  createTestDatabase,
  TESTED_DATABASE_KINDS,
} from "../../../test/support/server/databases.ts";
import { StallingDoor } from "../../../test/support/pooler/stalling-door.ts";
import { TransactionPooler } from "../../../test/support/pooler/transaction-pooler.ts";
import type { Db } from "../db.ts";
import { openDatabase } from "../open-database.ts";
import { isStorageFailure } from "../refusal.ts";
import { openNotices } from "./notices.ts";

/** Longer than it takes to find a stalled connection. */
const LONG_S = 9;
const FOUND_WITHIN_MS = 10_000;

const one = sql<{ n: number }>`select 1 as n`;
const nap = sql`select pg_sleep(${LONG_S})`;

/** Has the server begun with the query that takes long? */
async function isNapping(db: Db): Promise<boolean> {
  const { rows } = await sql`select pid from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
      and state = 'active' and query like '%pg_sleep%'`.execute(db.read);
  return rows.length > 0;
}
const lock = sql`select pg_advisory_xact_lock(7)`;

type Ask = (db: Db) => Promise<unknown>;
const read: Ask = (db) => one.execute(db.read);
const write: Ask = (db) => db.transaction((tx) => one.execute(tx));
/** Two share a transaction. */
const writeTogether: Ask = (db) =>
  Promise.all([1, 2].map(() => db.together([], (tx) => one.execute(tx))));
const WAYS = [read, write, writeTogether];
const askAll = (db: Db) => Promise.allSettled(WAYS.map((ask) => ask(db)));

type Scene = {
  /** The database itself, and through the door. */
  readonly url: string;
  readonly door: StallingDoor;
  readonly open: () => Promise<Db>;
};

async function play(scene: (given: Scene) => Promise<void>): Promise<void> {
  const database = await createTestDatabase("postgres");
  assert.ok(database.location.kind === "postgres");
  const { url } = database.location;
  const door = await StallingDoor.open(url);
  const open = () => openDatabase({ kind: "postgres", url: door.url });
  try {
    await scene({ url, door, open });
  } finally {
    await door.close();
    await database.remove();
  }
}

const options = {
  // They mostly wait.
  concurrency: true,
  timeout: 120_000,
  skip: !TESTED_DATABASE_KINDS.includes("postgres"),
};

describe("stalled connections to PostgreSQL", options, () => {
  const warnings: string[] = [];
  const note = (warning: Error) => warnings.push(warning.message);
  before(() => process.on("warning", note));
  after(() => process.off("warning", note));

  test("are closed within seconds, with one warning, and new ones work", () =>
    play(async ({ door, open }) => {
      const db = await open();
      await askAll(db);
      door.stall();
      const since = performance.now();
      const [cut, cutWrite, again] = await askAll(db);
      for (const result of [cut, cutWrite]) {
        assert.ok(result?.status === "rejected");
        assert.ok(isStorageFailure(result.reason), String(result.reason));
      }
      // No commit was asked for, so these run once more by themselves.
      assert.equal(again?.status, "fulfilled");
      // One after another would meet each spare connection that is stalled as well.
      for (const ask of [...WAYS, ...WAYS]) await ask(db);
      assert.ok(performance.now() - since < FOUND_WITHIN_MS);
      const { port } = new URL(door.url);
      const ours = warnings.filter((it) => it.includes(`:${port}/`));
      assert.equal(ours.length, 1, warnings.join("\n"));
      assert.match(String(ours[0]), /on 3 of \d connections for seconds/);
      await db.close();
    }));

  test("are kept while the server works on an answer, and so are sound ones", () =>
    play(async ({ door, open }) => {
      const earlier = await open();
      const since = performance.now();
      const asleep = earlier
        .transaction((tx) => nap.execute(tx))
        .catch(() => performance.now() - since);
      while (!(await isNapping(earlier))) await sleep(10);
      door.stall();
      const db = await open();
      const holder = await open();
      let isLocked = false;
      const held = holder.transaction(async (tx) => {
        await lock.execute(tx);
        isLocked = true;
        await nap.execute(tx);
      });
      while (!isLocked) await sleep(10);
      await Promise.all([
        nap.execute(db.read),
        db.transaction((tx) => nap.execute(tx)),
        db.transaction((tx) => lock.execute(tx)),
        held,
      ]);
      const brokenAfterMs = Number(await asleep);
      assert.ok(brokenAfterMs > LONG_S * 1_000, `${brokenAfterMs} ms`);
      await Promise.all([earlier, db, holder].map((it) => it.close()));
    }));

  test("hold no locks any more when they are closed", () =>
    play(async ({ door, open }) => {
      const db = await open();
      const cut = db.transaction(async (tx) => {
        await lock.execute(tx);
        door.stall();
        await one.execute(tx);
      });
      await assert.rejects(cut);
      await db.transaction((tx) => lock.execute(tx));
      await db.close();
    }));

  test("that wait for notices are replaced, though nobody asks for anything", () =>
    play(async ({ door }) => {
      const notices = await openNotices({ kind: "postgres", url: door.url });
      const gap = new Promise<unknown>((resolve) => {
        notices.listen("limits", resolve);
      });
      door.stall();
      assert.equal(await gap, undefined);
      await notices.close();
    }));

  test("do not keep the database from being closed in time", () =>
    play(async ({ door, open }) => {
      const db = await open();
      await askAll(db);
      door.stall();
      const asked = Promise.allSettled([read(db), write(db)]);
      const since = performance.now();
      await db.close();
      assert.ok(performance.now() - since < FOUND_WITHIN_MS);
      await asked;
    }));

  test("are closed where a pooler is before the server, but no long query is cut off", () =>
    play(async ({ url }) => {
      const pooler = await TransactionPooler.start(url, 6);
      const door = await StallingDoor.open(pooler.url);
      const db = await openDatabase({
        ...{ kind: "postgres", url, poolUrl: door.url },
      });
      await Promise.all([
        nap.execute(db.read),
        db.transaction((tx) => nap.execute(tx)),
      ]);
      await askAll(db);
      door.stall();
      const [cut, cutWrite] = await askAll(db);
      assert.equal(cut?.status, "rejected");
      assert.equal(cutWrite?.status, "rejected");
      for (const ask of WAYS) await ask(db);
      await db.close();
      await door.close();
      await pooler.close();
      assert.deepEqual(pooler.refusals, []);
    }));
});
