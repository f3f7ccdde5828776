import assert from "node:assert/strict";
import { createPrivateKey, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, test } from "node:test";
import { sql } from "kysely";
import { testCredentials } from "../../../../test/support/server/credentials.ts";
import {
  createTestDatabase,
  forEachDatabase,
  type TestDatabase,
} from "../../../../test/support/server/databases.ts";
import type { Db } from "../../../db/db.ts";
import { migrate, MIGRATIONS } from "../../../db/migrate.ts";
import { openDatabase } from "../../../db/open-database.ts";
import { systemClock } from "../../../lib/time/clock.ts";
import type { UserId } from "../../ids.ts";
import type { KeyPairs } from "./key-pairs.ts";
import { SERVER_KEY_NAME } from "../../../db/schema/columns/stored-names.ts";
import { createKeySeal, KeyNotOpened } from "./key-seal.ts";
import { sealStoredKeys } from "./seal-stored-keys.ts";

/** More than two lots. */
const USERS = 230;
/** Each user has two, and the server one. */
const KEYS = 2 * USERS + 1;
const OLD = MIGRATIONS.filter(({ number }) => number < 27);

type Row = { id: number; rsa: string; ed25519: string };

/** As Kith was before keys were sealed, with people in it. */
async function fillOld(db: Db, pairs: readonly KeyPairs[]): Promise<void> {
  await migrate(db, systemClock, { migrations: OLD });
  const now = systemClock.now().toISOString();
  await db.transaction(async (tx) => {
    for (let id = 1; id <= USERS; id += 1) {
      const pair = pairs[id % pairs.length] ?? assert.fail();
      await sql`insert into users (id, username, password_hash, role, state,
          locale, time_zone, created_at, updated_at)
        values (${id}, ${`user${id}`}, '', 'user', 'active', 'en', 'UTC',
          ${now}, ${now})`.execute(tx);
      await sql`insert into user_keys values (${id}, ${pair.rsaPrivatePem},
        ${pair.ed25519PrivatePem})`.execute(tx);
    }
    const [pair] = pairs;
    await sql`insert into server_keys (name, private_pem, public_pem)
      values ('activitypub', ${pair?.rsaPrivatePem}, ${pair?.rsaPublicPem})`.execute(
      tx,
    );
  });
}

async function listRows(db: Db): Promise<Row[]> {
  const { rows } = await sql<Row>`select user_id as id,
      rsa_private_key as rsa, ed25519_private_key as ed25519 from user_keys
    union all select 0, private_key, private_key from server_keys
    order by 1`.execute(db.read);
  return rows;
}

async function countClear(db: Db): Promise<number> {
  const rows = await listRows(db);
  const texts = rows.flatMap(({ id, rsa, ed25519 }) =>
    id === 0 ? [rsa] : [rsa, ed25519],
  );
  return texts.filter((text) => !text.startsWith("sealed:1:")).length;
}

/** Ends as a process does that is killed after some transactions. */
function killedAfter(db: Db, transactions: number): Db {
  let left = transactions;
  return {
    ...db,
    transaction: (work) => {
      if (left-- <= 0) throw new Error("killed");
      return db.transaction(work);
    },
  };
}

/** Keys were in the clear only in files that cannot shrink, whose free pages are used first. */
function createAsBefore({ location }: TestDatabase): void {
  if (location.kind !== "sqlite") return;
  const file = new DatabaseSync(location.file);
  file.exec("create table before (id integer)");
  file.close();
}

/** What is on the disk where the keys are. */
async function readFiles(
  { location }: TestDatabase,
  db: Db,
): Promise<string[]> {
  if (location.kind === "sqlite")
    return ["", "-wal"].map((end) =>
      readFileSync(location.file + end, "latin1"),
    );
  await sql`checkpoint`.execute(db.read);
  const { rows } = await sql<{ file: Buffer }>`
    select pg_read_binary_file(pg_relation_filepath(name)) as file
    from unnest(array['user_keys', 'server_keys']) as name`.execute(db.read);
  return rows.map(({ file }) => file.toString("latin1"));
}

