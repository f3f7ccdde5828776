import assert from "node:assert/strict";
import { test } from "node:test";
import { hiddenFields, newUser, visitor } from "../support/pages/visit.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { PASSWORD, useKith } from "../support/server/kith-server.ts";
import { DAY_MS } from "../support/server/test-clock.ts";
import {
  callWith,
  getAppToken,
  registerClient,
  sendForm,
} from "../support/sign-in/oauth-app.ts";

const APPS = "/settings/apps";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const isLiving = async (token: string) =>
    (await callWith(`${kith().baseUrl}/api/v0/posts`, token)).status === 200;
  const idsOn = (page: string) =>
    [...page.matchAll(/name="access"\s+value="(\d+)"/g)].map(([, id]) => id);

  test("people see the apps that they have let in, and end their access", async () => {
    const { baseUrl, clock } = kith();
    const [ann, ben] = [
      await newUser(baseUrl, "ann"),
      await newUser(baseUrl, "ben"),
    ];
    assert.match((await ann.get(APPS)).text, /No app has access/);
    const reader = await registerClient(baseUrl, {
      client_name: "Rëader <i>",
      website: "https://reader.example/x",
    });
    const first = await getAppToken(baseUrl, ann, "read", reader);
    const second = await getAppToken(baseUrl, ann, "write:media push");
    const others = await getAppToken(baseUrl, ben, "read", reader);
    const page = await ann.get(APPS);
    assert.ok(page.text.includes("Rëader &lt;i&gt;"));
    assert.match(page.text, />reader\.example</);
    assert.match(page.text, /read everything that you can see here/);
    assert.match(page.text, /upload, change and delete your photos/);
    const [newest = "", oldest = ""] = idsOn(page.text);
    assert.equal(idsOn(page.text).length, 2);
    const end = (by: typeof ann, access: string, csrf_token = by.csrf_token) =>
      by.post(APPS, { access, csrf_token });
    assert.equal((await end(ben, newest)).status, 404, "another user's");
    assert.equal((await end(ann, newest, ben.csrf_token)).status, 403);
    for (const access of ["", "0", "x", "-1", "9".repeat(20), "1e3"])
      assert.equal((await end(ann, access)).status, 404, access);
    assert.ok((await isLiving(first)) && (await isLiving(others)));
    const ended = await end(ann, oldest);
    assert.match(ended.text, /The access has ended/);
    assert.ok(!(await isLiving(first)));
    assert.deepEqual(idsOn(ended.text), [newest]);
    clock.advance(2 * DAY_MS);
    const used = await callWith(`${baseUrl}/api/v0/photos/1`, second);
    assert.equal(used.status, 403, "it lacks the scope, and is used");
    const shown = (await ann.get(APPS)).text;
    assert.match(shown, /let in\s+<time[^>]*>2 days ago/);
    assert.doesNotMatch(shown, /last used\s+<time[^>]*>2 days ago/);
    const third = await getAppToken(baseUrl, ann, "read", reader);
    assert.match((await end(ann, "all")).text, /No app has access any more/);
    for (const token of [second, third]) assert.ok(!(await isLiving(token)));
    assert.ok(await isLiving(others));
  });

  test("the page is for its owner, and comes back after a sign-in", async () => {
    const nobody = visitor(kith().baseUrl);
    const away = await nobody.get(APPS);
    assert.equal(
      away.headers.get("location"),
      "/users/sign_in?to=%2Fsettings%2Fapps",
    );
    const sent = await nobody.post(APPS, { access: "all" });
    assert.equal(sent.status, 401);
    assert.equal(hiddenFields(sent, "/users/sign_in")["to"], APPS);
  });

  test("an access that nobody uses for long is none any more, and one in use stays", async () => {
    const { baseUrl, clock } = kith();
    const cleo = await newUser(baseUrl, "cleo");
    const app = await registerClient(baseUrl);
    const [used, unused] = [
      await getAppToken(baseUrl, cleo, "read", app),
      await getAppToken(baseUrl, cleo, "read", app),
    ];
    for (let month = 0; month < 14; month += 1) {
      clock.advance(29 * DAY_MS);
      assert.ok(await isLiving(used));
    }
    assert.ok(!(await isLiving(unused)));
    await cleo.post("/users/sign_in", { username: "cleo", password: PASSWORD });
    assert.equal(idsOn((await cleo.get(APPS)).text).length, 1);
  });
});

forEachDatabase((kind) => {
  const kith = useKith(kind, {
    env: { KITH_PASSWORD_GRANT: "false", KITH_RATE_LIMITS: "0.1" },
  });

  test("an operator can switch off tokens for passwords; apps are let in all the same", async () => {
    const { baseUrl } = kith();
    const ann = await newUser(baseUrl, "ann");
    const refused = await sendForm(`${baseUrl}/api/v0/oauth/tokens`, {
      ...{ grant_type: "password", username: "ann", password: PASSWORD },
      client_id: "x",
    });
    assert.equal(refused.status, 403);
    assert.deepEqual(refused.json, { error: "Forbidden" });
    const token = await getAppToken(baseUrl, ann, "read");
    const posts = await callWith(`${baseUrl}/api/v0/posts`, token);
    assert.equal(posts.status, 200);
  });

  test("one network registers a number of apps at most, and no other is held up", async () => {
    const register = (from: string) =>
      kith().server.features.oauth.register({
        ...{ name: "x", redirectUris: "reader://", from },
      });
    // A tenth of the usual 100.
    for (let n = 0; n < 10; n += 1) await register("192.0.2.1");
    const refused = { code: "too_many_requests" };
    await assert.rejects(register("192.0.2.1"), refused);
    await register("192.0.2.2");
  });
});
