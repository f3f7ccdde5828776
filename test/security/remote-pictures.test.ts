import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { resolveHost } from "../../packages/server/test/support/server/resolve-host.ts";
import { visitor } from "../../packages/server/test/support/pages/visit.ts";
import { sendFollow } from "../../packages/server/test/support/remote/linked-data.ts";
import { idOf } from "../../packages/server/test/support/remote/proving-actor.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../../packages/server/test/support/remote/remote-server.ts";
import {
  readRecording,
  RECORDINGS,
} from "../../packages/server/test/support/recordings.ts";
import { hollowPng } from "../../packages/server/test/support/scenes/pictures.ts";
import {
  PASSWORD,
  useKith,
  type TestPerson,
} from "../../packages/server/test/support/server/kith-server.ts";
import type { PostRecord } from "../../packages/server/test/support/server/wire.ts";
import { create } from "./case-town.ts";

const PNG = hollowPng(20, 10);

/** Attributes that let a browser load something without a click. */
const LOADING =
  /^(?:src|srcset|poster|data|background|style|ping|icon|manifest)$/;

/** Links that only name something. */
const NAMING = new Set(["alternate", "canonical"]);

type Element = {
  readonly tag: string;
  readonly attributes: Map<string, string>;
};

/** The elements of a page. Its attributes are in double quotes, without `>`. */
function elementsOf(page: string): Element[] {
  return [...page.matchAll(/<([a-z][a-z0-9]*)\b([^>]*)>/g)].map(
    ([, tag = "", rest = ""]) => ({
      tag,
      attributes: new Map(
        [...rest.matchAll(/([a-z-]+)="([^"]*)"/g)].map(
          ([, name = "", value = ""]) => [name, value.replaceAll("&amp;", "&")],
        ),
      ),
    }),
  );
}

