import assert from "node:assert/strict";
import { test } from "node:test";
import { hiddenFields, visitor } from "../support/pages/visit.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { PASSWORD, useKith } from "../support/server/kith-server.ts";
import { browsing } from "../support/sign-in/second-factor.ts";
import { HOUR_MS } from "../support/server/test-clock.ts";

const FIREFOX =
  "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const PATHS = [
  "sessions",
  "tokens",
  "second_factor",
  "second_factor/confirm",
  "second_factor/remove",
  "recovery_codes",
  "passkeys",
  "passkeys/options",
  "passkeys/remove",
];

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const someone = (username: string) => browsing(kith(), username);
  const signIn = async (username: string) => {
    const browser = visitor(kith().baseUrl);
    const form = { username, password: PASSWORD };
    await browser.post("/users/sign_in", form, { "user-agent": FIREFOX });
    return browser;
  };
  const valuesOf = (page: string, name: string) =>
    [
      ...page.matchAll(new RegExp(`name="${name}"\\s+value="([^"]+)"`, "g")),
    ].map(([, value = ""]) => value);

  test("shows where one is signed in, and ends one or all others", async () => {
    const ann = await someone("ann");
    kith().clock.advance(HOUR_MS);
    const [one, two] = [await signIn("ann"), await signIn("ann")];
    const page = await ann.see();
    assert.match(page.text, /<strong>Firefox, Linux<\/strong>/);
    assert.match(page.text, /1 hour ago<\/time\s*>\s*\(this one\)/);
    const [first = "", second = "", others, ...more] = valuesOf(
      page.text,
      "session",
    );
    assert.deepEqual([others, more], ["others", []]);
    assert.match(`${first}${second}`, /^[0-9a-f]{40}$/);
    const bob = await someone("bob");
    for (const session of [first, "", "x", "%", first.toUpperCase()]) {
      const { status } = await bob.change("sessions", { session });
      assert.equal(status, 422, session);
    }
    const wrong = { session: first, password: "wrong!" };
    const refused = await ann.change("sessions", wrong);
    assert.equal(refused.status, 401);
    assert.match(refused.text, /role="alert"/);
    const isIn = async (browser: typeof one) =>
      (await browser.get("/home")).status === 200;
    assert.deepEqual([await isIn(one), await isIn(two)], [true, true]);
    assert.equal(
      (await ann.change("sessions", { session: first })).status,
      302,
    );
    const left = [await isIn(one), await isIn(two)];
    assert.equal(left.filter((it) => it).length, 1);
    const all = { session: "others" };
    assert.equal((await ann.change("sessions", all)).status, 302);
    assert.deepEqual([await isIn(one), await isIn(two)], [false, false]);
    const after = await ann.see();
    assert.match(after.text, /You have no other sessions/);
    assert.equal((await bob.see()).status, 200);
  });

  test("shows which programs have access, and takes it away", async () => {
    const cid = await someone("cid");
    const { token } = await kith().token("cid", "<b>phone</b>");
    const page = await cid.see();
    assert.match(page.text, /<strong>&lt;b&gt;phone&lt;\/b&gt;<\/strong>/);
    const [id = ""] = valuesOf(page.text, "token");
    const dan = await someone("dan");
    for (const other of [id, "0", "999999"])
      assert.equal((await dan.change("tokens", { token: other })).status, 422);
    assert.equal((await dan.change("tokens", { token: "x" })).status, 400);
    const client = kith().anonymous.with(token);
    await client.get("/aspects");
    assert.equal((await cid.change("tokens", { token: id })).status, 302);
    await client.unauthorized("GET", "/aspects");
    assert.match((await cid.see()).text, /No program has access/);
  });

  test("nothing changes without a session, or without the form's token", async () => {
    const eve = await someone("eve");
    await kith().token("eve");
    const before = await kith().snapshot();
    const form = { password: PASSWORD, session: "others", token: "1" };
    for (const path of PATHS) {
      const stranger = visitor(kith().baseUrl);
      const at = `/settings/security/${path}`;
      const led = await stranger.post(at, form);
      assert.equal(led.status, 401, path);
      const { to, draft } = hiddenFields(led, "/users/sign_in");
      assert.equal(to, "/settings/security");
      assert.equal(draft, '{"session":"others","token":"1"}');
      assert.equal((await eve.post(at, form)).status, 403, path);
      const forged = await eve.change(path, { csrf_token: "x", ...form });
      assert.equal(forged.status, 403, path);
      const origin = { origin: "https://evil.example" };
      const csrf_token = eve.csrf_token;
      const elsewhere = await eve.post(at, { ...form, csrf_token }, origin);
      assert.equal(elsewhere.status, 403, path);
    }
    const page = await visitor(kith().baseUrl).get("/settings/security");
    assert.equal(
      page.headers.get("location"),
      "/users/sign_in?to=%2Fsettings%2Fsecurity",
    );
    assert.deepEqual(await kith().snapshot(), before);
  });

  test("each page may run scripts of our own alone; pages with secrets, errors and consent none", async () => {
    const fay = await someone("fay");
    const stranger = visitor(kith().baseUrl);
    const policyOf = (answer: { readonly headers: Headers }) =>
      answer.headers.get("content-security-policy") ?? "";
    const scripted = [await fay.see(), await stranger.get("/users/sign_in")];
    for (const answer of scripted) {
      assert.match(policyOf(answer), /^default-src 'none'; style-src 'self';/);
      assert.match(
        policyOf(answer),
        /; script-src 'self'; connect-src 'self'$/,
      );
      const scripts = answer.text.match(/<script[^>]*>/g) ?? [];
      assert.deepEqual(
        scripts.map((it) => it.split("?", 1)[0]),
        ["passkeys", "kith"].map(
          (name) => `<script type="module" src="/assets/${name}.js`,
        ),
      );
      assert.doesNotMatch(answer.text, /style=|\son\w+=/);
    }
    for (const path of ["/home", "/u/fay"]) {
      const answer = await fay.get(path);
      assert.match(
        policyOf(answer),
        /; script-src 'self'; connect-src 'self'$/,
      );
      assert.deepEqual(
        answer.text.match(/<script[^>]*>/g)?.map((it) => it.split("?", 1)[0]),
        ['<script type="module" src="/assets/kith.js'],
      );
    }
    for (const answer of [
      await fay.change("second_factor"),
      await fay.get("/no/such/page"),
    ]) {
      assert.doesNotMatch(policyOf(answer), /script-src/);
      assert.doesNotMatch(answer.text, /<script/);
    }
  });
});
