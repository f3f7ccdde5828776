import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import {
  useKith,
  type TestPerson,
} from "../../packages/server/test/support/server/kith-server.ts";
import {
  fillPath,
  listRoutes,
} from "../../packages/server/test/support/server/routes.ts";
import {
  browsing,
  type Changing,
} from "../../packages/server/test/support/sign-in/second-factor.ts";
import type { PostRecord } from "../../packages/server/test/support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);

  describe("case 58: fields outside a call's parameters", () => {
    const EXTRA = {
      id: 1,
      ID: 1,
      user_id: 1,
      userId: 1,
      UserID: 1,
      person_id: 1,
      PersonID: 1,
      is_admin: true,
      isAdmin: true,
      admin: true,
      role: "admin",
      state: "active",
      username: "taken",
      password_hash: "x",
      encrypted_password: "x",
      otp_secret: "x",
      otp_required_for_login: false,
      otp: "123456",
      code: "123456",
      second_factor: false,
      secret_sealed: "x",
      confirmed_at: "2001-01-01T00:00:00Z",
      last_step: 0,
      recovery_codes: ["x"],
      credential_id: "x",
      counter: 0,
      passkey: 1,
      rsa_private_pem: "x",
      public_key_pem: "x",
      Author: "ann@localhost",
      handle: "ann@localhost",
      guid: "f".repeat(32),
      Guid: "f".repeat(32),
      uri: "https://evil.example/1",
      created_at: "2001-01-01T00:00:00Z",
      CreatedAt: "2001-01-01T00:00:00Z",
      LikesCount: 1000,
      token: "x",
      expires_at: "2999-01-01T00:00:00Z",
      constructor: { prototype: { admin: true } },
    };

    test("case 58: additional fields of any call have no effect", async () => {
      const cat = await kith().person();
      const before = await accountOf(cat);
      const others = await everybodyBut(cat);
      const routes = listRoutes(kith().app).filter(
        ({ method, path: at }) =>
          method !== "GET" &&
          at.startsWith("/api/v0/") &&
          !/\*|\/ap\/|\/users$|\/self\/move|\/password$/.test(at),
      );
      assert.ok(routes.length > 40, String(routes.length));
      const wanted = {
        name: "n",
        post: "p",
        comment: "c",
        tags: "t",
        Bio: "b",
        summary: "s",
        start: "2026-03-10T09:00:00Z",
      };
      for (const { method, path: at } of routes) {
        const called = fillPath(at.replace("/api/v0", ""), { tag: "x" });
        const json = { ...EXTRA, ...wanted };
        const { status } = await cat.call(method, called, { json });
        assert.ok(status < 500, `${method} ${at} ${status}`);
      }
      assert.deepEqual(await accountOf(cat), before);
      assert.deepEqual(await everybodyBut(cat), others);
      const mine = await cat.get<PostRecord[]>("/posts", { limit: 100 });
      for (const { Guid, CreatedAt, LikesCount } of mine) {
        assert.notEqual(Guid, EXTRA.Guid);
        assert.doesNotMatch(CreatedAt, /^2001/);
        assert.ok(LikesCount < 1000);
      }
    });

    test("case 58: nor with a sign-up or a request for a token", async () => {
      const form = {
        username: "climber",
        password: "correct horse",
        confirm: "correct horse",
      };
      const extra = Object.fromEntries(
        Object.entries(EXTRA)
          .filter(([name]) => name !== "username")
          .map(([name, value]) => [name, JSON.stringify(value)]),
      );
      const response = await fetch(`${kith().baseUrl}/users/sign_up`, {
        method: "POST",
        body: new URLSearchParams({ ...extra, ...form }),
        redirect: "manual",
      });
      assert.equal(response.status, 302);
      const row = await kith()
        .db.read.selectFrom("users")
        .selectAll()
        .where("username", "=", "climber")
        .executeTakeFirstOrThrow();
      const { created_at, ...rest } = row;
      assert.doesNotMatch(created_at, /^2001/);
      assert.ok(!Object.values(rest).includes("admin"), JSON.stringify(rest));
      assert.equal(row.role, "user");
    });

    test("case 58: nor with a sign-in, or a change of sign-in methods", async () => {
      const extra = Object.fromEntries(
        Object.entries(EXTRA).map(([name, value]) => [
          name,
          JSON.stringify(value),
        ]),
      );
      const before = await waysIn();
      const user = await browsing(kith(), "mover");
      const { username, password } = user;
      await user.post("/users/sign_in", { ...extra, username, password });
      await user.post("/users/sign_up", {
        ...extra,
        ...{ username: "mover2", password, confirm: password },
      });
      const begun = await user.change("second_factor", {
        ...extra,
        csrf_token: await tokenOf(user),
      });
      assert.equal(begun.status, 200, begun.text);
      const { secret_sealed, confirmed_at, last_step, created_at } =
        await kith()
          .db.read.selectFrom("second_factors")
          .innerJoin("users", "users.id", "second_factors.user_id")
          .selectAll("second_factors")
          .where("users.username", "=", "mover")
          .executeTakeFirstOrThrow();
      assert.notEqual(secret_sealed, EXTRA.secret_sealed);
      assert.deepEqual([confirmed_at, last_step], [null, 0]);
      assert.doesNotMatch(created_at, /^2001/);
      const after = await waysIn();
      assert.deepEqual(
        { ...after, second_factors: [] },
        { ...before, second_factors: [] },
      );
      assert.equal(after.second_factors.length, 1);
    });

    const tokenOf = async (user: Changing) =>
      /name="csrf_token"\s+value="([^"]+)"/.exec(
        (await user.see()).text,
      )?.[1] ?? "";
    const waysIn = async () => {
      const { read } = kith().db;
      return {
        second_factors: await read
          .selectFrom("second_factors")
          .selectAll()
          .execute(),
        recovery_codes: await read
          .selectFrom("recovery_codes")
          .selectAll()
          .execute(),
        passkeys: await read.selectFrom("passkeys").selectAll().execute(),
      };
    };
    const users = () =>
      kith().db.read.selectFrom("users").selectAll().orderBy("id");
    async function accountOf({ record }: TestPerson) {
      const row = await users()
        .where("id", "=", record.UserID)
        .executeTakeFirstOrThrow();
      const {
        last_seen_at: _,
        updated_at: __,
        locale: ___,
        time_zone: ____,
        ...account
      } = row;
      const keys = await kith()
        .db.read.selectFrom("user_keys")
        .selectAll()
        .where("user_id", "=", row.id)
        .execute();
      return { account, keys };
    }
    async function everybodyBut({ record }: TestPerson) {
      const rows = await users().where("id", "!=", record.UserID).execute();
      const people = await kith()
        .db.read.selectFrom("people")
        .selectAll()
        .where("id", "!=", record.ID)
        .orderBy("id")
        .execute();
      return { rows, people };
    }
  });
});
