import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import {
  startPagesServer,
  type PagesServer,
} from "../../packages/server/test/support/pages/pages-server.ts";
import {
  hiddenFields,
  newUser,
  visitor,
} from "../../packages/server/test/support/pages/visit.ts";

/** An administration form, and the content of its page when it is shown again. */
type Kept = {
  readonly page: string;
  readonly act: string;
  readonly form: Readonly<Record<string, string>>;
  readonly holds: readonly RegExp[];
};

forEachDatabase((database) => {
  let kith: PagesServer;
  let boss: Awaited<ReturnType<typeof newUser>>;
  let forms: readonly Kept[];

  before(async () => {
    kith = await startPagesServer({ database });
    boss = await newUser(kith.baseUrl, "boss");
    await kith.administration.setRole(null, { username: "boss" }, "admin");
    await newUser(kith.baseUrl, "bob");
    const bob = await kith.people.find({ handle: `bob@${kith.host}` });
    assert.ok(bob);
    forms = formsAbout(String(bob.id), String(bob.userId));
  });
  after(() => kith.close());

  test("administration forms with an expired token keep the text, and change nothing", async () => {
    for (const { page, act, form, holds } of forms) {
      const old = { ...form, csrf_token: "0".repeat(64) };
      const answer = await boss.post(`${page}/${act}`, old);
      assert.equal(answer.status, 403, act);
      assert.match(answer.text, /out of date, so nothing was changed/);
      for (const pattern of holds) assert.match(answer.text, pattern, act);
      const program = { accept: "application/json" };
      const refused = await boss.post(`${page}/${act}`, old, program);
      assert.equal(refused.status, 403);
      assert.match(refused.text, /^\{"error":"Forbidden"\}$/);
    }
    await assertNothingDone();
  });

  test("administration forms keep the text when the session has expired", async () => {
    for (const { page, act, form, holds } of forms) {
      const browser = visitor(kith.baseUrl);
      const asked = await browser.post(`${page}/${act}`, form);
      assert.equal(asked.status, 401, act);
      const { username, password } = boss;
      const back = hiddenFields(asked, "/users/sign_in");
      const filled = { ...back, username, password };
      const resumed = await browser.post("/users/sign_in", filled);
      assert.equal(resumed.status, 200, act);
      assert.match(resumed.text, /You had been signed out/);
      for (const pattern of holds) assert.match(resumed.text, pattern, act);
    }
    await assertNothingDone();
  });

  test("an admin's text is not shown to another person", async () => {
    const { page, act, form } = forms[0] ?? assert.fail();
    const eve = await newUser(kith.baseUrl, "eve");
    const browser = visitor(kith.baseUrl);
    const asked = await browser.post(`${page}/${act}`, form);
    const back = hiddenFields(asked, "/users/sign_in");
    const { username, password } = eve;
    const other = { ...back, username, password };
    const answer = await browser.post("/users/sign_in", other);
    assert.equal(answer.status, 404);
    assert.doesNotMatch(answer.text, /A long story/);
  });

  test("an admin's text is kept when it is refused", async () => {
    const { csrf_token } = boss;
    const refused = async (path: string, form: Record<string, string>) => {
      const answer = await boss.post(path, { ...form, csrf_token });
      assert.equal(answer.status, 422, path);
      return answer.text;
    };
    const host = { host: "no host!", decision: "silence", reason: "Loud" };
    const decided = await refused("/admin/hosts/decide", host);
    assert.match(decided, /name="host"[^>]*value="no host!"/);
    assert.match(decided, /value="silence" selected/);
    assert.match(decided, /value="Loud"/);
    const relay = { url: "not an address" };
    const added = await refused("/admin/queue/add-relay", relay);
    assert.match(added, /value="not an address"/);
    const many = { uses: "999999", days: "3" };
    for (const path of ["/admin/invitations", "/invitations"])
      assert.match(await refused(`${path}/create`, many), /value="999999"/);
  });

  test("the choice of a security setting is kept, and no password or code", async () => {
    const cleo = await newUser(kith.baseUrl, "cleo");
    const other = visitor(kith.baseUrl);
    const { username, password, csrf_token } = cleo;
    await other.post("/users/sign_in", { username, password });
    const path = "/settings/security/sessions";
    const typed = { session: "others", password: "se cret", code: "123 456" };
    const assertKept = (text: string) => {
      assert.match(text, /value="others"\s+required\s+checked/);
      assert.doesNotMatch(text, /se cret|123 456/);
    };
    const old = await cleo.post(path, { ...typed, csrf_token: "old" });
    assert.equal(old.status, 403);
    assertKept(old.text);
    const wrong = await cleo.post(path, { ...typed, csrf_token });
    assert.equal(wrong.status, 401);
    assertKept(wrong.text);
    const none = await cleo.post(path, { password, csrf_token });
    assert.equal(none.status, 422);
    assert.match(none.text, /role="alert"[^]*Choose one of the list/);
    const browser = visitor(kith.baseUrl);
    const asked = await browser.post(path, typed);
    assert.equal(asked.status, 401);
    assert.doesNotMatch(asked.text, /se cret|123 456/);
    const back = hiddenFields(asked, "/users/sign_in");
    const filled = { ...back, username, password };
    assertKept((await browser.post("/users/sign_in", filled)).text);
  });

  async function assertNothingDone(): Promise<void> {
    const { text } = await boss.get("/admin/audit");
    assert.doesNotMatch(text, /far\.example|relay\.example|bob/);
  }
});

function formsAbout(id: string, userId: string): readonly Kept[] {
  const story = "A long story";
  return [
    {
      page: "/admin/hosts",
      act: "decide",
      form: { host: "far.example", decision: "silence", reason: story },
      holds: [
        /value="far\.example"/,
        /value="silence" selected/,
        /value="A long story"/,
      ],
    },
    {
      page: "/admin/queue",
      act: "add-relay",
      form: { url: "https://relay.example/inbox" },
      holds: [/value="https:\/\/relay\.example\/inbox"/],
    },
    {
      page: "/admin/people",
      act: "suspend",
      form: { id, reason: story },
      holds: [/id="suspend-reason"[^>]*value="A long story"/],
    },
    {
      page: "/admin/accounts",
      act: "role",
      form: { id: userId, role: "moderator" },
      holds: [/<details open>[^]*value="moderator" selected/],
    },
    {
      page: "/admin/invitations",
      act: "create",
      form: { uses: "17", days: "9" },
      holds: [/value="17"/, /value="9"/],
    },
    {
      page: "/invitations",
      act: "create",
      form: { uses: "17", days: "9" },
      holds: [/value="17"/, /value="9"/],
    },
  ];
}
