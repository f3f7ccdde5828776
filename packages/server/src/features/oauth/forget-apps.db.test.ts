import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, test } from "node:test";
import {
  createReadyDatabase,
  forEachDatabase,
  type TestDatabase,
} from "../../../test/support/server/databases.ts";
import { TestClock } from "../../../test/support/server/test-clock.ts";
import type { Db } from "../../db/db.ts";
import { openDatabase } from "../../db/open-database.ts";
import { migrate } from "../../db/migrate.ts";
import type { LeasedJob } from "../../jobs/job.ts";
import { later, timestamp } from "../../lib/time/clock.ts";
import type { AppId, UserId } from "../ids.ts";
import { insertAccess } from "./access-store.ts";
import { insertApp, updateAppUse } from "./app-store.ts";
import { insertCode } from "./code-store.ts";
import { createForgetApps } from "./forget-apps.ts";

const DAY_MS = 24 * 3_600_000;
const secret = () => randomBytes(32).toString("base64url");

forEachDatabase((kind) => {
  describe("apps, accesses and codes without use", () => {
    const clock = new TestClock();
    const userId = 1 as UserId;
    let database: TestDatabase;
    let db: Db;
    before(async () => {
      database = await createReadyDatabase(kind);
      db = await openDatabase(database.location);
      await migrate(db, clock);
      const now = timestamp(clock.now());
      await db.transaction((tx) =>
        tx
          .insertInto("users")
          .values({
            ...{ id: userId, username: "ann", password_hash: "" },
            ...{ role: "user", state: "active", locale: "en" },
            ...{ time_zone: "UTC", created_at: now, updated_at: now },
          })
          .execute(),
      );
    });
    after(async () => {
      await db.close();
      await database.remove();
    });

    const daysAgo = (days: number) =>
      timestamp(later(clock.now(), -days * DAY_MS));
    const forget = () => {
      const { signal } = new AbortController();
      const job = {} as LeasedJob;
      return createForgetApps({ db, clock })({}, { job, signal });
    };
    const makeApp = (name: string, days: number, isAuthorized: boolean) =>
      db.transaction(async (tx) => {
        const createdAt = daysAgo(days);
        const id = await insertApp(
          tx,
          {
            ...{ clientId: secret(), name, website: null, createdAt },
            ...{ redirectUris: ["reader://"], scopes: ["read"] },
          },
          secret(),
        );
        await updateAppUse(tx, id, createdAt, isAuthorized);
        return id;
      });
    const makeAccess = (appId: AppId, days: number, user: UserId | null) =>
      db.transaction((tx) =>
        insertAccess(tx, {
          ...{ appId, userId: user, scopes: ["read"], code: null },
          ...{ token: secret(), now: daysAgo(days) },
        }),
      );
    const names = async () => {
      const rows = await db.read
        .selectFrom("oauth_apps")
        .select("name")
        .orderBy("name")
        .execute();
      return rows.map(({ name }) => name);
    };
    const count = async (table: "oauth_accesses" | "oauth_codes") => {
      const { n } = await db.read
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<number>().as("n"))
        .executeTakeFirstOrThrow();
      return Number(n);
    };

    test("is removed after a time: unknown apps soon, those let in much later, and never in use", async () => {
      await makeApp("new", 29, false);
      await makeApp("never let in", 31, false);
      await makeApp("let in", 399, true);
      await makeApp("let in long ago", 401, true);
      const used = await makeApp("in use", 500, true);
      await makeAccess(used, 399, userId);
      const unused = await makeApp("unused access", 500, true);
      await makeAccess(unused, 401, userId);
      const own = await makeApp("own access", 40, false);
      await makeAccess(own, 29, null);
      const old = await makeApp("old own access", 40, false);
      await makeAccess(old, 31, null);
      const waiting = await makeApp("waiting code", 40, false);
      const grant = {
        ...{ userId, redirectUri: "reader://", challenge: null },
        scopes: ["read"] as const,
      };
      await db.transaction(async (tx) => {
        const soon = timestamp(later(clock.now(), 60_000));
        await insertCode(tx, secret(), { ...grant, appId: waiting }, soon);
        await insertCode(tx, secret(), { ...grant, appId: used }, daysAgo(1));
      });
      assert.equal((await forget()).kind, "again");
      assert.deepEqual(await names(), [
        ...["in use", "let in", "new", "own access", "waiting code"],
      ]);
      assert.equal(await count("oauth_accesses"), 2);
      assert.equal(await count("oauth_codes"), 1);
    });

    test("is removed in lots, however much there is", async () => {
      for (let n = 0; n < 1_100; n += 1) await makeApp(`flood ${n}`, 31, false);
      await forget();
      assert.ok((await names()).every((name) => !name.startsWith("flood")));
    });
  });
});
