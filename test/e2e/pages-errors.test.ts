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
  type PageResponse,
} from "../../packages/server/test/support/pages/visit.ts";

const SIGN_IN = "/users/sign_in";

forEachDatabase((database) => {
  let kith: PagesServer;
  before(async () => {
    kith = await startPagesServer({ database });
  });
  after(() => kith.close());

  test("an error page has the navigation, signed in or not", async () => {
    const ann = await newUser(kith.baseUrl, "ann");
    for (const path of ["/nothing/here", "/posts/none", "/u/nobody"]) {
      const own = await ann.get(path);
      assert.equal(own.status, 404);
      assert.match(own.text, /href="\/u\/ann"/);
      assert.match(own.text, /action="\/users\/sign_out"/);
      assert.match(own.headers.get("cache-control") ?? "", /no-store/);
      const others = await visitor(kith.baseUrl).get(path);
      assert.equal(others.status, 404);
      assert.match(others.text, /<nav[^>]*>\s*<a href="\/users\/sign_in">/);
      assert.doesNotMatch(others.text, /ann/);
      assert.match(others.text, /If you have an account, try signing in/);
      assert.doesNotMatch(own.text, /try signing in/);
      const referer = kith.baseUrl + path;
      const led = await visitor(kith.baseUrl).get(SIGN_IN, { referer });
      assert.match(led.text, RegExp(`name="to" value="${path}"`));
    }
    const refused = await ann.post("/users/sign_out", {});
    assert.equal(refused.status, 403);
    assert.match(refused.text, /href="\/u\/ann"/);
  });

  test("unknown and unreadable addresses get the page of the server, by its name", async () => {
    await kith.serverProfile.save(null, { name: "The Mill" });
    const guest = visitor(kith.baseUrl);
    const pageAt = async (path: string) =>
      (await guest.get(path, { accept: "text/html,*/*;q=0.8" })).text;
    const hidden = await pageAt("/posts/none");
    assert.match(hidden, /<title>[^<]*The Mill<\/title>/);
    assert.equal(await pageAt("/foo/bar"), hidden);
    assert.equal(await pageAt("/settings/foo"), hidden);
    assert.match(await pageAt("/%E0%A4%A"), /The Mill[^]*did not work/);
    const program = await guest.get("/%E0%A4%A", { accept: "*/*" });
    assert.match(program.text, /^\{"error"/);
    assert.match(await pageAt("/api/v0/%E0%A4%A"), /^\{"error"/);
    await kith.serverProfile.save(null, { name: "" });
  });

  test("a report with an expired form keeps the text", async () => {
    const [bob, cleo] = await Promise.all([
      newUser(kith.baseUrl, "bob"),
      newUser(kith.baseUrl, "cleo"),
    ]);
    const person = await guidOf("bob");
    const form = { person, text: "He shouts", category: "violation" };
    const old = await cleo.post("/report", {
      ...form,
      forward: "true",
      csrf_token: bob.csrf_token,
    });
    assert.equal(old.status, 403);
    assertHolds(old, "He shouts");
    assert.match(old.text, /nothing was sent/);
    assert.match(old.text, /value="true"\s+checked/);
    const again = { ...form, csrf_token: cleo.csrf_token };
    const sent = await cleo.post("/report", again);
    assert.match(sent.text, /Your report has been received/);
  });

  test("text typed in an expired session is kept through the sign-in", async () => {
    const dora = await newUser(kith.baseUrl, "dora");
    const person = await guidOf("dora");
    const { username, password } = dora;
    for (const [path, form] of [
      ["/home", { text: 'a "long" story\nof mine', audience: "everyone" }],
      ["/report", { person, text: 'a "long" story\nof mine' }],
    ] as const) {
      const browser = visitor(kith.baseUrl);
      const asked = await browser.post(path, form);
      assert.equal(asked.status, 401);
      assert.match(asked.text, /Your text is kept/);
      const back = hiddenFields(asked, SIGN_IN);
      const wrong = await browser.post(SIGN_IN, {
        ...back,
        ...{ username, password: "wrong horse" },
      });
      assert.equal(wrong.status, 401);
      assert.deepEqual(hiddenFields(wrong, SIGN_IN), back);
      const right = { ...hiddenFields(wrong, SIGN_IN), username, password };
      const resumed = await browser.post(SIGN_IN, right);
      assert.equal(resumed.status, 200);
      assertHolds(resumed, "a &quot;long&quot; story\nof mine");
      assert.match(resumed.text, new RegExp(`action="${path}"`));
      assert.match(resumed.text, /You had been signed out/);
    }
    const { text } = await dora.get("/u/dora");
    assert.doesNotMatch(text, /long/, "nothing is published by a sign-in");
    const program = { accept: "application/json" };
    const refused = await visitor(kith.baseUrl).post("/home", {}, program);
    assert.equal(refused.status, 401);
  });

  test("a link cannot bring a draft to another person, and a malformed draft is ignored", async () => {
    const eve = await newUser(kith.baseUrl, "eve");
    const draft = JSON.stringify({ text: "not mine" });
    const query = new URLSearchParams({ to: "/home", draft }).toString();
    const page = await visitor(kith.baseUrl).get(`/users/sign_in?${query}`);
    assert.doesNotMatch(page.text, /not mine/);
    const { username, password } = eve;
    for (const broken of ["{", "[1]", "null", '{"text":1}', '"x"']) {
      const form = { username, password, to: "/home", draft: broken };
      const answer = await visitor(kith.baseUrl).post(SIGN_IN, form);
      assert.equal(answer.headers.get("location"), "/home", broken);
    }
    const elsewhere = { username, password, to: "/calendar", draft };
    const answer = await visitor(kith.baseUrl).post(SIGN_IN, elsewhere);
    assert.equal(answer.headers.get("location"), "/calendar");
  });

  async function guidOf(username: string): Promise<string> {
    const handle = `${username}@${kith.host}`;
    const person = await kith.people.find({ handle });
    assert.ok(person);
    return person.guid;
  }
});

function assertHolds({ text }: PageResponse, typed: string): void {
  assert.match(text, new RegExp(`${typed}</textarea>`));
}
