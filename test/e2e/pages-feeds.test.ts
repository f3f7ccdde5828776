import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import sharp from "sharp";
import type { Author } from "../../packages/server/src/features/posts/index.ts";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import { readRecording } from "../../packages/server/test/support/recordings.ts";
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

  test("the public posts of a person are an Atom and a JSON feed", async () => {
    const ann = await newUser(kith.baseUrl, "ann");
    const guest = visitor(kith.baseUrl);
    const write = (text: string, more: Record<string, string> = {}) =>
      ann.post("/home", {
        ...{ csrf_token: ann.csrf_token, text, audience: "everyone", ...more },
      });
    await write("Tea & *cake* <b>");
    await write("Boo", { warning: "Spiders" });
    await write("Mine alone", { audience: "self" });
    const atom = await guest.get("/u/ann/feed.atom");
    assert.match(atom.headers.get("content-type") ?? "", /^application\/atom/);
    assert.doesNotMatch(atom.text, /&(?!(amp|lt|gt|quot|#39|#x27);)/);
    assert.equal(atom.text.match(/<entry>/g)?.length, 2);
    assert.match(atom.text, /<title>Tea &amp; cake/);
    assert.match(atom.text, /&lt;em&gt;cake&lt;\/em&gt;/);
    assert.match(atom.text, /<summary>Spiders<\/summary>/);
    assert.doesNotMatch(atom.text, /Mine alone/);
    const json = await guest.get("/u/ann/feed.json");
    const { version, items } = JSON.parse(json.text) as {
      version: string;
      items: { url: string; content_html: string }[];
    };
    assert.equal(version, "https://jsonfeed.org/version/1.1");
    assert.equal(items.length, 2);
    assert.match(items[1]?.content_html ?? "", /<em>cake<\/em>/);
    const etag = atom.headers.get("etag") ?? "";
    const again = { "if-none-match": etag };
    assert.equal((await guest.get("/u/ann/feed.atom", again)).status, 304);
    assert.match(
      (await guest.get("/u/ann")).text,
      /href="[^"]+\/u\/ann\/feed\.atom"/,
    );
    for (const odd of ["nobody", "%00", "a-b"])
      assert.equal((await guest.get(`/u/${odd}/feed.atom`)).status, 404, odd);
  });

  type JsonFeed = {
    readonly next_url?: string;
    readonly items: readonly { readonly title: string }[];
  };

  async function readJson(path: string): Promise<JsonFeed> {
    const { text } = await visitor(kith.baseUrl).get(path);
    return JSON.parse(text) as JsonFeed;
  }

  async function newAuthor(username: string): Promise<Author> {
    await newUser(kith.baseUrl, username);
    const handle = `${username}@${kith.host}`;
    const { id, userId } =
      (await kith.people.find({ handle })) ?? assert.fail();
    return { personId: id, userId: userId ?? assert.fail() };
  }

  test("a feed has a person's own posts, however many reshares came after them", async () => {
    const bea = await newAuthor("bea");
    const cem = await newAuthor("cem");
    for (let n = 1; n <= 21; n += 1)
      await kith.posts.publish({ author: bea, text: `Own ${n}` });
    for (let n = 1; n <= 45; n += 1) {
      const { guid } = await kith.posts.publish({ author: cem, text: `${n}` });
      await kith.posts.reshare(bea, guid);
    }
    const first = await readJson("/u/bea/feed.json");
    assert.equal(first.items.length, 20);
    assert.equal(first.items[0]?.title, "Own 21");
    const next = (first.next_url ?? assert.fail()).slice(kith.baseUrl.length);
    const last = await readJson(next);
    assert.deepEqual(
      last.items.map(({ title }) => title),
      ["Own 1"],
    );
    assert.equal(last.next_url, undefined);
    // The name of the same parameter in the feeds of Mastodon.
    const again = await readJson(next.replace("before=", "max_id="));
    assert.deepEqual(again.items, last.items);
    const both = await visitor(kith.baseUrl).get(`${next}&max_id=1`);
    assert.equal(both.status, 400);
  });

  test("a feed that ends with a full page names no next one", async () => {
    const dov = await newAuthor("dov");
    for (let n = 1; n <= 20; n += 1)
      await kith.posts.publish({ author: dov, text: `Own ${n}` });
    const { items, next_url: next } = await readJson("/u/dov/feed.json");
    assert.equal(items.length, 20);
    assert.equal(next, undefined);
  });

  test("a feed without posts is as old as its person", async () => {
    await newAuthor("els");
    const handle = `els@${kith.host}`;
    const { createdAt } = (await kith.people.find({ handle })) ?? assert.fail();
    const guest = visitor(kith.baseUrl);
    const atom = await guest.get("/u/els/feed.atom");
    assert.ok(atom.text.includes(`<updated>${createdAt}</updated>`));
    assert.equal(
      atom.headers.get("last-modified"),
      new Date(createdAt).toUTCString(),
    );
    const tag = await guest.get("/tags/neverused/feed.rss");
    assert.equal(tag.headers.get("last-modified"), null);
    assert.doesNotMatch(tag.text, /1970|lastBuildDate/);
  });

  test("a reader that knows only the time of a feed learns of a deletion", async () => {
    const fay = await newAuthor("fay");
    await kith.posts.publish({ author: fay, text: "Stays" });
    const { guid } = await kith.posts.publish({ author: fay, text: "Goes" });
    const guest = visitor(kith.baseUrl);
    const before = await guest.get("/u/fay/feed.atom");
    await kith.posts.deleteOrHide(fay, guid);
    const after = await guest.get("/u/fay/feed.atom", {
      "if-modified-since": before.headers.get("last-modified") ?? "",
    });
    assert.equal(after.status, 200);
    assert.doesNotMatch(after.text, /Goes/);
  });

  test("feeds say what is known of pictures and recordings", async () => {
    const gil = await newAuthor("gil");
    const publish = async (bytes: Uint8Array, nsfw = false) => {
      const { id } = await kith.photos.upload({ owner: gil, bytes, text: "T" });
      const post = { author: gil, text: "Look", photoIds: [id] };
      await kith.posts.publish({ ...post, nsfw, language: "de" });
    };
    const create = { width: 30, height: 20, channels: 3 } as const;
    const picture = sharp({ create: { ...create, background: "red" } }).png();
    await publish(await picture.toBuffer());
    await publish(readRecording("sound.mp3"), true);
    const guest = visitor(kith.baseUrl);
    const { text: rss } = await guest.get("/u/gil/feed.rss");
    const [sound = "", shown = ""] = rss.split("<item>").slice(1);
    const [, size = ""] =
      /<enclosure url="[^"]+" length="([1-9]\d*)" type="audio\/mpeg"/.exec(
        sound,
      ) ?? assert.fail(sound);
    assert.ok(sound.includes(`fileSize="${size}" medium="audio"`));
    assert.match(sound, />adult</);
    // The size of a picture is not stored: readers take 0 as unknown.
    assert.match(shown, /<enclosure url="[^"]+" length="0" type="image\/\w+"/);
    assert.match(shown, /type="image\/\w+" medium="image"/);
    assert.match(shown, />nonadult</);
    assert.match(rss, /<language>de<\/language>/);
    const { text: atom } = await guest.get("/u/gil/feed.atom");
    assert.ok(atom.includes(`type="audio/mpeg" length="${size}"`));
    const json = JSON.parse((await guest.get("/u/gil/feed.json")).text) as {
      language: string;
      items: { attachments: { size_in_bytes?: number }[] }[];
    };
    assert.equal(json.language, "de");
    assert.deepEqual(
      json.items.map(({ attachments }) => attachments[0]?.size_in_bytes),
      [Number(size), undefined],
    );
  });

  test("a person's picture is the icon of the feeds", async () => {
    const { personId } = await newAuthor("hal");
    const imageUrl = "/media/hal.png";
    await kith.people.changeProfile(personId, { imageUrl });
    const { text } = await visitor(kith.baseUrl).get("/u/hal/feed.atom");
    assert.match(text, /<icon>http[^<]+hal\.png<\/icon>/);
  });

  test("other sites begin a post, and publish nothing", async () => {
    const guest = visitor(kith.baseUrl);
    for (const [path, text] of [
      [
        "/share?title=A&text=B&url=https://a.example/",
        "A\n\nB\n\nhttps://a.example/",
      ],
      [
        "/bookmarklet?title=A&notes=N&url=https://a.example/",
        "A\n\nN\n\nhttps://a.example/",
      ],
      ["/bookmarklet?content=Whole", "Whole"],
    ] as const) {
      const to = (await guest.get(path)).headers.get("location") ?? "";
      assert.equal(to, `/write?text=${encodeURIComponent(text)}`);
    }
    const long = await guest.get(`/share?text=${"x".repeat(5_000)}`);
    assert.ok((long.headers.get("location") ?? "").length < 2_100);
    const manifest = await guest.get("/manifest.webmanifest");
    const { share_target, name } = JSON.parse(manifest.text) as {
      name: string;
      share_target: { action: string };
    };
    assert.equal(name, "Kith");
    assert.equal(share_target.action, "/share");
  });
});
