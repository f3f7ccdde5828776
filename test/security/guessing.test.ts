import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { createMetrics } from "../../packages/server/src/observability/metrics.ts";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import {
  PASSWORD,
  useKith,
  type TestPerson,
} from "../../packages/server/test/support/server/kith-server.ts";

const HOME = "198.51.100.7";
const WRONG = "wrong horse";
const MINUTE_MS = 60_000;

type Summary = { readonly status: number; readonly text: string };

forEachDatabase((kind) => {
  const metrics = createMetrics();
  const kith = useKith(kind, {
    env: {
      KITH_RATE_LIMITS: "1",
      KITH_SIGN_UPS: "40",
      KITH_TRUSTED_PROXIES: "loopback",
    },
    metrics,
  });
  // Everything is one window, however long it takes.
  before(() => kith().clock.stopAt(kith().clock.now()));
  let addresses = 0;
  /** An address without previous requests. */
  const newAddress = () => {
    addresses += 1;
    return `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`;
  };

  const post = (
    path: string,
    from: string,
    form: Readonly<Record<string, string>>,
  ) =>
    fetch(kith().baseUrl + path, {
      method: "POST",
      headers: { "x-forwarded-for": from, accept: "application/json" },
      body: new URLSearchParams(form),
      redirect: "manual",
    });
  const signIn = (username: string, password: string, from: string) =>
    post("/users/sign_in", from, { username, password });
  const getToken = (username: string, password: string, from: string) =>
    post("/api/v0/oauth/tokens", from, {
      ...{ grant_type: "password", client_id: "app", username, password },
    });
  const summarize = async (answer: Promise<Response>): Promise<Summary> => {
    const { status, text } = await answer.then(async (response) => ({
      status: response.status,
      text: await response.text(),
    }));
    return { status, text };
  };
  const statusOf = async (answer: Promise<Response>) =>
    (await summarize(answer)).status;
  const assertTooMany = async (answer: Response, mostSeconds: number) => {
    assert.equal(answer.status, 429);
    assert.deepEqual(await answer.json(), { error: "Too many requests" });
    const seconds = Number(answer.headers.get("retry-after"));
    assert.ok(Number.isInteger(seconds), "Whole seconds");
    assert.ok(seconds >= 1 && seconds <= mostSeconds, `${seconds} s`);
  };

  describe("an attacker who guesses a password", () => {
    let ann: TestPerson;
    before(async () => {
      ann = await kith().person();
    });

    test("from one address is refused at every endpoint, and no other address is", async () => {
      const evil = newAddress();
      for (let n = 0; n < 10; n += 1) {
        assert.equal(await statusOf(signIn(ann.username, WRONG, evil)), 401);
        assert.equal(await statusOf(getToken(ann.username, WRONG, evil)), 401);
      }
      const quarter = 15 * 60;
      await assertTooMany(await signIn(ann.username, WRONG, evil), quarter);
      await assertTooMany(await getToken(ann.username, WRONG, evil), quarter);
      const right = await getToken(ann.username, PASSWORD, evil);
      await assertTooMany(right, quarter);
      assert.equal(await statusOf(signIn(ann.username, PASSWORD, HOME)), 302);
      const bob = await kith().person();
      assert.equal(await statusOf(signIn(bob.username, PASSWORD, evil)), 302);
      kith().clock.advance(15 * MINUTE_MS);
      assert.equal(await statusOf(signIn(ann.username, PASSWORD, evil)), 302);
    });

    test("does not learn whether a user exists", async () => {
      const [one, two] = [newAddress(), newAddress()];
      for (let n = 0; n < 22; n += 1) {
        const known = await summarize(signIn(ann.username, WRONG, one));
        assert.equal(known.status, n < 20 ? 401 : 429);
        assert.deepEqual(
          await summarize(signIn("nobody77", WRONG, two)),
          known,
        );
      }
      for (const name of [ann.username, "nobody78"]) {
        const from = newAddress();
        for (let n = 0; n < 20; n += 1) {
          const status = await statusOf(getToken(name, WRONG, from));
          assert.equal(status, name === "nobody78" ? 404 : 401);
        }
        await assertTooMany(await getToken(name, WRONG, from), 900);
      }
    });

    test("from many addresses is throttled, and the owner can sign in from home", async () => {
      const cid = await kith().person();
      const session = await signIn(cid.username, PASSWORD, HOME);
      const cookie = session.headers.get("set-cookie")?.split(";")[0] ?? "";
      const statuses = [];
      for (let n = 0; n < 110; n += 1)
        statuses.push(
          await statusOf(getToken(cid.username, WRONG, newAddress())),
        );
      assert.equal(statuses.filter((status) => status === 401).length, 101);
      assert.equal(statuses.at(-1), 429);
      const stranger = await signIn(cid.username, PASSWORD, newAddress());
      await assertTooMany(stranger, 2 * 60);
      for (let n = 0; n < 3; n += 1) {
        assert.equal(await statusOf(signIn(cid.username, PASSWORD, HOME)), 302);
        assert.equal(
          await statusOf(getToken(cid.username, PASSWORD, HOME)),
          200,
        );
      }
      await cid.get("/aspects");
      const stream = await fetch(`${kith().baseUrl}/home`, {
        headers: { cookie, "x-forwarded-for": newAddress() },
      });
      assert.equal(stream.status, 200, "A session goes on anywhere");
      assert.ok((await stream.text()).includes("/users/sign_out"));
      kith().clock.advance(2 * MINUTE_MS);
      const later = signIn(cid.username, PASSWORD, newAddress());
      assert.equal(await statusOf(later), 302, "Slow is not never");
    });

    test("with a stolen token is refused wherever the password is required", async () => {
      const dora = await kith().person();
      const evil = newAddress();
      const call = (method: string, path: string, form: object, from = evil) =>
        dora.call(method, path, {
          form: form as Record<string, string>,
          headers: { "x-forwarded-for": from },
        });
      const change = { current_password: WRONG, password: "another horse" };
      for (let n = 0; n < 20; n += 1)
        assert.equal(
          (await call("PUT", "/users/password", change)).status,
          401,
        );
      const known = { password: PASSWORD, handle: "eve@localhost:1" };
      const doors = [
        ["PUT", "/users/password", { ...change, current_password: PASSWORD }],
        ["DELETE", `/users?password=${encodeURIComponent(PASSWORD)}`, {}],
        ["POST", "/users/self/move/signature", { ...known, direction: "away" }],
        ["POST", "/users/self/move/away", known],
        ["POST", "/users/self/move/here", { ...known, signature: "x" }],
      ] as const;
      for (const [method, path, form] of doors)
        assert.equal((await call(method, path, form)).status, 429, path);
      await dora.get("/aspects");
      const right = { ...change, current_password: PASSWORD };
      const changed = await call("PUT", "/users/password", right, HOME);
      assert.equal(changed.status, 200);
    });

    test("of all users is refused, while people at their usual addresses are not", async () => {
      const emil = await kith().person();
      const school = newAddress();
      assert.equal(
        await statusOf(signIn(emil.username, PASSWORD, school)),
        302,
      );
      for (let n = 0; n < 300; n += 1)
        assert.equal(await statusOf(signIn(`any${n}`, WRONG, school)), 401);
      const other = await signIn(ann.username, PASSWORD, school);
      await assertTooMany(other, 900);
      assert.equal(
        await statusOf(signIn(emil.username, PASSWORD, school)),
        302,
      );
    });
  });

  test("sign-ups are limited for one address only", async () => {
    const form = (username: string) => ({ username, password: PASSWORD });
    const factory = newAddress();
    for (let n = 0; n < 40; n += 1) {
      // A refused sign-up creates nothing, and is not counted.
      assert.equal(await statusOf(post("/users/sign_up", factory, {})), 422);
      const made = post("/users/sign_up", factory, form(`made${n}`));
      assert.equal(await statusOf(made), 302);
    }
    const again = post("/users/sign_up", factory, form("made1"));
    assert.equal(await statusOf(again), 422);
    const refused = await post("/users/sign_up", factory, form("onemore"));
    await assertTooMany(refused, 3600);
    const invited = await kith().server.features.invitations.create(null);
    const guest = post("/users/sign_up", factory, {
      ...form("guest"),
      invitation: invited.code,
    });
    assert.equal(await statusOf(guest), 302);
    const other = post("/users/sign_up", newAddress(), form("onemore"));
    assert.equal(await statusOf(other), 302);
  });

  test("people get on a page what programs get as an error", async () => {
    const from = newAddress();
    for (let n = 0; n < 20; n += 1) await signIn("nobody79", WRONG, from);
    const answer = await fetch(`${kith().baseUrl}/users/sign_in`, {
      method: "POST",
      headers: { "x-forwarded-for": from, accept: "text/html" },
      body: new URLSearchParams({ username: "nobody79", password: WRONG }),
    });
    assert.equal(answer.status, 429);
    assert.match(answer.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
    assert.match(await answer.text(), /<h1>Too often<\/h1>/);
  });

  test("refused requests are counted by limit", async () => {
    const text = await metrics.render();
    for (const by of ["account", "address", "account_and_address"])
      assert.match(
        text,
        new RegExp(
          `^kith_requests_refused_total\\{limit="password",by="${by}"\\} [1-9]`,
          "m",
        ),
      );
    assert.match(text, /\{limit="sign_up",by="address"\} 1$/m);
  });
});