forEachDatabase((kind) => {
  describe("keys that were stored in the clear", () => {
    const keySeal = createKeySeal(randomBytes(32));
    let database: TestDatabase;
    /** Two processes on one database. */
    let db: Db;
    let other: Db;
    let pairs: KeyPairs[];
    before(async () => {
      pairs = await Promise.all(
        Array.from({ length: 5 }, testCredentials.makeKeyPairs),
      );
      database = await createTestDatabase(kind);
      createAsBefore(database);
      db = await openDatabase(database.location);
      other = await openDatabase(database.location);
      await fillOld(db, pairs);
      await migrate(db, systemClock);
    });
    after(async () => {
      await db.close();
      await other.close();
      await database.remove();
    });

    test("stay whole where sealing is killed in the middle, and are sealed on", async () => {
      assert.equal(await countClear(db), KEYS);
      for (const transactions of [1, 1]) {
        const some = killedAfter(db, transactions);
        await assert.rejects(sealStoredKeys({ db: some, keySeal }), /killed/);
      }
      assert.equal(await countClear(db), KEYS - 2 * 2 * 100 - 1);
    });

    test("are not sealed with two secrets", async () => {
      const before = await listRows(db);
      const wrong = createKeySeal(randomBytes(32));
      await assert.rejects(
        sealStoredKeys({ db, keySeal: wrong }),
        KeyNotOpened,
      );
      assert.deepEqual(await listRows(db), before);
    });

    test("are sealed by several processes at once, each key once", async () => {
      const left = await countClear(db);
      const counts = await Promise.all([
        sealStoredKeys({ db, keySeal }),
        sealStoredKeys({ db: other, keySeal }),
        sealStoredKeys({ db, keySeal }),
      ]);
      assert.equal(
        counts.reduce((sum, count) => sum + count, 0),
        left,
      );
      assert.equal(await countClear(db), 0);
    });

    test("are the same keys, each in its row, and are not sealed again", async () => {
      const rows = await listRows(db);
      assert.equal(rows.length, USERS + 1);
      for (const { id, rsa, ed25519 } of rows) {
        const pair = pairs[id % pairs.length] ?? assert.fail();
        const userId = id as UserId;
        const owner =
          id === 0
            ? ({ server: SERVER_KEY_NAME } as const)
            : ({ userId, kind: "rsa" } as const);
        const rsaKey = createPrivateKey(pair.rsaPrivatePem);
        assert.ok(keySeal.open(rsa, owner).equals(rsaKey));
        if (id === 0) continue;
        const proofKey = createPrivateKey(pair.ed25519PrivatePem);
        assert.ok(
          keySeal.open(ed25519, { userId, kind: "ed25519" }).equals(proofKey),
        );
      }
      assert.equal(await sealStoredKeys({ db, keySeal }), 0);
      assert.deepEqual(await listRows(db), rows);
    });

    test("are no longer in the files of the database", async () => {
      const files = await readFiles(database, db);
      assert.ok(files[0]?.includes("sealed:1:"));
      const bodies = pairs.flatMap(({ rsaPrivatePem, ed25519PrivatePem }) => [
        ...rsaPrivatePem.split("\n").slice(1, -2),
        ...ed25519PrivatePem.split("\n").slice(1, -2),
      ]);
      for (const line of ["PRIVATE KEY", ...bodies])
        for (const file of files) assert.ok(!file.includes(line), line);
    });

    test("are kept even where they are no keys", async () => {
      await db.transaction((tx) =>
        sql`update user_keys set ed25519_private_key = 'of no use'
          where user_id = 7`.execute(tx),
      );
      assert.equal(await sealStoredKeys({ db, keySeal }), 1);
      const row = (await listRows(db)).find(({ id }) => id === 7);
      const owner = { userId: 7 as UserId, kind: "ed25519" } as const;
      assert.throws(
        () => keySeal.open(row?.ed25519 ?? "", owner),
        KeyNotOpened,
      );
    });
  });
});
