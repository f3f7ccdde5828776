import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import { after, before, test } from "node:test";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import {
  startPagesServer,
  type PagesServer,
} from "../../packages/server/test/support/pages/pages-server.ts";
import {
  newUser,
  visitor,
} from "../../packages/server/test/support/pages/visit.ts";

type User = Awaited<ReturnType<typeof newUser>>;

let kith: PagesServer;
let names = 0;

const ACCOUNT = "/settings/account";
const MOVING = "/settings/moving";

forEachDatabase((database) => {
  before(async () => {
    kith = await startPagesServer({ database });
  });
  after(() => kith.close());

  const meet = () => newUser(kith.baseUrl, `owner${(names += 1)}`);
  const send = (by: User, path: string, fields: Record<string, string> = {}) =>
    by.post(path, { csrf_token: by.csrf_token, ...fields });
  async function signIn(username: string, password: string) {
    const guest = visitor(kith.baseUrl);
    await guest.post("/users/sign_in", { username, password });
    return guest;
  }

  test("a new password ends every other session, and a wrong one changes nothing", async () => {
    const ann = await meet();
    const other = await signIn(ann.username, ann.password);
    const fresh = "a new horse";
    const change = (fields: Record<string, string>) =>
      send(ann, `${ACCOUNT}/password`, {
        ...{ current: ann.password, password: fresh, confirm: fresh },
        ...fields,
      });
    for (const [fields, fault] of [
      [{ current: "wrong" }, /until now is wrong/],
      [{ confirm: "another" }, /differ/],
      [{ password: "x", confirm: "x" }, /must have 6/],
    ] as const) {
      const refused = await change(fields);
      assert.equal(refused.status, 422);
      assert.match(refused.text, fault);
    }
    assert.equal((await change({ csrf_token: "old" })).status, 403);
    assert.equal((await other.get("/home")).status, 200);
    const done = await change({});
    assert.equal(done.status, 200);
    assert.match(done.text, /password is changed/);
    assert.equal((await ann.get("/home")).status, 200);
    assert.equal((await other.get(ACCOUNT)).status, 302);
    const old = await signIn(ann.username, ann.password);
    assert.equal((await old.get(ACCOUNT)).status, 302);
    const again = await signIn(ann.username, fresh);
    assert.equal((await again.get(ACCOUNT)).status, 200);
  });

  test("the export is an archive, for a form of the session alone", async () => {
    const ann = await meet();
    const refused = await ann.post(`${ACCOUNT}/export`, {});
    assert.equal(refused.status, 403);
    const response = await fetch(`${kith.baseUrl}${ACCOUNT}/export`, {
      ...{ method: "POST", redirect: "manual" },
      headers: { cookie: ann.cookies() },
      body: new URLSearchParams({ csrf_token: ann.csrf_token }),
    });
    assert.equal(response.headers.get("content-type"), "application/gzip");
    assert.match(
      response.headers.get("content-disposition") ?? "",
      RegExp(`kith-${ann.username}-.*\\.tar\\.gz`),
    );
    const bytes = Buffer.from(await response.arrayBuffer());
    assert.match(gunzipSync(bytes).toString("latin1"), /profile\.json/);
  });

  test("an account is deleted with its password alone", async () => {
    const [ann, ben] = [await meet(), await meet()];
    const page = await ann.get(`${ACCOUNT}/delete`);
    assert.match(page.text, /cannot be undone/);
    const wrong = await send(ann, `${ACCOUNT}/delete`, { password: "wrong" });
    assert.equal(wrong.status, 422);
    assert.match(wrong.text, /password is wrong/);
    const { password } = ann;
    const old = { csrf_token: "old", password };
    assert.equal((await ann.post(`${ACCOUNT}/delete`, old)).status, 403);
    assert.equal((await ben.get(`/u/${ann.username}`)).status, 200);
    const done = await send(ann, `${ACCOUNT}/delete`, { password });
    assert.equal(done.status, 200);
    assert.match(done.text, /account is deleted/);
    assert.equal((await ann.get(ACCOUNT)).status, 302);
    assert.equal((await ben.get(`/u/${ann.username}`)).status, 404);
  });

  test("a move that cannot be is refused, and its form shown again", async () => {
    const ann = await meet();
    const { password } = ann;
    assert.match((await ann.get(MOVING)).text, /Agree to a move/);
    const nobody = "nobody@nowhere.invalid";
    for (const [act, fields, fault] of [
      ["sign", { direction: "here" }, /Nothing was signed/],
      ["away", {}, /You were not moved/],
      ["here", { signature: "x" }, /Nothing was moved/],
    ] as const) {
      const form = { handle: nobody, password, ...fields };
      const refused = await send(ann, `${MOVING}/${act}`, form);
      assert.equal(refused.status, 422, act);
      assert.match(refused.text, fault);
      assert.match(refused.text, RegExp(`value="${nobody}"`));
      assert.doesNotMatch(refused.text, RegExp(password));
      const wrong = { ...form, password: "wrong" };
      const unproven = await send(ann, `${MOVING}/${act}`, wrong);
      assert.match(unproven.text, /password is wrong/, act);
      const old = { ...form, csrf_token: "old" };
      assert.equal((await send(ann, `${MOVING}/${act}`, old)).status, 403);
    }
    const aliases = await send(ann, `${MOVING}/aliases`, { aliases: nobody });
    assert.equal(aliases.status, 422);
    assert.match(aliases.text, /Nothing was changed/);
    const none = await send(ann, `${MOVING}/aliases`, { aliases: "" });
    assert.match(none.text, /list is saved/);
    for (const path of [ACCOUNT, `${ACCOUNT}/delete`, MOVING])
      assert.equal((await visitor(kith.baseUrl).get(path)).status, 302);
  });
});
