import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, test } from "node:test";
import {
  createReadyDatabase,
  forEachDatabase,
  type TestDatabase,
} from "../../../test/support/server/databases.ts";
import type { Db, Tx } from "../../db/db.ts";
import { lockKey } from "../../db/dialect.ts";
import { migrate } from "../../db/migrate.ts";
import { openDatabase } from "../../db/open-database.ts";
import { later, systemClock, timestamp } from "../../lib/time/clock.ts";
import type { UserId } from "../ids.ts";
import { endAppAccess, insertAccess } from "./access-store.ts";
import { findApp, insertApp } from "./app-store.ts";
import { insertCode } from "./code-store.ts";
import { exchangeCode, issueOwnAccess } from "./issue-token.ts";
import { OauthError } from "./oauth-error.ts";

const USER = 1 as UserId;
const REDIRECT = "reader://";
const newSecret = () => randomBytes(32).toString("base64url");

forEachDatabase((kind) => {
  describe("tokens", () => {
    const clock = systemClock;
    const credentials = { clientId: newSecret(), secret: newSecret() };
    let database: TestDatabase;
    let db: Db;
    before(async () => {
      database = await createReadyDatabase(kind);
      db = await openDatabase(database.location);
      await migrate(db, clock);
      const now = timestamp(clock.now());
      await db.transaction(async (tx) => {
        await tx
          .insertInto("users")
          .values({
            ...{ id: USER, username: "ann", password_hash: "" },
            ...{ role: "user", state: "active", locale: "en" },
            ...{ time_zone: "UTC", created_at: now, updated_at: now },
          })
          .execute();
        await insertApp(
          tx,
          {
            ...{ name: "Reader", website: null, createdAt: now },
            clientId: credentials.clientId,
            ...{ redirectUris: [REDIRECT], scopes: ["read"] },
          },
          credentials.secret,
        );
      });
    });
    after(async () => {
      await db.close();
      await database.remove();
    });

    const lock = (tx: Tx, userId: UserId) =>
      lockKey(tx, db.dialect, `account:${userId}`);
    const deps = () => ({ db, clock, accounts: { lock } });
    const getApp = async () =>
      (await findApp(db.read, credentials)) ?? assert.fail();
    const makeCode = async () => {
      const { id: appId } = await getApp();
      const code = newSecret();
      const soon = timestamp(later(clock.now(), 60_000));
      const grant = {
        ...{ appId, userId: USER, redirectUri: REDIRECT },
        ...{ scopes: ["read"] as const, challenge: null },
      };
      await db.transaction((tx) => insertCode(tx, code, grant, soon));
      return code;
    };
    const redeem = (code: string) =>
      exchangeCode(deps(), { credentials, code, redirectUri: REDIRECT });
    const listRows = () =>
      db.read.selectFrom("oauth_accesses").selectAll().orderBy("id").execute();
    const endAll = () =>
      db.transaction(async (tx) => {
        await lock(tx, USER);
        await endAppAccess(tx, USER);
      });

    test("are given once for a code, however many ask at the same time", async () => {
      const code = await makeCode();
      const asked = await Promise.allSettled(
        Array.from({ length: 6 }, () => redeem(code)),
      );
      const given = asked.filter(({ status }) => status === "fulfilled");
      assert.equal(given.length, 1);
      for (const one of asked)
        if (one.status === "rejected")
          assert.ok(one.reason instanceof OauthError, String(one.reason));
      assert.deepEqual(await listRows(), [], "the others have ended it");
    });

    test("do not survive an end of all access that comes at the same time", async () => {
      for (let round = 0; round < 10; round += 1) {
        const code = await makeCode();
        const given = redeem(code).catch((error: unknown) => {
          assert.ok(error instanceof OauthError);
        });
        await Promise.all([endAll(), given]);
        // Redeemed after the end, the code would be gone.
        assert.deepEqual(await listRows(), []);
        assert.deepEqual(
          await db.read.selectFrom("oauth_codes").selectAll().execute(),
          [],
        );
      }
    });

    test("are bounded for each user and each app, and the newest stay", async () => {
      const { id: appId } = await getApp();
      const old = timestamp(later(clock.now(), -60_000));
      await db.transaction(async (tx) => {
        for (let n = 0; n < 205; n += 1)
          await insertAccess(tx, {
            ...{ appId, userId: USER, scopes: ["read"], code: null },
            ...{ token: newSecret(), now: old },
          });
      });
      await redeem(await makeCode());
      const rows = await listRows();
      assert.equal(rows.length, 200);
      assert.ok(rows.at(-1)?.code_hash);
      for (let n = 0; n < 55; n += 1)
        await issueOwnAccess(deps(), credentials, "read");
      const own = (await listRows()).filter(({ user_id }) => user_id === null);
      assert.equal(own.length, 50);
      assert.equal((await listRows()).length, 250, "users lose none by that");
    });

    test("wait as codes in a bounded number", async () => {
      await endAll();
      for (let n = 0; n < 60; n += 1) await makeCode();
      const codes = await db.read
        .selectFrom("oauth_codes")
        .selectAll()
        .execute();
      assert.equal(codes.length, 50);
    });
  });
});
