import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { NO_ADDRESSES } from "../../packages/server/src/features/people/index.ts";
import {
  startPagesServer,
  type PagesServer,
} from "../../packages/server/test/support/pages/pages-server.ts";
import {
  newUser,
  visitor,
} from "../../packages/server/test/support/pages/visit.ts";

let kith: PagesServer;
before(async () => {
  kith = await startPagesServer();
});
after(() => kith.close());

const JSON_WANTED = { accept: "application/json" };

test("the start page is public, with a strict policy", async () => {
  await newUser(kith.baseUrl, "earlier");
  const page = await visitor(kith.baseUrl).get("/");
  assert.equal(page.status, 200);
  assert.match(page.text, new RegExp(`name@${kith.host}`));
  assert.match(page.text, /href="\/users\/sign_up"/);
  const policy = page.headers.get("content-security-policy") ?? "";
  assert.match(policy, /^default-src 'none'; style-src 'self';/);
  assert.match(policy, /; script-src 'self'; connect-src 'self'$/);
  assert.doesNotMatch(policy, /unsafe/);
  const scripts = page.text.match(/<script[^>]*>[^<]*/g) ?? [];
  assert.equal(scripts.length, 1);
  assert.match(
    scripts[0] ?? "",
    /^<script type="module" src="\/assets\/kith\.js\?v=\w+">$/,
  );
  assert.doesNotMatch(page.text, /style=|\son\w+=/);
});

test("signed-in people see the link to the stream", async () => {
  const user = await newUser(kith.baseUrl, "returning");
  const page = await user.get("/");
  assert.equal(page.status, 200);
  assert.match(page.text, /href="\/home"/);
  assert.equal(page.headers.get("cache-control"), "private, no-store");
  assert.equal((await user.get("/users/sign_in")).status, 302);
});

test("a person elsewhere is shown with the way home", async () => {
  const rosa = await kith.remotePeople.store({
    handle: "rosa@far.example",
    keys: [],
    protocols: ["activitypub"],
    addresses: {
      ...NO_ADDRESSES,
      actorUri: "https://far.example/actor",
      inboxUri: "https://far.example/inbox",
      profileUrl: "https://far.example/u/rosa",
    },
    profile: { fullName: "Rosa", imageUrl: "javascript:alert(1)" },
  });
  const page = await visitor(kith.baseUrl).get(`/people/${rosa?.guid}`);
  assert.equal(page.status, 200);
  assert.match(page.text, /href="https:\/\/far\.example\/u\/rosa"/);
  assert.match(page.text, /content="noindex"/);
  assert.equal((await visitor(kith.baseUrl).get("/u/rosa")).status, 404);
});

test("a missing object is a page for people and an error object for programs", async () => {
  const { get, post } = visitor(kith.baseUrl);
  for (const path of ["/nothing", "/u/nobody", "/people/x", "/u/%00"]) {
    const page = await get(path);
    assert.equal(page.status, 404, path);
    assert.match(page.text, /Nothing to see here/);
    assert.match(
      page.headers.get("content-security-policy") ?? "",
      /style-src 'self'/,
    );
    const object = await get(path, JSON_WANTED);
    assert.equal(object.status, 404);
    assert.deepEqual(JSON.parse(object.text), { error: "Not found" });
  }
  assert.equal((await post("/users/sign_up", { username: "\0" })).status, 400);
});

test("style, images and robots.txt are served; the style with its version is cached", async () => {
  const { get } = visitor(kith.baseUrl);
  const { text } = await get("/");
  const [style = ""] = /\/assets\/kith\.css\?v=\w+/.exec(text) ?? [];
  const sheet = await get(style);
  assert.match(sheet.headers.get("content-type") ?? "", /^text\/css/);
  assert.match(sheet.headers.get("cache-control") ?? "", /immutable/);
  const etag = sheet.headers.get("etag") ?? "";
  const again = await get(style, { "if-none-match": etag });
  assert.equal(again.status, 304);
  const avatar = await get("/assets/avatar.png");
  assert.equal(avatar.headers.get("content-type"), "image/png");
  assert.equal((await get("/assets/favicon.svg")).status, 200);
  assert.match((await get("/robots.txt")).text, /^User-agent: \*/);
});

test("for ActivityPub requests, the same addresses answer with the object", async () => {
  const user = await newUser(kith.baseUrl, "federated");
  const { csrf_token } = user;
  await user.post("/home", { csrf_token, text: "hi", audience: "everyone" });
  const profile = await user.get("/u/federated");
  const actor = `${kith.baseUrl}/api/v1/ap/person/federated`;
  assert.match(profile.text, new RegExp(`href="${actor}"`));
  const [path = ""] = /\/posts\/[0-9a-f]{32}/.exec(profile.text) ?? [];
  const object = `${kith.baseUrl}/api/v1/ap/object/${path.slice(-32)}`;
  const page = await user.get(path);
  assert.match(page.text, new RegExp(`href="${object}"`));
  const idAt = async (at: string) => {
    const answer = await user.get(at, { accept: "application/activity+json" });
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get("vary") ?? "", /Accept/);
    return (JSON.parse(answer.text) as { id: string }).id;
  };
  assert.equal(await idAt(path), object);
  assert.equal(await idAt("/u/federated"), actor);
});

test("without ActivityPub the pages link no object", async (t) => {
  const plain = await startPagesServer({ protocols: "diaspora" });
  t.after(() => plain.close());
  await newUser(plain.baseUrl, "plain");
  const profile = await visitor(plain.baseUrl).get("/u/plain");
  assert.equal(profile.status, 200);
  assert.doesNotMatch(profile.text, /activity\+json/);
});
