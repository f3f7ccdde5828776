import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import sharp from "sharp";
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

  const get = (path: string) => visitor(kith.baseUrl).get(path);

  async function write(
    by: Awaited<ReturnType<typeof newUser>>,
    fields: Record<string, string>,
  ): Promise<string> {
    const { csrf_token } = by;
    const audience = "everyone";
    await by.post("/home", { csrf_token, audience, ...fields });
    const { text } = await by.get(`/u/${by.username}`);
    return /\/posts\/[0-9a-f]{32}/.exec(text)?.[0] ?? assert.fail();
  }

  const oembed = (path: string, more = "") =>
    get(`/oembed?url=${encodeURIComponent(kith.baseUrl + path)}${more}`);

  test("a public post is described for other sites, as JSON and XML", async () => {
    const ann = await newUser(kith.baseUrl, "ann");
    const post = await write(ann, { text: "Tea & <cake>" });
    const page = await get(post);
    assert.ok(page.text.includes(`href="${kith.baseUrl}/oembed?url=`));
    assert.match(page.text, /type="application\/json\+oembed"/);
    assert.match(page.text, /type="text\/xml\+oembed"/);
    const json = await oembed(post, "&maxwidth=300");
    const answer = JSON.parse(json.text) as Record<string, unknown>;
    assert.equal(answer["type"], "rich");
    assert.equal(answer["version"], "1.0");
    assert.equal(answer["width"], 300);
    assert.equal(answer["author_url"], `${kith.baseUrl}/u/ann`);
    assert.match(String(answer["html"]), /^<iframe\s+src="[^"]+\/embed\//);
    const xml = await oembed(post, "&format=xml");
    assert.match(xml.headers.get("content-type") ?? "", /^text\/xml/);
    assert.match(xml.text, /<version>1\.0<\/version>/);
    assert.match(xml.text, /<html>&lt;iframe/);
    assert.equal((await oembed(post, "&format=yaml")).status, 501);
  });

  test("a described frame is no larger than asked for", async () => {
    const ada = await newUser(kith.baseUrl, "ada");
    const post = await write(ada, { text: "Small" });
    const sizeOf = async (more: string) => {
      const { text } = await oembed(post, more);
      const { width, height } = JSON.parse(text) as Record<string, unknown>;
      return [width, height];
    };
    const small = "&maxwidth=100&maxheight=90";
    assert.deepEqual(await sizeOf(small), [100, 90]);
    assert.deepEqual(await sizeOf("&maxheight=9000"), [550, 400]);
    assert.deepEqual(await sizeOf("&maxwidth=9000"), [800, 400]);
  });

  test("the errors of oEmbed are JSON, also for a browser", async () => {
    for (const path of ["/oembed", "/api/oembed"]) {
      const refused = await get(`${path}?url=x&maxwidth=abc`);
      assert.equal(refused.status, 400, path);
      assert.match(
        refused.headers.get("content-type") ?? "",
        /^application\/json/,
      );
      assert.ok("error" in (JSON.parse(refused.text) as object));
      assert.equal(refused.headers.get("access-control-allow-origin"), "*");
    }
  });

  test("its frame may be held by any site, and has no forms, scripts and cookies", async () => {
    const bob = await newUser(kith.baseUrl, "bob");
    const post = await write(bob, { text: "In a frame" });
    const frame = await bob.get(post.replace("posts", "embed"));
    assert.match(frame.text, /In a frame/);
    const policy = frame.headers.get("content-security-policy") ?? "";
    assert.match(policy, /frame-ancestors \*$/);
    assert.match(policy, /^default-src 'none'/);
    assert.doesNotMatch(policy, /script-src/);
    assert.doesNotMatch(frame.text, /<form|<script|csrf/);
    assert.equal(frame.headers.get("set-cookie"), null);
  });

  test("other posts are answered like those that do not exist", async () => {
    const cleo = await newUser(kith.baseUrl, "cleo");
    const post = await write(cleo, { text: "Mine", audience: "self" });
    const nowhere = `/posts/${"0".repeat(32)}`;
    const [hidden, missing] = [await oembed(post), await oembed(nowhere)];
    assert.equal(hidden.status, 404);
    assert.equal(hidden.text, missing.text);
    assert.equal(hidden.text, '{"error":"Record not found"}');
    const frame = post.replace("posts", "embed");
    assert.equal(
      (await cleo.get(frame)).status,
      404,
      "not to its author, either",
    );
    assert.doesNotMatch((await cleo.get(post)).text, /oembed/);
    for (const url of ["", "x", "https://other.example/posts/1", "/about"])
      assert.equal(
        (await get(`/oembed?url=${encodeURIComponent(url)}`)).status,
        404,
        url,
      );
  });

  test("previews name the author, the time and the picture, unless a warning hides it", async () => {
    const dan = await newUser(kith.baseUrl, "dan");
    const create = { width: 30, height: 20, channels: 3 } as const;
    const background = { r: 200, g: 30, b: 60 };
    const bytes = await sharp({ create: { ...create, background } })
      .png()
      .toBuffer();
    const publish = async (fields: Record<string, string>) => {
      const form = new FormData();
      const all = { csrf_token: dan.csrf_token, audience: "everyone" };
      for (const [name, value] of Object.entries({ ...all, ...fields }))
        form.append(name, value);
      form.append("photo", new Blob([Uint8Array.from(bytes)]), "a.png");
      const headers = { cookie: dan.cookies(), accept: "text/html" };
      await fetch(`${kith.baseUrl}/home`, {
        method: "POST",
        body: form,
        headers,
      });
      const { text } = await dan.get("/u/dan");
      const path = /\/posts\/[0-9a-f]{32}/.exec(text)?.[0] ?? assert.fail();
      return (await get(path)).text;
    };
    const shown = await publish({ text: "A picture", photo_text: "A red one" });
    assert.match(shown, /og:image" content="[^"]+\/media\//);
    assert.match(shown, /og:image:alt" content="A red one"/);
    assert.match(shown, /twitter:card"\s+content="summary_large_image"/);
    assert.match(shown, /article:published_time" content="2/);
    assert.match(shown, /fediverse:creator" content="@dan@/);
    const warned = await publish({ text: "Boo", warning: "Spiders" });
    assert.doesNotMatch(warned, /og:image" content="[^"]+\/media\//);
    assert.match(warned, /og:description" content="Spiders"/);
    const profile = (await get("/u/dan")).text;
    assert.match(profile, /profile:username" content="dan"/);
  });

  test("feeds of people and tags come as Atom, RSS and JSON, with pages", async () => {
    const eve = await newUser(kith.baseUrl, "eve");
    await write(eve, { text: "First #plum" });
    await write(eve, { text: "Secret #plum", audience: "self" });
    for (let n = 2; n <= 21; n += 1)
      await write(eve, { text: `Number ${n} #plum` });
    for (const at of ["/u/eve", "/tags/plum"]) {
      const rss = await get(`${at}/feed.rss`);
      assert.match(rss.headers.get("content-type") ?? "", /^application\/rss/);
      assert.ok(rss.headers.get("last-modified"));
      assert.equal(rss.text.match(/<item>/g)?.length, 20, at);
      assert.match(rss.text, /<category>plum<\/category>/);
      assert.doesNotMatch(rss.text, /Secret|First/);
      const atom = await get(`${at}/feed.atom`);
      assert.match(atom.text, /<category term="plum"\/>/);
      const json = await get(`${at}/feed.json`);
      const { next_url: next = "" } = JSON.parse(json.text) as {
        next_url?: string;
      };
      assert.ok(next.startsWith(kith.baseUrl));
      const rest = await get(next.slice(kith.baseUrl.length));
      const { items } = JSON.parse(rest.text) as { items: { title: string }[] };
      assert.deepEqual(
        items.map(({ title }) => title),
        ["First #plum"],
      );
      const page = await get(at);
      assert.match(page.text, /type="application\/rss\+xml"/);
    }
    const old = await get("/public/eve.atom");
    assert.match(old.text, /Number 21/);
    assert.equal((await get("/tags/%00/feed.rss")).status, 404);
  });

  test("the sitemap names people and posts who may be found, and nothing else", async () => {
    const flo = await newUser(kith.baseUrl, "flo");
    const gus = await newUser(kith.baseUrl, "gus");
    const found = await write(flo, { text: "Findable" });
    const unlisted = await write(flo, { text: "Quiet", audience: "unlisted" });
    const own = await write(flo, { text: "Mine", audience: "self" });
    const hidden = await write(gus, { text: "Hidden" });
    const set = async (
      name: string,
      searchable: boolean,
      indexable: boolean,
    ) => {
      const person = await kith.people.find({ handle: `${name}@${kith.host}` });
      const { id } = person ?? assert.fail();
      await kith.people.changeProfile(id, { searchable, indexable });
    };
    await set("flo", true, true);
    await set("gus", false, true);
    const index = await get("/sitemap.xml");
    assert.match(index.text, /<sitemapindex /);
    assert.match(index.text, /\/sitemap\/people\.xml</);
    const [, month = ""] =
      /(\/sitemap\/posts\/\d{4}-\d{2}\.xml)</.exec(index.text) ?? [];
    const people = await get("/sitemap/people.xml");
    assert.match(people.text, /\/u\/flo</);
    assert.doesNotMatch(people.text, /\/u\/gus</);
    const posts = await get(month);
    assert.ok(posts.text.includes(`${found}<`));
    for (const path of [unlisted, own, hidden])
      assert.ok(!posts.text.includes(path), path);
    assert.match(posts.text, /<lastmod>\d{4}-\d{2}-\d{2}T/);
    for (const odd of ["1999-01", "2027-13", "x", "2999-01"])
      assert.equal((await get(`/sitemap/posts/${odd}.xml`)).status, 404, odd);
    const robots = await get("/robots.txt");
    assert.match(
      robots.text,
      new RegExp(`Sitemap: ${kith.baseUrl}/sitemap.xml`),
    );
    assert.match(robots.text, /Disallow: \/parts\//);
  });

  test("the manifest has icons that are there", async () => {
    const { icons } = JSON.parse((await get("/manifest.webmanifest")).text) as {
      icons: { src: string; sizes: string; type: string; purpose?: string }[];
    };
    assert.ok(icons.some(({ purpose }) => purpose === "maskable"));
    for (const { src, sizes, type } of icons) {
      const answer = await fetch(kith.baseUrl + src);
      assert.equal(answer.headers.get("content-type"), type);
      if (sizes === "any") continue;
      const { width, height } = await sharp(
        Buffer.from(await answer.arrayBuffer()),
      ).metadata();
      assert.equal(`${width}x${height}`, sizes);
    }
    assert.match((await get("/")).text, /rel="apple-touch-icon"/);
  });
});
