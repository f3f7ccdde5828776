import assert from "node:assert/strict";
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

let kith: PagesServer;

forEachDatabase((database) => {
  before(async () => {
    kith = await startPagesServer({ database });
  });
  after(() => kith.close());

  const JSON_WANTED = { accept: "application/json" };

  test("signing up leads to the sign-in page, which confirms it", async () => {
    const anna = visitor(kith.baseUrl);
    const form = { username: "Anna", password: "secret", confirm: "secret" };
    const done = await anna.post("/users/sign_up", form);
    assert.equal(done.status, 302);
    assert.equal(done.headers.get("location"), "/users/sign_in");
    const shown = (await anna.get("/users/sign_in")).text;
    assert.match(shown, /account is ready/);
    assert.match(shown, /name="username"[^>]*\svalue="anna"/);
    const later = (await anna.get("/users/sign_in")).text;
    assert.doesNotMatch(later, /is ready/);
    assert.match(later, /name="username"[^>]*\svalue=""/);
    assert.ok(await kith.accounts.find("anna"));
  });

  test("a new account is in the zone of its browser, where there is such a zone", async () => {
    const zones = {
      zoned: ["Asia/Tokyo", "Asia/Tokyo"],
      unzoned: ["Mars/Olympus", "UTC"],
      plain: ["", "UTC"],
    } as const;
    for (const [username, [time_zone, expected]] of Object.entries(zones)) {
      const form = { username, password: "secret", time_zone };
      const done = await visitor(kith.baseUrl).post("/users/sign_up", form);
      assert.equal(done.status, 302, username);
      const account = (await kith.accounts.find(username)) ?? assert.fail();
      assert.equal(account.timeZone, expected, username);
    }
    const page = await visitor(kith.baseUrl).get("/users/sign_up");
    assert.match(page.text, /href="\/setup"/, "nobody runs this server yet");
  });

  test("a name is assigned once; a refused form gives the reason and keeps the name", async () => {
    const form = { username: "twice", password: "secret" };
    const { post } = visitor(kith.baseUrl);
    assert.equal((await post("/users/sign_up", form)).status, 302);
    const again = await post("/users/sign_up", form);
    assert.equal(again.status, 422);
    assert.match(again.text, /username is taken/);
    assert.match(again.text, /value="twice"/);
  });

  test("every error of a sign-up is named", async () => {
    const refused = async (form: Record<string, string>) => {
      const answer = await visitor(kith.baseUrl).post("/users/sign_up", form);
      assert.equal(answer.status, 422);
      return answer.text;
    };
    const short = await refused({ username: "<b>", password: "short" });
    assert.match(short, /password is too short/);
    assert.match(short, /letters from a to z/);
    assert.match(short, /value="&lt;b&gt;"/);
    assert.match(await refused({}), /Choose a username/);
    const differing = { username: "x1", password: "secret", confirm: "secreT" };
    assert.match(await refused(differing), /not the same/);
    assert.match(await refused({ ...differing, confirm: "" }), /not the same/);
    assert.equal(await kith.accounts.find("x1"), undefined);
  });

  test("programs get the error object", async () => {
    const { post } = visitor(kith.baseUrl);
    const form = { username: "x2", password: "short" };
    const refused = await post("/users/sign_up", form, JSON_WANTED);
    assert.equal(refused.status, 422);
    assert.deepEqual(JSON.parse(refused.text), {
      error: "The password is too short.",
    });
    const wrong = await post("/users/sign_in", form, JSON_WANTED);
    assert.equal(wrong.status, 401);
    assert.deepEqual(JSON.parse(wrong.text), { error: "Unauthorized" });
  });

  test("a form on another site creates no account and no session", async () => {
    const form = { username: "victim", password: "secret" };
    const { post } = visitor(kith.baseUrl);
    for (const headers of [
      { origin: "https://evil.example" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
    ])
      for (const path of ["/users/sign_up", "/users/sign_in"]) {
        const answer = await post(path, form, headers);
        assert.equal(answer.status, 403);
        assert.deepEqual(answer.headers.getSetCookie(), []);
      }
    assert.equal(await kith.accounts.find("victim"), undefined);
    const own = await post("/users/sign_up", form, { origin: kith.baseUrl });
    assert.equal(own.status, 302);
  });

  test("an unknown name and a wrong password look the same", async () => {
    await newUser(kith.baseUrl, "known");
    const { post, cookies } = visitor(kith.baseUrl);
    const wrong = await post("/users/sign_in", {
      username: "known",
      password: "wrong!",
    });
    const unknown = await post("/users/sign_in", {
      username: "unknown",
      password: "wrong!",
    });
    assert.equal(wrong.status, 401);
    assert.equal(unknown.status, 401);
    assert.equal(unknown.text.replace("unknown", "known"), wrong.text);
    assert.equal(cookies(), "");
  });

  test("one's own whole address is as good as the name", async () => {
    const { username, password } = await newUser(kith.baseUrl, "adele");
    const signIn = async (name: string) =>
      (
        await visitor(kith.baseUrl).post("/users/sign_in", {
          ...{ username: name, password },
        })
      ).status;
    for (const name of [`${username}@${kith.host}`, `@ADELE@${kith.host} `])
      assert.equal(await signIn(name), 302, name);
    assert.equal(await signIn(`${username}@elsewhere.example`), 401);
  });

  test("signing in again ends the older session", async () => {
    const user = await newUser(kith.baseUrl, "rotating");
    const older = { cookie: user.cookies() };
    const again = await user.post("/users/sign_in", {
      username: user.username,
      password: user.password,
    });
    assert.equal(again.headers.get("location"), "/home");
    assert.equal((await user.get("/home")).status, 200);
    const stale = await visitor(kith.baseUrl).get("/home", older);
    assert.equal(stale.status, 302);
    assert.equal(stale.headers.get("location"), "/users/sign_in");
  });

  test("browser sessions count as last seen", async () => {
    assert.equal((await kith.accounts.find("seen"))?.lastSeenAt, undefined);
    await newUser(kith.baseUrl, "seen");
    const { lastSeenAt } = (await kith.accounts.find("seen")) ?? {};
    assert.ok(lastSeenAt, "noted");
    assert.ok(Date.parse(lastSeenAt) <= Date.now());
  });

  test("a sign-in leads back to the requested page", async () => {
    const { username, password } = await newUser(kith.baseUrl, "back");
    const guest = visitor(kith.baseUrl);
    const sent = await guest.get("/settings/security");
    const path = sent.headers.get("location") ?? "";
    assert.equal(path, "/users/sign_in?to=%2Fsettings%2Fsecurity");
    const form = await guest.get(path);
    assert.match(form.text, /name="to" value="\/settings\/security"/);
    const to = "/settings/security";
    const wrong = { username, password: "wrong!", to };
    assert.match(
      (await guest.post("/users/sign_in", wrong)).text,
      /"to" value="\/s/,
    );
    const right = await guest.post("/users/sign_in", {
      username,
      password,
      to,
    });
    assert.equal(right.headers.get("location"), to);
    const away = { username, password, to: "//evil.example" };
    const stays = await guest.post("/users/sign_in", away);
    assert.equal(stays.headers.get("location"), "/home");
  });

  test("signing out needs the form's token and ends the session", async () => {
    const user = await newUser(kith.baseUrl, "leaving");
    const before = { cookie: user.cookies() };
    assert.equal((await user.post("/users/sign_out", {})).status, 403);
    assert.equal((await user.get("/home")).status, 200);
    const done = await user.post("/users/sign_out", {
      csrf_token: user.csrf_token,
    });
    assert.equal(done.status, 302);
    assert.equal(done.headers.get("location"), "/");
    assert.equal(user.cookies(), "");
    const stale = await visitor(kith.baseUrl).get("/home", before);
    assert.equal(stale.status, 302);
  });

  test("closed registration refuses, with approval the account is pending", async (t) => {
    const closed = await startPagesServer({ registration: "closed" });
    t.after(() => closed.close());
    const form = { username: "late", password: "secret" };
    const refused = await visitor(closed.baseUrl).post("/users/sign_up", form);
    assert.equal(refused.status, 403);
    assert.match(refused.text, /takes no new accounts/);
    const waiting = await startPagesServer({ registration: "approval" });
    t.after(() => waiting.close());
    const late = visitor(waiting.baseUrl);
    assert.equal((await late.post("/users/sign_up", form)).status, 302);
    assert.match((await late.get("/users/sign_in")).text, /has been approved/);
    assert.equal((await late.post("/users/sign_in", form)).status, 401);
    assert.equal((await late.get("/u/late")).status, 404);
  });
});
