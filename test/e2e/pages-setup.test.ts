import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import { startPagesServer } from "../../packages/server/test/support/pages/pages-server.ts";
import {
  newUser,
  visitor,
} from "../../packages/server/test/support/pages/visit.ts";

const PASSWORD = "correct horse";
const ADMIN = { username: "ada", password: PASSWORD, confirm: PASSWORD };

forEachDatabase((database) => {
  const start = async (
    t: TestContext,
    settings: Parameters<typeof startPagesServer>[0] = {},
  ) => {
    const kith = await startPagesServer({ database, ...settings });
    t.after(() => kith.close());
    return kith;
  };
  const roleOf = async (
    kith: Awaited<ReturnType<typeof start>>,
    username: string,
  ) => (await kith.accounts.find(username))?.role;

  test("on this machine, the first account sets the server up and describes it", async (t) => {
    const kith = await start(t);
    const ada = visitor(kith.baseUrl);
    assert.match((await ada.get("/")).text, /href="\/setup"/);
    const form = await ada.get("/setup");
    assert.doesNotMatch(form.text, /name="code"/);
    const done = await ada.post("/setup", { ...ADMIN, to: "/admin/server" });
    assert.equal(done.headers.get("location"), "/admin/server");
    assert.equal(await roleOf(kith, "ada"), "admin");
    for (const answer of [
      await ada.get("/setup"),
      await ada.post("/setup", { ...ADMIN, username: "eve" }),
    ])
      assert.equal(answer.status, 404);
    const page = await ada.get("/admin/server");
    const csrf_token =
      /name="csrf_token"\s+value="([^"]+)"/.exec(page.text)?.[1] ?? "";
    const saved = await ada.post("/admin/server/save", {
      ...{ csrf_token, name: "Mill <Lane>", registration: "approval" },
      ...{ description: "For *our* street.", rules: "- Be kind." },
    });
    assert.equal(saved.status, 302);
    const guest = visitor(kith.baseUrl);
    const landing = await guest.get("/");
    assert.match(landing.text, /<h1>Mill &lt;Lane&gt;<\/h1>/);
    assert.match(landing.text, /For <em>our<\/em> street/);
    assert.match(landing.text, /reviewed before/);
    assert.match((await guest.get("/about")).text, /<li>Be kind\.<\/li>/);
    assert.match(
      (await guest.get("/users/sign_in")).text,
      /<title>Sign in – Mill &lt;Lane&gt;<\/title>/,
    );
    const info = await fetch(`${kith.baseUrl}/nodeinfo/2.1`);
    const { openRegistrations, metadata } = (await info.json()) as {
      openRegistrations: boolean;
      metadata: { nodeName: string };
    };
    assert.equal(openRegistrations, false);
    assert.equal(metadata.nodeName, "Mill <Lane>");
    await guest.post("/users/sign_up", { ...ADMIN, username: "bea" });
    assert.equal((await kith.accounts.find("bea"))?.state, "pending");
  });

  test("a wrong form sets nothing up, and keeps what was typed", async (t) => {
    const kith = await start(t);
    const ada = visitor(kith.baseUrl);
    for (const [fields, fault] of [
      [{ username: "a b" }, /1 to 30 characters/],
      [{ username: "Admin" }, /This name is reserved/],
      [{ password: "x", confirm: "x" }, /too short/],
      [{ confirm: "another" }, /not the same/],
    ] as const) {
      const refused = await ada.post("/setup", { ...ADMIN, ...fields });
      assert.equal(refused.status, 422);
      assert.match(refused.text, fault);
    }
    assert.ok(await kith.accounts.isNew());
    const elsewhere = { origin: "https://evil.example" };
    const forged = await ada.post("/setup", ADMIN, elsewhere);
    assert.equal(forged.status, 403);
    assert.ok(await kith.accounts.isNew());
  });

  test("with accounts already, only the code of the server makes an admin", async (t) => {
    const kith = await start(t);
    await newUser(kith.baseUrl, "first");
    const ada = visitor(kith.baseUrl);
    assert.match((await ada.get("/setup")).text, /name="code"/);
    for (const code of ["", "AAAAA-AAAAA-AAAAA-AAAAA"]) {
      const refused = await ada.post("/setup", { ...ADMIN, code });
      assert.equal(refused.status, 403, code);
      assert.match(refused.text, /not the code/);
    }
    assert.equal(await roleOf(kith, "ada"), undefined);
    const code = kith.accounts.setupCode.toLowerCase().replaceAll("-", " ");
    const done = await ada.post("/setup", { ...ADMIN, code });
    assert.equal(done.status, 302);
    assert.equal(await roleOf(kith, "ada"), "admin");
    assert.equal(await roleOf(kith, "first"), "user");
  });

  test("the sign-up of a new server leads to its set-up, and to no ordinary account", async (t) => {
    const kith = await start(t);
    const guest = visitor(kith.baseUrl);
    const first = (await guest.get("/users/sign_up")).text;
    assert.match(first, /Set it up first/);
    assert.match(first, /class="button" href="\/setup"/);
    assert.doesNotMatch(first, /name="username"/);
    await newUser(kith.baseUrl, "first");
    const next = (await guest.get("/users/sign_up")).text;
    assert.match(next, /name="username"/);
    assert.doesNotMatch(next, /it will be the admin/);
    assert.match(next, /<a href="\/setup">/);
    const code = await guest.post("/setup", { ...ADMIN, code: "wrong" });
    assert.match(code.text, /whenever it starts without an admin/);
    assert.match(code.text, /kith account promote NAME admin/);
  });

  test("of two who set up at once, one becomes the admin", async (t) => {
    const kith = await start(t);
    const { setupCode: code } = kith.accounts;
    const answers = await Promise.all(
      ["ann", "ben", "cid"].map((username) =>
        visitor(kith.baseUrl).post("/setup", { ...ADMIN, username, code }),
      ),
    );
    const made = answers.filter(({ status }) => status === 302);
    assert.equal(made.length, 1);
    const roles = await Promise.all(
      ["ann", "ben", "cid"].map((name) => roleOf(kith, name)),
    );
    assert.deepEqual(
      roles.filter((role) => role !== undefined),
      ["admin"],
    );
  });

  test("admins alone describe the server, and long texts are refused as typed", async (t) => {
    const kith = await start(t);
    const ada = await newUser(kith.baseUrl, "ada");
    const { csrf_token } = ada;
    assert.equal((await ada.get("/admin/server")).status, 404);
    const save = (fields: Record<string, string>) =>
      ada.post("/admin/server/save", { csrf_token, ...fields });
    assert.equal((await save({ name: "Mine" })).status, 404);
    await kith.administration.setRole(null, { username: "ada" }, "admin");
    const refused = await save({ name: "Kept", rules: "x".repeat(5_001) });
    assert.equal(refused.status, 422);
    assert.match(refused.text, /value="Kept"/);
    assert.doesNotMatch((await ada.get("/")).text, /Kept/);
  });

  test("a newcomer is led to the first steps, which show what is done", async (t) => {
    const kith = await start(t);
    const guest = visitor(kith.baseUrl);
    await guest.post("/users/sign_up", { ...ADMIN, username: "neo" });
    const page = await guest.get("/users/sign_in");
    assert.match(page.text, /name="to"\s+value="\/welcome"/);
    const neo = await newUser(kith.baseUrl, "nea");
    const before = await neo.get("/welcome");
    assert.equal(before.text.match(/<li class="done"/g), null);
    const { csrf_token } = neo;
    await neo.post("/aspects", { csrf_token, name: "Family" });
    await neo.post("/home", { csrf_token, text: "Hi", audience: "everyone" });
    const after = await neo.get("/welcome");
    assert.equal(after.text.match(/<li class="done"/g)?.length, 2);
  });
});
