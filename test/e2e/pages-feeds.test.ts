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
