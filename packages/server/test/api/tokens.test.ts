import type { TokenId } from "../../src/db/schema/ids.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import { PASSWORD, useKith } from "../support/server/kith-server.ts";
import { DAY_MS, HOUR_MS } from "../support/server/test-clock.ts";
import {
  TIMESTAMP,
  type IssuedTokenRecord,
  type TokenRecord,
} from "../support/server/wire.ts";

const PATH = "/oauth/tokens";
const GRANT = { grant_type: "password", password: PASSWORD, client_id: "app" };

forEachDatabase((kind) => {
  const kith = useKith(kind);

  test("a token is made once for each program of a user", async () => {
    await kith().signUp("ann");
    const first = await kith().token("ann", "phone");
    assert.match(first.token, /^[0-9a-f]{64}$/);
    assert.match(first.CreatedAt, TIMESTAMP);
    assert.equal(first.ClientID, "phone");
    assert.ok(first.ID > 0);
    assert.deepEqual(await kith().token("ann", "phone"), first);
    const other = await kith().token("ann", "desktop");
    assert.notEqual(other.ID, first.ID);
    assert.notEqual(other.token, first.token);
    assert.deepEqual(Object.keys(first), [
      "ID",
      "token",
      "CreatedAt",
      "ClientID",
    ]);
  });

  test("a token is nowhere in clear", async () => {
    const { token } = await kith().token("ann", "phone");
    const rows = await kith()
      .db.read.selectFrom("access_tokens")
      .selectAll()
      .execute();
    assert.ok(rows.length > 0);
    assert.ok(!JSON.stringify(rows).includes(token));
  });

  test("a sealed token in another row is not returned: the program there gets a new one", async () => {
    await kith().signUp("eva");
    await kith().signUp("mal");
    const evas = await kith().token("eva", "phone");
    const mals = await kith().token("mal", "phone");
    const stored = (id: TokenId) =>
      kith()
        .db.read.selectFrom("access_tokens")
        .select("token_sealed")
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
    const { token_sealed } = await stored(evas.ID);
    await kith().db.transaction((tx) =>
      tx
        .updateTable("access_tokens")
        .set({ token_sealed })
        .where("id", "=", mals.ID)
        .execute(),
    );
    const anew = await kith().token("mal", "phone");
    assert.equal(anew.ID, mals.ID);
    for (const known of [evas.token, mals.token])
      assert.notEqual(anew.token, known);
    assert.deepEqual(await kith().token("mal", "phone"), anew);
    assert.deepEqual(await kith().token("eva", "phone"), evas);
    const statusOf = async (token: string) =>
      (
        await fetch(`${kith().baseUrl}/api/v0${PATH}`, {
          headers: { access_token: token },
        })
      ).status;
    assert.equal(await statusOf(anew.token), 200);
    assert.equal(await statusOf(mals.token), 401);
  });

  test("the name of an account is read in any letter case", async () => {
    await kith().signUp("Berta");
    const lower = await kith().token("berta");
    assert.deepEqual(await kith().token("BERTA"), lower);
  });

  test("a list of tokens never holds a secret", async () => {
    const carl = await kith().person({ handle: "carl" });
    await kith().token("carl", "second");
    const list = await carl.get<TokenRecord[]>(PATH);
    assert.deepEqual(
      list.map((token) => token.ClientID),
      ["second", "test"],
    );
    for (const token of list) {
      assert.deepEqual(Object.keys(token), [
        "ID",
        "ClientID",
        "CreatedAt",
        "LastUsedAt",
      ]);
      assert.match(token.LastUsedAt, TIMESTAMP);
    }
    const [newest] = await carl.get<TokenRecord[]>(PATH, { limit: 1 });
    assert.deepEqual(newest, list[0]);
    assert.deepEqual(await carl.get(PATH, { offset: 1 }), list.slice(1));
  });

  test("a deleted token is not taken any more, others are", async () => {
    const dora = await kith().person({ handle: "dora" });
    const second = await kith().token("dora", "second");
    await dora.delete(`${PATH}/${second.ID}`);
    await dora.with(second.token).unauthorized("GET", PATH);
    await dora.notFound("DELETE", `${PATH}/${second.ID}`);
    assert.equal((await dora.get<TokenRecord[]>(PATH)).length, 1);
    const again = await kith().token("dora", "second");
    assert.notEqual(again.ID, second.ID);
    assert.notEqual(again.token, second.token);
  });

  test("a token can delete itself", async () => {
    const { token, ID } = await kith().token("dora", "short-lived");
    const client = kith().anonymous.with(token);
    await client.delete(`${PATH}/${ID}`);
    await client.unauthorized("GET", PATH);
  });

  test("another user's token is as unknown as none", async () => {
    const emil = await kith().person();
    const frida = await kith().person();
    const [token] = await emil.get<TokenRecord[]>(PATH);
    for (const id of [token?.ID, 999_999, 0, -1, "abc", "1e3", "9".repeat(30)])
      await frida.notFound("DELETE", `${PATH}/${id}`);
    assert.equal((await emil.get<TokenRecord[]>(PATH)).length, 1);
  });

  test("header, bearer and parameter may contain a token, in this order", async () => {
    const gustav = await kith().person();
    const { anonymous } = kith();
    const { token } = gustav;
    const bearer = { authorization: `Bearer ${token}` };
    const wrong = "0".repeat(64);
    const accepted = [
      { headers: { access_token: token } },
      { headers: bearer },
      { headers: { authorization: `bearer ${token}` } },
      { query: { access_token: token } },
      { headers: bearer, query: { access_token: wrong } },
      { headers: { access_token: token, authorization: `Bearer ${wrong}` } },
      { headers: { access_token: token }, query: { access_token: wrong } },
    ];
    for (const sent of accepted)
      assert.equal((await anonymous.call("GET", PATH, sent)).status, 200);
    for (const form of [{ form: {} }, { json: {} }]) {
      const part = Object.keys(form)[0] as "form" | "json";
      const sent = { [part]: { access_token: token } };
      const answer = await anonymous.call("PUT", "/notifications", sent);
      assert.equal(answer.status, 200, part);
    }
    const refused = [
      {},
      { query: { access_token: "" } },
      { headers: { access_token: wrong }, query: { access_token: token } },
      { headers: { access_token: "" }, query: { access_token: token } },
      { headers: { access_token: wrong, ...bearer } },
      { headers: { authorization: `Basic ${token}` } },
      { headers: { access_token: token.toUpperCase() } },
      { headers: { access_token: token.slice(1) } },
      { headers: { access_token: `${token}, ${token}` } },
    ];
    for (const sent of refused) await anonymous.unauthorized("GET", PATH, sent);
  });

  test("the grant is refused with its own errors", async () => {
    const { anonymous } = kith();
    const send = (form: Record<string, string>) => ({
      form: { ...GRANT, username: "ann", ...form },
    });
    const unknown = send({ username: "nobody_at_all" });
    await anonymous.refused("POST", PATH, unknown, 404, "User not found");
    await anonymous.unauthorized("POST", PATH, send({ password: "wrong!" }));
    const long = send({ password: "x".repeat(5000) });
    await anonymous.unauthorized("POST", PATH, long);
    for (const grant_type of [
      "",
      "client_credentials",
      "Password",
      "refresh_token",
    ])
      await anonymous.badRequest("POST", PATH, send({ grant_type }));
    for (const name of ["username", "password", "client_id"])
      for (const blank of ["", " ", "\t\n"])
        await anonymous.blank("POST", PATH, send({ [name]: blank }));
    await anonymous.badRequest("POST", PATH, { form: {} });
    const tooLong = send({ client_id: "x".repeat(256) });
    await anonymous.badRequest("POST", PATH, tooLong);
    const missing = { form: { grant_type: "password", username: "ann" } };
    await anonymous.blank("POST", PATH, missing);
  });

  test("a reset password ends every token and session", async () => {
    const hanna = await kith().person({ handle: "hanna" });
    const { accounts, administration } = kith().server.features;
    const session = (await accounts.signIn("hanna", PASSWORD))?.secret ?? "";
    assert.ok(await accounts.findSession(session));
    const key = { username: "hanna" };
    await administration.resetPassword(null, key, "another horse");
    await hanna.unauthorized("GET", PATH);
    assert.equal(await accounts.findSession(session), undefined);
    const sent = { form: { ...GRANT, username: "hanna" } };
    await hanna.with(undefined).unauthorized("POST", PATH, sent);
    const fresh = await kith().anonymous.post<IssuedTokenRecord>(PATH, {
      ...GRANT,
      username: "hanna",
      password: "another horse",
      client_id: "test",
    });
    assert.notEqual(fresh.token, hanna.token);
    await hanna.with(fresh.token).get(PATH);
  });

  test("use is noted once a day of UTC", async () => {
    const ida = await kith().person({ handle: "ida" });
    const seen = async () =>
      (await kith().server.features.accounts.find("ida"))?.lastSeenAt;
    const sinceMidnight = kith().clock.now().getTime() % DAY_MS;
    kith().clock.advance(DAY_MS - sinceMidnight + HOUR_MS);
    await ida.get(PATH);
    const first = await seen();
    assert.match(first ?? "", TIMESTAMP);
    kith().clock.advance(20 * HOUR_MS);
    await ida.get(PATH);
    assert.equal(await seen(), first);
    kith().clock.advance(5 * HOUR_MS);
    const [token] = await ida.get<TokenRecord[]>(PATH);
    const second = await seen();
    assert.equal(token?.LastUsedAt, second);
    assert.ok(Date.parse(second ?? "") - Date.parse(first ?? "") > DAY_MS);
    assert.equal(second?.slice(11, 13), "02");
  });

  test("a token that was not used for 400 days ends", async () => {
    const jan = await kith().person({ handle: "jan" });
    kith().clock.advance(399 * DAY_MS);
    await jan.get(PATH);
    kith().clock.advance(401 * DAY_MS);
    await jan.unauthorized("GET", PATH);
    const fresh = await kith().token("jan");
    assert.notEqual(fresh.token, jan.token);
    const list = await jan.with(fresh.token).get<TokenRecord[]>(PATH);
    assert.deepEqual(
      list.map(({ ID }) => ID),
      [fresh.ID],
    );
    await jan.unauthorized("GET", PATH);
  });
});