describe("readers do not connect to other servers", () => {
  const kith = useKith("sqlite", { resolveHost });
  let remote: RemoteServer;
  let ann: TestPerson;
  let eve: RemoteActor;
  let annsPost: PostRecord;
  let reader: ReturnType<typeof visitor>;
  let pictures = 0;

  /** A picture on the other server. */
  function picture(): { type: "Image"; mediaType: string; url: string } {
    pictures += 1;
    const path = `/pictures/${pictures}.png`;
    remote.answers.set(path, (response) =>
      response.writeHead(200, { "content-type": "image/png" }).end(PNG),
    );
    const url = remote.origin + path;
    return { type: "Image", mediaType: "image/png", url };
  }

  /** A sound or a video on the other server. */
  function recording(name: "video.mp4" | "sound.mp3") {
    const path = `/recordings/${name}`;
    const bytes = readRecording(name);
    const mediaType = RECORDINGS[name].type;
    remote.answers.set(path, (response) =>
      response
        .writeHead(206, {
          "content-type": mediaType,
          "content-range": `bytes 0-${bytes.length - 1}/${bytes.length}`,
        })
        .end(bytes),
    );
    const url = remote.origin + path;
    return { type: "Document", mediaType, url, name };
  }

  const emoji = (name: string) => ({ type: "Emoji", name, icon: picture() });
  const shown = () => `<p>x <img src="${picture().url}" alt="y"></p>`;

  before(async () => {
    remote = await RemoteServer.start("good.localhost");
    ann = await kith().person({ handle: "ann" });
    eve = remote.actor("eve");
    eve.profile = {
      name: "Eve :e:",
      summary: `${shown()} :e:`,
      icon: picture(),
      image: picture(),
      tag: [emoji(":e:")],
      attachment: [
        { type: "PropertyValue", name: "a :e:", value: `:e: ${shown()}` },
      ],
    };
    await sendFollow(kith(), ann, eve);
    const note = eve.note({
      content: `${shown()} #tag :n:`,
      summary: "careful :n:",
      sensitive: true,
      tag: [emoji(":n:"), { type: "Hashtag", name: "#tag" }],
      attachment: [
        ...[picture(), { ...picture(), name: "described" }],
        ...[recording("video.mp4"), recording("sound.mp3")],
      ],
    });
    await eve.deliver(kith(), create(eve, note));
    const event = eve.note({
      type: "Event",
      name: "Fair",
      startTime: "2026-03-10T09:00:00Z",
      attachment: [{ ...picture(), name: "Banner" }],
    });
    await eve.deliver(kith(), create(eve, event));
    annsPost = await ann.post<PostRecord>("/posts", {
      post: `mine ![z](${picture().url}) #tag`,
    });
    const inReplyTo = `${kith().baseUrl}/api/v1/ap/object/${annsPost.Guid}`;
    const comment = eve.note({
      inReplyTo,
      content: `${shown()} :c:`,
      tag: [emoji(":c:")],
    });
    await eve.deliver(kith(), create(eve, comment));
    const post = await kith().server.features.posts.find({ uri: idOf(note) });
    await ann.post(`/posts/${post?.id ?? 0}/reshare`);
    reader = visitor(kith().baseUrl);
    const form = { username: "ann", password: PASSWORD };
    await reader.post("/users/sign_in", form);
  });
  after(() => remote.close());

  /** Every page that links lead to from here, with its path. */
  /** Pages of one path that are visited, with different queries. */
  const MAX_ALIKE = 12;
  async function walkPages(): Promise<Map<string, string>> {
    const { baseUrl } = kith();
    const pages = new Map<string, string>();
    const ahead = ["/home", "/people", `/posts/${annsPost.Guid}`];
    for (const path of ahead) {
      const { headers, text } = await reader.get(path);
      if (!headers.get("content-type")?.startsWith("text/html")) continue;
      pages.set(path, text);
      const policy = headers.get("content-security-policy") ?? "";
      assert.match(policy, /img-src 'self'(?: data:)?;/, path);
      assert.match(policy, /media-src 'self';/, path);
      assert.doesNotMatch(policy, /https?:/, path);
      for (const { tag, attributes } of elementsOf(text)) {
        const href = attributes.get("href") ?? "";
        const url = URL.parse(href, baseUrl + path);
        if (tag !== "a" || url?.origin !== baseUrl) continue;
        const next = url.pathname + url.search;
        // A calendar has no last month.
        const alike = ahead.filter(
          (it) => it.split("?", 1)[0] === url.pathname,
        );
        if (!ahead.includes(next) && alike.length < MAX_ALIKE) ahead.push(next);
      }
    }
    return pages;
  }

  test("no page names an address of another server that a browser would load", async () => {
    const { baseUrl } = kith();
    const proxied = new Set<string>();
    const pages = await walkPages();
    for (const [path, text] of pages)
      for (const { tag, attributes } of elementsOf(text)) {
        const isLink =
          tag === "link" && !NAMING.has(attributes.get("rel") ?? "");
        for (const [name, value] of attributes) {
          if (!LOADING.test(name) && !(isLink && name === "href")) continue;
          const url = new URL(value, baseUrl + path);
          assert.equal(url.origin, baseUrl, `${path}: ${tag} ${value}`);
          if (url.pathname.startsWith("/proxy/")) proxied.add(url.href);
        }
        const isPreview = attributes.get("property") === "og:image";
        const image = isPreview ? (attributes.get("content") ?? "") : baseUrl;
        assert.equal(new URL(image).origin, baseUrl, path);
      }
    for (const path of ["/home", "/u/ann", "/people", "/tags/tag"])
      assert.ok(pages.has(path), [...pages.keys()].join(" "));
    // Every picture of the scene is on some page, and is shown there. What is
    // only for other servers to read stays on none.
    const seen = new Set<string>();
    for (const address of proxied) {
      const response = await fetch(address);
      assert.equal(response.status, 200, address);
      const bytes = Buffer.from(await response.arrayBuffer());
      if (!address.includes("/proxy/stream/")) assert.deepEqual(bytes, PNG);
      const [, encoded = ""] = /\/([\w-]+)$/.exec(address) ?? [];
      seen.add(Buffer.from(encoded, "base64url").toString());
    }
    const all = Array.from(
      { length: pictures },
      (_, at) => `${remote.origin}/pictures/${at + 1}.png`,
    );
    assert.deepEqual(
      all.filter((url) => !seen.has(url)),
      [],
    );
    for (const name of ["video.mp4", "sound.mp3"])
      assert.ok(seen.has(`${remote.origin}/recordings/${name}`), name);
  });

  test("the link of a photo leads here, too", async () => {
    const page = (await reader.get("/home")).text;
    const links = [...page.matchAll(/<a\s[^>]*href="([^"]*)"[^>]*><img/g)];
    assert.ok(links.length >= 3, String(links.length));
    for (const [, href = ""] of links)
      assert.equal(new URL(href).origin, kith().baseUrl);
  });

  test("a picture is inert, for the pages of this server alone, and sent in parts", async () => {
    const { addressOf } = kith().server.features.proxyAddresses;
    const address = addressOf(picture().url);
    const whole = await fetch(address);
    const named = (name: string) => whole.headers.get(name) ?? "";
    assert.equal(named("content-type"), "image/png");
    assert.equal(named("x-content-type-options"), "nosniff");
    assert.match(
      named("content-security-policy"),
      /default-src 'none'.*sandbox/,
    );
    assert.equal(named("cross-origin-resource-policy"), "same-origin");
    assert.match(named("cache-control"), /^private, max-age=/);
    assert.equal(whole.headers.has("set-cookie"), false);
    const etag = named("etag");
    await whole.arrayBuffer();
    const same = await fetch(address, { headers: { "if-none-match": etag } });
    assert.equal(same.status, 304);
    const part = await fetch(address, { headers: { range: "bytes=1-3" } });
    assert.equal(part.status, 206);
    assert.equal(await part.text(), "PNG");
    const head = await fetch(address, { method: "HEAD" });
    assert.equal(head.headers.get("content-length"), String(PNG.length));
  });

  test("the longest URL that is fetched has an address, too", async () => {
    const { addressOf } = kith().server.features.proxyAddresses;
    const { url } = picture();
    const longest = `${url}?${"x".repeat(2_047 - url.length)}`;
    assert.equal((await fetch(addressOf(longest))).status, 200);
    const asked = remote.asked.length;
    const { status } = await fetch(addressOf(`${longest}x`));
    assert.ok([404, 414].includes(status), String(status));
    assert.equal(remote.asked.length, asked);
  });

  test("pictures of a host whose media or people are refused are not fetched", async () => {
    const { proxyAddresses, hostPolicies } = kith().server.features;
    const host = new URL(remote.origin).host;
    const kept = proxyAddresses.addressOf(picture().url);
    assert.equal((await fetch(kept)).status, 200);
    for (const policy of [{ mediaRejected: true }, { blocked: true }]) {
      await hostPolicies.set(null, host, policy);
      const asked = remote.asked.length;
      for (const address of [kept, proxyAddresses.addressOf(picture().url)]) {
        const { status, headers } = await fetch(address);
        assert.equal(status, 404);
        assert.equal(headers.get("cache-control"), "no-store");
      }
      assert.equal(remote.asked.length, asked);
      await hostPolicies.forgive(null, host);
    }
    assert.equal((await fetch(kept)).status, 200);
  });

  test("case 38: only an address that this server has signed is fetched", async () => {
    const { url } = picture();
    const asked = remote.asked.length;
    const encoded = Buffer.from(url).toString("base64url");
    const { addressOf } = kith().server.features.proxyAddresses;
    const right = addressOf(url);
    const other = addressOf(`${url}?x`);
    for (const address of [
      `${kith().baseUrl}/proxy/${"A".repeat(32)}/${encoded}`,
      `${kith().baseUrl}/proxy/${encoded}/${encoded}`,
      `${kith().baseUrl}/proxy/x/${encodeURIComponent(url)}`,
      `${kith().baseUrl}/proxy/${encoded}`,
      other.replace(/[^/]+$/, encoded),
      `${right}/${encoded}`,
    ])
      assert.equal((await fetch(address)).status, 404, address);
    assert.equal(remote.asked.length, asked);
  });

  test("the copy of a deleted picture is removed, though its address is signed", async () => {
    const attached = picture();
    const note = eve.note({ attachment: [attached] });
    await eve.deliver(kith(), create(eve, note));
    const address = kith().server.features.proxyAddresses.addressOf(
      attached.url,
    );
    const load = async () => (await fetch(address)).status;
    assert.equal(await load(), 200);
    const { pathname } = new URL(attached.url);
    const served = remote.answers.get(pathname) ?? assert.fail();
    const removeThere = () =>
      remote.answers.set(pathname, (response) => response.writeHead(404).end());
    removeThere();
    assert.equal(await load(), 200, "it is kept");
    remote.answers.set(pathname, served);
    const removal = eve.activity("Delete", { object: idOf(note) });
    await eve.deliver(kith(), removal);
    await kith().settle();
    assert.equal(await load(), 200, "it is still there");
    removeThere();
    kith().clock.advance(3_600_000);
    await kith().settle();
    assert.equal(await load(), 404);
  });
});
