import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, test } from "node:test";
import {
  createReadyDatabase,
  forEachDatabase,
  type TestDatabase,
} from "../../../../test/support/server/databases.ts";
import { openSecretKey } from "../open-secret-key.ts";
import { locateSecretKey } from "../../../config/secret-key.ts";
import type { Db } from "../../../db/db.ts";
import { openDatabase } from "../../../db/open-database.ts";
import { systemClock } from "../../../lib/time/clock.ts";
import type { TokenId, UserId } from "../../ids.ts";
import { sealBytes } from "../keys/seal.ts";
import { sealStoredTokens } from "./seal-stored-tokens.ts";
import { hashSecret } from "../keys/hash-secret.ts";
import { createTokenSeal } from "../keys/token-seal.ts";

/** More than two lots. */
const TOKENS = 230;
const CLIENTS = 2;

const secretKey = randomBytes(32);
const tokenSeal = createTokenSeal(secretKey);
const secretOf = (id: number) => `${id}`.padStart(64, "0");

/** As Kith was before tokens were bound to their rows. */
async function fillOld(db: Db): Promise<void> {
  const now = systemClock.now().toISOString();
  await db.transaction(async (tx) => {
    for (let number = 1; number <= TOKENS; number += 1) {
      const id = number as TokenId;
      const user_id = Math.ceil(id / CLIENTS) as UserId;
      if (id % CLIENTS === 1)
        await tx
          .insertInto("users")
          .values({
            ...{ id: user_id, username: `user${user_id}`, password_hash: "" },
            ...{ role: "user", state: "active", locale: "en" },
            ...{ time_zone: "UTC", created_at: now, updated_at: now },
          })
          .execute();
      await tx
        .insertInto("access_tokens")
        .values({
          ...{ id, user_id, client_id: `client ${id % CLIENTS}` },
          token_hash: hashSecret(secretOf(id)),
          token_sealed: sealBytes(secretKey, Buffer.from(secretOf(id)), ""),
          ...{ created_at: now, last_used_at: now },
        })
        .execute();
    }
  });
}

async function list(db: Db) {
  const rows = await db.read
    .selectFrom("access_tokens")
    .selectAll()
    .orderBy("id")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    userId: row.user_id,
    clientId: row.client_id,
    tokenHash: row.token_hash,
    sealed: row.token_sealed,
  }));
}

forEachDatabase((kind) => {
  describe("tokens that an older Kith has sealed", () => {
    let database: TestDatabase;
    let db: Db;
    before(async () => {
      database = await createReadyDatabase(kind);
      db = await openDatabase(database.location);
      await fillOld(db);
    });
    after(async () => {
      await db.close();
      await database.remove();
    });

    test("are read as they are", async () => {
      for (const row of await list(db))
        assert.equal(tokenSeal.open(row.sealed, row), secretOf(row.id));
    });

    test("are not read in another row", async () => {
      const [one, other] = await list(db);
      assert.ok(one && other);
      assert.equal(tokenSeal.open(one.sealed, other), undefined);
    });

    test("are bound to their rows at the start, but for those that nothing opens", async () => {
      const broken = (await list(db)).at(-1) ?? assert.fail();
      await db.transaction((tx) =>
        tx
          .updateTable("access_tokens")
          .set({ token_sealed: "broken" })
          .where("id", "=", broken.id)
          .execute(),
      );
      // Two processes may start at once.
      const place = locateSecretKey(database.dataDir, secretKey);
      await Promise.all([openSecretKey(db, place), openSecretKey(db, place)]);
      const rows = await list(db);
      assert.equal(rows.length, TOKENS);
      for (const row of rows.slice(0, -1)) {
        assert.match(row.sealed, /^sealed:1:[A-Za-z0-9+/]+=*$/);
        assert.equal(tokenSeal.open(row.sealed, row), secretOf(row.id));
        assert.equal(row.tokenHash, hashSecret(secretOf(row.id)));
      }
      assert.equal(rows.at(-1)?.sealed, "broken");
      assert.equal(await sealStoredTokens(db, tokenSeal), 0);
    });

    test("open then neither for another user nor for another client", async () => {
      const [first, client, , user] = await list(db);
      assert.ok(first && client && user);
      for (const other of [client, user]) {
        // The hash of a row can be written by whoever can write the rest.
        const { tokenHash, sealed } = first;
        const opened = tokenSeal.open(sealed, { ...other, tokenHash });
        assert.equal(opened, undefined);
      }
    });

    test("nor with another secret key, nor with the secret key itself", async () => {
      const [first] = await list(db);
      assert.ok(first);
      const strange = createTokenSeal(randomBytes(32));
      assert.equal(strange.open(first.sealed, first), undefined);
      const sealed = first.sealed.slice("sealed:1:".length);
      assert.equal(tokenSeal.open(sealed, first), undefined);
    });
  });
});
