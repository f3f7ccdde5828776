import assert from "node:assert/strict";
import { createServer } from "node:http";
import { before, test } from "node:test";
import { createReadLinkedPages } from "../../src/features/link-previews/index.ts";
import { eventually } from "../../../../test/support/kith-process.ts";
import { createGuardedFetch } from "../../src/lib/http-client/guarded-fetch.ts";
import { page, useWebPages } from "../support/pages/web-pages.ts";
import { remotePerson, remotePost } from "../support/remote/remote-people.ts";
import { startTalk } from "../support/conversations/talking.ts";
import { aspectOf } from "../support/scenes/audience.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import {
  PASSWORD,
  useKith,
  type TestPerson,
} from "../support/server/kith-server.ts";
import { HOUR_MS } from "../support/server/test-clock.ts";
import type { PostRecord } from "../support/server/wire.ts";
import { findFreePort } from "../../../../scripts/testing/free-port.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * HOUR_MS;

const described = (title: string, more = "") =>
  page(`<head><meta property="og:title" content="${title}">${more}</head>`);

forEachDatabase((kind) => {
  const site = useWebPages();
  const kith = useKith(kind, { env: { KITH_LINK_PREVIEWS: "true" } });
  before(() => kith().server.prepare());
  let paths = 0;
  /** An address that no other test links. */
  const address = () => {
    paths += 1;
    return site.at(`/page/${paths}`);
  };

  const publish = (who: TestPerson, text: string, more: object = {}) =>
    who.post<PostRecord>("/posts", { post: text, ...more });
  /** Lets the minute pass over which visits are spread. */
  const settle = async (ms = MINUTE_MS) => {
    kith().clock.advance(ms);
    await kith().settle();
  };
  const previewOf = async (who: TestPerson, { ID }: { ID: number }) =>
    (await who.get<PostRecord>(`/posts/${ID}`)).LinkPreview;
  /** Lets the recurring jobs run. */
  const sweep = async () => {
    await kith().server.prepare();
    await settle(7 * HOUR_MS);
  };
  const stored = (url: string) =>
    kith()
      .db.read.selectFrom("link_previews")
      .selectAll()
      .where("url", "=", url)
      .executeTakeFirst();

  test("the first link of a public post is shown with what its page says of itself", async () => {
    const ann = await kith().person();
    const url = address();
    site.respond = page(`<!doctype html><head>
      <title>no</title><meta property="og:title" content="A &lt;b&gt;title&lt;/b&gt;">
      <meta property="og:description" content="About\n  it"><meta name=author content=Bob>
      <meta property="og:site_name" content="The Site"><meta property="og:image" content="/a.png">`);
    const post = await publish(
      ann,
      `[#tag](${site.at("/tag")}) [@bob](${site.at("/bob")}) #x ${url}#part and ${address()}`,
    );
    assert.equal(post.LinkPreview, undefined);
    await kith().settle();
    await settle();
    const { ImageUrl, ...preview } = (await previewOf(ann, post)) ?? {};
    assert.deepEqual(preview, {
      Url: url,
      Title: "A <b>title</b>",
      Description: "About it",
      SiteName: "The Site",
      AuthorName: "Bob",
    });
    assert.ok(ImageUrl?.startsWith(`${kith().baseUrl}/proxy/`), ImageUrl ?? "");
    assert.deepEqual(site.visits, [new URL(url).pathname]);
    const { host, connection, ...sent } = site.headers[0] ?? {};
    assert.deepEqual(Object.keys(sent).sort(), [
      ...["accept", "accept-encoding", "user-agent"],
    ]);
    const reshare = await ann.post<PostRecord>(`/posts/${post.ID}/reshare`);
    assert.deepEqual(reshare.Root?.LinkPreview, await previewOf(ann, post));
  });

  test("the visit is made within a minute, not at once", async () => {
    const ann = await kith().person();
    const now = () => kith().clock.now().getTime();
    const began = now();
    for (let at = 0; at < 10; at += 1) await publish(ann, address());
    const tookMs = now() - began;
    const due = await kith()
      .db.read.selectFrom("post_links")
      .select("due_at")
      .where("due_at", "is not", null)
      .execute();
    const waits = due.map(({ due_at: at }) => Date.parse(at ?? "") - began);
    assert.equal(waits.length, 10);
    assert.ok(waits.every((ms) => ms >= 0 && ms < MINUTE_MS + tookMs));
    assert.ok(new Set(waits).size > 5);
    await settle();
  });

  test("a thousand posts with one link visit its page once", async () => {
    const url = address();
    site.respond = described("once");
    const { posts } = kith().server.features;
    const person = await remotePerson(kith(), `many@${kind}.example`);
    for (let batch = 0; batch < 20; batch += 1) {
      const received = Array.from({ length: 50 }, () =>
        posts.receive(remotePost(person, { text: `look: <${url}>` })),
      );
      for (const { kind: outcome } of await Promise.all(received))
        assert.equal(outcome, "stored");
    }
    await settle();
    await settle();
    assert.equal(site.visits.length, 1);
    const links = await kith()
      .db.read.selectFrom("post_links")
      .selectAll()
      .where("url", "=", url)
      .execute();
    assert.equal(links.length, 1_000);
    const ann = await kith().person();
    const post = await publish(ann, url);
    assert.equal(post.LinkPreview?.Title, "once");
    await settle();
    assert.equal(site.visits.length, 1);
  });

  test("a limited post visits nothing and shows nothing, even if a public one has its link", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const url = address();
    site.respond = described("public");
    const aspectID = await aspectOf(ann, bob);
    const limited = await publish(ann, url, { aspectID });
    await startTalk(ann, [bob.record.ID], { text: url });
    await settle();
    assert.deepEqual(site.visits, []);
    assert.equal(await stored(url), undefined);
    const open = await publish(bob, url);
    await settle();
    assert.equal((await previewOf(bob, open))?.Title, "public");
    assert.equal(await previewOf(bob, limited), undefined);
    assert.equal(site.visits.length, 1);
  });

  test("nothing is visited for an author who switched it off", async () => {
    const ann = await kith().person();
    await ann.put("/settings", { LinkPreviews: false });
    const url = address();
    site.respond = described("off");
    const post = await publish(ann, url);
    await settle();
    assert.deepEqual(site.visits, []);
    await ann.put("/settings", { LinkPreviews: true });
    await ann.put(`/posts/${post.ID}`, { post: `${url} again` });
    await settle();
    assert.equal((await previewOf(ann, post))?.Title, "off");
    await ann.put("/settings", { LinkPreviews: false });
    await ann.put(`/posts/${post.ID}`, { post: `${url} and again` });
    assert.equal(await previewOf(ann, post), undefined);
  });

  test("an edit changes the link; previews that no post uses are deleted", async () => {
    const ann = await kith().person();
    const [first, second] = [address(), address()];
    site.respond = (response, path) => described(path)(response, path);
    const post = await publish(ann, first);
    await settle();
    await ann.put(`/posts/${post.ID}`, { post: `now ${second}` });
    assert.equal(await previewOf(ann, post), undefined);
    await settle();
    assert.equal((await previewOf(ann, post))?.Url, second);
    await sweep();
    assert.equal(await stored(first), undefined);
    assert.ok(await stored(second));
    await ann.delete(`/posts/${post.ID}`);
    await sweep();
    assert.equal(await stored(second), undefined);
  });

  test("a post that is deleted in time visits nothing", async () => {
    const ann = await kith().person();
    const post = await publish(ann, address());
    await ann.delete(`/posts/${post.ID}`);
    await settle();
    assert.deepEqual(site.visits, []);
  });

  test("previews of a deleted account go with its posts", async () => {
    const ann = await kith().person();
    const url = address();
    site.respond = described("mine");
    await publish(ann, url);
    await settle();
    assert.ok(await stored(url));
    await ann.call("DELETE", "/users", { form: { password: PASSWORD } });
    await kith().settle();
    await sweep();
    assert.equal(await stored(url), undefined);
  });

  test("a failure is remembered for a day, a success for a month", async () => {
    const ann = await kith().person();
    const url = address();
    const post = await publish(ann, url);
    await settle();
    await publish(ann, url);
    await settle();
    assert.equal(site.visits.length, 1);
    assert.equal(await previewOf(ann, post), undefined);
    site.respond = described("at last");
    await settle(DAY_MS);
    await publish(ann, url);
    await settle();
    assert.equal((await previewOf(ann, post))?.Title, "at last");
    await settle(29 * DAY_MS);
    await publish(ann, url);
    await settle();
    assert.equal(site.visits.length, 2);
    site.respond = (response) => void response.writeHead(503).end();
    await settle(2 * DAY_MS);
    await publish(ann, url);
    await settle();
    assert.equal(site.visits.length, 3);
    // What was known stays until the page is gone.
    assert.equal((await previewOf(ann, post))?.Title, "at last");
    site.respond = (response) => void response.writeHead(410).end();
    await settle(2 * DAY_MS);
    await publish(ann, url);
    await settle();
    assert.equal(await previewOf(ann, post), undefined);
  });

  test("the job may run twice, and at the same time", async () => {
    const ann = await kith().person();
    const url = address();
    site.respond = described("twice");
    const post = await publish(ann, url);
    const { db, clock } = kith();
    const fetch = createGuardedFetch({
      allowPrivateNetwork: true,
      userAgent: "Kith/test",
    });
    const announced: number[] = [];
    const changes = {
      notePost: (_: unknown, id: number) => announced.push(id),
    };
    const deps = { db, clock, fetch, areEnabled: true, changes };
    const context = { signal: new AbortController().signal } as never;
    const run = async () => {
      const run = createReadLinkedPages(deps);
      assert.equal((await run({}, context)).kind, "again");
    };
    clock.advance(MINUTE_MS);
    await Promise.all([run(), run()]);
    assert.equal((await previewOf(ann, post))?.Title, "twice");
    assert.deepEqual(
      [...new Set(announced)],
      [post.ID],
      "open streams hear of it",
    );
    const visits = site.visits.length;
    await run();
    await settle();
    assert.equal(site.visits.length, visits);
    await settle(31 * DAY_MS);
    await publish(ann, url);
    clock.advance(MINUTE_MS);
    await createReadLinkedPages({ ...deps, areEnabled: false })({}, context);
    assert.equal(site.visits.length, visits);
    await run();
    assert.equal(site.visits.length, visits + 1);
    await fetch.close();
  });

  test("a host that is down is asked for a few of its pages a minute, and again when it is back", async () => {
    const ann = await kith().person();
    const { db, clock } = kith();
    const port = await findFreePort();
    const fetch = createGuardedFetch({
      allowPrivateNetwork: true,
      userAgent: "Kith/test",
    });
    const asked: string[] = [];
    const request: typeof fetch.request = (wanted) => {
      asked.push(wanted.url);
      return fetch.request(wanted);
    };
    const changes = { notePost: () => {} };
    const run = createReadLinkedPages({
      ...{ db, clock, changes, fetch: { request }, areEnabled: true },
    });
    const read = async () => {
      clock.advance(MINUTE_MS);
      await run({}, { signal: new AbortController().signal } as never);
    };
    const down = Array.from(
      { length: 20 },
      (_, at) => `http://localhost:${port}/${at}`,
    );
    const post = await publish(ann, `${address()} is up`);
    for (const url of down) await publish(ann, url);
    site.respond = described("up");
    await read();
    assert.equal((await previewOf(ann, post))?.Title, "up");
    const inVain = asked.filter((url) => down.includes(url));
    // Two are asked for at once, so that one may be under way when the third has failed.
    assert.ok(inVain.length === 3 || inVain.length === 4, String(inVain));
    for (const url of down) assert.ok(await stored(url));
    const back = createServer((_request, response) => {
      described("back")(response, "");
    }).listen(port);
    const late = await publish(ann, `http://localhost:${port}/late`);
    await read();
    assert.equal((await previewOf(ann, late))?.Title, "back");
    back.close();
    await fetch.close();
  });

  test("two pages of a slow host are read at once, and those of others meanwhile", async () => {
    const ann = await kith().person();
    const release = Promise.withResolvers<void>();
    site.respond = (response, path) => {
      if (path.startsWith("/other")) return described("other")(response, path);
      void release.promise.then(() => described(path)(response, path));
    };
    const slow = [];
    for (let at = 0; at < 30; at += 1) slow.push(await publish(ann, address()));
    const other = site.at("/other").replace("localhost", "127.0.0.1");
    const post = await publish(ann, other);
    const settled = settle();
    await eventually(async () => assert.ok(await previewOf(ann, post)));
    assert.equal(site.visits.length, 3);
    release.resolve();
    await settled;
    for (const one of slow) assert.ok(await previewOf(ann, one));
    assert.equal(site.visits.length, 31);
  });

  test("a linked post of this server is shown to those who may see it, and never fetched", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const linked = await publish(ann, "**bold** words\n\nand more");
    const aspectID = await aspectOf(ann, await kith().person());
    const hidden = await publish(ann, "secret words", { aspectID });
    const at = ({ Guid }: PostRecord) => `${kith().baseUrl}/posts/${Guid}`;
    const open = await publish(bob, at(linked));
    const closed = await publish(bob, at(hidden));
    await settle();
    const preview = {
      Url: at(linked),
      Title: ann.handle,
      Description: "bold words and more",
      SiteName: kith().host,
      AuthorName: null,
      ImageUrl: null,
    };
    assert.deepEqual(await previewOf(bob, open), preview);
    assert.equal(await previewOf(bob, closed), undefined);
    assert.equal((await previewOf(ann, closed))?.Description, "secret words");
    await ann.put(`/posts/${linked.ID}`, { post: "hm", content_warning: "cw" });
    assert.equal((await previewOf(bob, open))?.Description, "cw");
    await ann.delete(`/posts/${linked.ID}`);
    assert.equal(await previewOf(bob, open), undefined);
    assert.deepEqual(
      await kith()
        .db.read.selectFrom("link_previews")
        .select("url")
        .where("url", "like", `${kith().baseUrl}/%`)
        .execute(),
      [],
    );
  });

  test("the card on the page loads its picture from this server, and its words are text", async () => {
    const ann = await kith().person();
    const url = address();
    site.respond = described(
      "<script>alert(1)</script>",
      `<meta property="og:image" content="http://pics.example/1.png">`,
    );
    const post = await publish(ann, url);
    await settle();
    const html = await (
      await fetch(`${kith().baseUrl}/posts/${post.Guid}`)
    ).text();
    assert.match(html, /<aside\s+class="preview"/);
    assert.match(html, /&lt;script&gt;alert\(1\)&lt;\/script&gt;/);
    assert.ok(!html.includes("<script>alert"));
    assert.ok(!html.includes('"http://pics.example'));
    assert.match(html, /<img src="[^"]*\/proxy\/[^"]+" alt=""/);
  });
});
