import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { AspectId } from "../../packages/server/src/features/ids.ts";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import {
  startPagesServer,
  type PagesServer,
} from "../../packages/server/test/support/pages/pages-server.ts";
import {
  newUser,
  visitor,
  type PageResponse,
} from "../../packages/server/test/support/pages/visit.ts";

let kith: PagesServer;

forEachDatabase((database) => {
  before(async () => {
    kith = await startPagesServer({ database });
  });
  after(() => kith.close());

  test("a post is published, rendered, and public", async () => {
    const user = await newUser(kith.baseUrl, "writer");
    const text = "**hello** <script>alert(1)</script> #tag";
    const form = { csrf_token: user.csrf_token, text, audience: "everyone" };
    const done = await user.post("/home", form);
    assert.equal(done.status, 302);
    assert.equal(done.headers.get("location"), "/home");
    const shown = (page: PageResponse) => {
      assert.equal(page.status, 200);
      assert.match(page.text, /<strong>hello<\/strong> &lt;script&gt;/);
      assert.doesNotMatch(page.text, /<script>|alert\(1\)<\/script/);
    };
    shown(await user.get("/home"));
    const anonymous = visitor(kith.baseUrl);
    const profile = await anonymous.get("/u/Writer");
    shown(profile);
    const [path = ""] = /\/posts\/[0-9a-f]{32}/.exec(profile.text) ?? [];
    const page = await anonymous.get(path);
    shown(page);
    assert.match(page.text, /property="og:description"\s+content="hello &lt;s/);
    assert.match(page.headers.get("vary") ?? "", /Accept/);
  });

  test("without the session's token nothing is published", async () => {
    const user = await newUser(kith.baseUrl, "forged");
    const other = await newUser(kith.baseUrl, "forger");
    const form = { text: "not mine", audience: "everyone" };
    for (const fields of [form, { ...form, csrf_token: other.csrf_token }]) {
      const answer = await user.post("/home", fields);
      assert.equal(answer.status, 403);
      assert.match(answer.headers.get("content-type") ?? "", /^text\/html/);
      assert.match(answer.text, />\nnot mine<\/textarea>/, "it is kept");
    }
    assert.doesNotMatch((await user.get("/u/forged")).text, /not mine/);
    const stranger = await visitor(kith.baseUrl).post("/home", form);
    assert.equal(stranger.status, 401);
  });

  test("a refused post keeps the text", async () => {
    const user = await newUser(kith.baseUrl, "retyping");
    const { csrf_token } = user;
    const publish = (text: string, audience: string) =>
      user.post("/home", { csrf_token, text, audience });
    const blank = await publish(" \n ", "everyone");
    assert.equal(blank.status, 422);
    assert.match(blank.text, /Write something first/);
    const astray = await publish("\n</textarea><b>", "987654321");
    assert.equal(astray.status, 422);
    assert.match(astray.text, /\n\n&lt;\/textarea&gt;&lt;b&gt;<\/textarea/);
    assert.equal((await publish("for whom?", "")).status, 422);
    assert.equal((await publish("x".repeat(65_536), "everyone")).status, 422);
    assert.equal((await publish("🦊".repeat(65_535), "everyone")).status, 302);
    assert.equal((await publish("x".repeat(900_000), "everyone")).status, 413);
  });

  test("a limited post is seen by its members; for others it does not exist", async () => {
    const [author, friend, stranger] = await Promise.all([
      newUser(kith.baseUrl, "secretive"),
      newUser(kith.baseUrl, "friend"),
      newUser(kith.baseUrl, "stranger"),
    ]);
    const aspectId = await addToAspect("secretive", "friend");
    const { csrf_token } = author;
    const text = "between us";
    await author.post("/home", {
      csrf_token,
      text,
      ...{ audience: "aspects", aspect: String(aspectId) },
    });
    const stream = await friend.get("/home?show=all");
    assert.match(stream.text, /between us/);
    assert.match(stream.text, /Limited/);
    const [path = ""] = /\/posts\/[0-9a-f]{32}/.exec(stream.text) ?? [];
    const seen = await friend.get(path);
    assert.equal(seen.status, 200);
    assert.doesNotMatch(seen.text, /og:|canonical|alternate/);
    const anonymous = visitor(kith.baseUrl);
    for (const { get } of [anonymous, stranger]) {
      const hidden = await get(path);
      const unknown = await get(`/posts/${"0".repeat(32)}`);
      assert.equal(hidden.status, 404);
      assert.equal(hidden.text, unknown.text);
      assert.deepEqual(headersOf(hidden), headersOf(unknown));
      assert.doesNotMatch((await get("/u/secretive")).text, /between us/);
    }
    assert.match((await friend.get("/u/secretive")).text, /between us/);
  });

  test("a post is shown with its comments and counts", async () => {
    const user = await newUser(kith.baseUrl, "discussed");
    const session = await sessionUser("discussed");
    const post = await kith.posts.publish({ author: session, text: "a topic" });
    await kith.comments.create({
      author: session,
      on: { id: post.id },
      text: `a *reply* to @{discussed@${kith.host}}`,
    });
    await kith.likes.like(session, { post: { id: post.id } }, true);
    const page = await visitor(kith.baseUrl).get(`/posts/${post.guid}`);
    assert.match(page.text, /a <em>reply<\/em>/);
    assert.match(
      page.text,
      new RegExp(`href="${kith.baseUrl}/people/[0-9a-f]+"`),
    );
    assert.match(page.text, />1 comment</);
    assert.match(page.text, />1 like</);
    assert.equal((await user.get(`/posts/${post.guid}?after=-1`)).status, 400);
  });

  test("a long stream continues on further pages", async () => {
    const user = await newUser(kith.baseUrl, "talkative");
    const author = await sessionUser("talkative");
    for (let n = 1; n <= 21; n += 1)
      await kith.posts.publish({ author, text: `number-${n}.` });
    const first = await user.get("/u/talkative");
    assert.match(first.text, /number-21\./);
    assert.doesNotMatch(first.text, /number-1\./);
    assert.match(first.text, /href="\/u\/talkative\?before=\d+"/);
    const next = /href="([^"]+)"\s+rel="next"/.exec(first.text)?.[1] ?? "";
    const second = await user.get(next);
    assert.match(second.text, /number-1\./);
    assert.doesNotMatch(second.text, /rel="next"/);
  });
});

async function sessionUser(username: string) {
  const account = await kith.accounts.find(username);
  assert.ok(account);
  const person = await kith.people.find({ userId: account.id });
  assert.ok(person);
  return { userId: account.id, personId: person.id };
}

async function addToAspect(owner: string, member: string): Promise<AspectId> {
  const by = await sessionUser(owner);
  const { personId } = await sessionUser(member);
  const { id } = await kith.aspects.create(by.userId, "friends");
  await kith.aspects.addPerson(by, id, personId);
  return id;
}

/** What could differ between two answers, beside the time. */
function headersOf({ headers }: PageResponse) {
  return [...headers].filter(([name]) => name !== "date");
}
