import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { newGuid } from "../../packages/server/src/lib/guids.ts";
import { forDatabasesInTime } from "../../packages/server/test/support/scenes/long-run.ts";
import { postTo } from "../../packages/server/test/support/remote/diaspora-pod.ts";
import {
  podPost,
  podReshare,
} from "../../packages/server/test/support/remote/pod-entities.ts";
import { besiege } from "../support/hostile.ts";
import { useTrap } from "./watch-attempts.ts";

/** Spellings of this machine, and of addresses in its network. */
const SPELLINGS = {
  loopback: "127.0.0.1",
  "a name": "localhost",
  "IPv6 loopback": "[::1]",
  "IPv4-mapped IPv6": "[::ffff:127.0.0.1]",
  "IPv4-mapped, in hexadecimal": "[::ffff:7f00:1]",
  decimal: "2130706433",
  octal: "0177.0.0.1",
  hexadecimal: "0x7f.0.0.1",
  short: "127.1",
  unspecified: "0.0.0.0",
  "IPv6 unspecified": "[::]",
  private: "10.0.0.1",
  "link-local": "169.254.169.254",
  "a name that leads home": "home.example",
  "a name with a good and a bad address": "both.example",
};

async function resolveHost(host: string) {
  const at = (address: string) => ({ address, family: 4 as const });
  if (host === "both.example") return [at("9.9.9.9"), at("127.0.0.1")];
  return [at("127.0.0.1")];
}

forDatabasesInTime((kind) => {
  describe("a server on the internet", () => {
    const env = { KITH_ALLOW_PRIVATE_NETWORK: "false" };
    const { kith, newPerson, ann, unharmed } = besiege(kind, {
      env,
      resolveHost,
    });
    const trap = useTrap();

    for (const [name, host] of Object.entries(SPELLINGS))
      test(`WebFinger host, by ${name}`, async () => {
        const eve = newPerson();
        const sender = `eve@${host}:${trap.port()}`;
        await unharmed(async () => {
          const post = podPost(eve, { author: sender });
          // An invalid handle is refused before it can be a host.
          const body = (await eve.seal(podPost(eve))).replace(
            /key_id="[^"]*"/,
            `key_id="${Buffer.from(sender).toString("base64url")}"`,
          );
          assert.equal(post.author, sender);
          assert.equal(await postTo(kith(), "/receive/public", body), 202);
          await kith().settle();
          await ann().call(
            "POST",
            `/search?handle=${encodeURIComponent(sender)}`,
          );
        });
        assert.equal(trap.attempts(), 0);
      });
  });

  // Loopback is allowed here, so that other servers can be simulated; "any address"
  // is not, although it leads to the same machine.
  describe("every URL from a remote server", () => {
    const siege = besiege(kind);
    const { kith, ann, pod, knownPerson, newPerson } = siege;
    const trap = useTrap();
    const traps = () =>
      ["0.0.0.0", "[::]", "0", "00000000000", "0x0", "[::ffff:0.0.0.0]"].map(
        (host) => `http://${host}:${trap.port()}`,
      );
    const isHere = async (guid: string) =>
      (await kith().server.features.posts.find({ guid })) !== undefined;
    const isKnown = async (handle: string) =>
      (await kith().server.features.people.find({ handle })) !== undefined;
    beforeEach(() => pod().serves.clear());

    test("the trap can be reached, which the other tests rely on", async () => {
      await fetch(`http://0.0.0.0:${trap.port()}/`).catch(() => undefined);
      assert.ok(trap.attempts() > 0);
    });

    test("redirects of WebFinger", async () => {
      for (const url of traps()) {
        const eve = newPerson();
        pod().redirect("/.well-known/webfinger", `${url}/w`);
        await eve.deliver(kith(), podPost(eve));
        assert.equal(await isKnown(eve.handle), false);
      }
      assert.equal(pod().countOf("/.well-known/webfinger") > 0, true);
      assert.equal(trap.attempts(), 0);
    });

    test("the hCard URL, and its redirects", async () => {
      for (const url of traps()) {
        const eve = newPerson();
        const real = `${pod().origin}/hcard/users/${eve.guid}`;
        const type = "application/jrd+json";
        const lying = eve.webfinger().replaceAll(real, `${url}/card`);
        assert.notEqual(lying, eve.webfinger());
        pod().put("/.well-known/webfinger", lying, type);
        await eve.deliver(kith(), podPost(eve));
        assert.equal(await isKnown(eve.handle), false);

        pod().serves.clear();
        const dan = newPerson();
        pod().redirect(`/hcard/users/${dan.guid}`, `${url}/card`);
        await dan.deliver(kith(), podPost(dan));
        assert.equal(await isKnown(dan.handle), false);
      }
      assert.equal(trap.attempts(), 0);
    });

    test("the seed location: fetches, the stream and deliveries open no connection", async () => {
      for (const url of traps()) {
        const eve = newPerson();
        const seed = `"href":"${pod().origin}/"`;
        const lying = eve.webfinger().replace(seed, `"href":"${url}/"`);
        assert.notEqual(lying, eve.webfinger());
        pod().put("/.well-known/webfinger", lying, "application/jrd+json");
        // The search reads the stream, the reshare fetches a post.
        await ann().call("POST", `/search?handle=${eve.handle}`);
        await kith().settle();
        pod().serves.clear();
        const bob = await knownPerson();
        const root = podPost(eve);
        await bob.deliver(kith(), podReshare(bob, root));
        await ann().post("/posts", { post: `@{${eve.handle}}` });
        await kith().settle();
        assert.equal(await isHere(root.guid), false);
      }
      assert.equal(trap.attempts(), 0);
    });

    test("redirects of the fetch URL", async () => {
      for (const url of traps()) {
        const [bob, eve] = [await knownPerson(), await knownPerson()];
        const root = podPost(eve);
        pod().redirect(`/fetch/post/${root.guid}`, `${url}/f`);
        await bob.deliver(kith(), podReshare(bob, root));
        assert.equal(pod().countOf(`/fetch/post/${root.guid}`), 1);
        assert.equal(await isHere(root.guid), false);
      }
      assert.equal(trap.attempts(), 0);
    });

    test("redirects of the person stream", async () => {
      for (const url of traps()) {
        const eve = newPerson();
        pod().redirect(`/people/${eve.guid}/stream`, `${url}/s`);
        await ann().post("/search", { handle: eve.handle });
        await kith().settle();
        assert.equal(pod().countOf(`/people/${eve.guid}/stream`), 1);
      }
      assert.equal(trap.attempts(), 0);
    });

    test("diaspora:// links", async () => {
      const bob = await knownPerson();
      for (const url of traps()) {
        const { host } = new URL(url);
        const post = podPost(bob, {
          text: `diaspora://eve@${host}/post/${newGuid()} diaspora://eve@${url.slice(7)}/post/${newGuid()}`,
        });
        await bob.deliver(kith(), post);
        assert.ok(await isHere(post.guid));
      }
      assert.equal(trap.attempts(), 0);
    });

    test("images of people and posts are not fetched by receiving or showing them", async () => {
      const [url = ""] = traps();
      const bob = await knownPerson();
      const image = `${url}/a.png`;
      await bob.deliver(kith(), {
        type: "profile",
        author: bob.handle,
        firstName: "Bob",
        imageUrl: image,
        imageUrlMedium: image,
        imageUrlSmall: image,
        searchable: true,
        public: true,
        nsfw: false,
      });
      const post = podPost(bob);
      const photo = {
        type: "photo" as const,
        guid: newGuid(),
        author: bob.handle,
        public: true,
        createdAt: "2020-02-03T04:05:06Z",
        remotePhotoPath: `${url}/`,
        remotePhotoName: "p.png",
        statusMessageGuid: post.guid,
      };
      await bob.deliver(kith(), { ...post, photos: [photo] });
      assert.ok(await isHere(post.guid));
      const page = await fetch(`${kith().baseUrl}/posts/${post.guid}`);
      assert.equal(page.status, 200);
      assert.equal(trap.attempts(), 0);
    });
  });

  describe("DNS answers that change", () => {
    let asked: string[] = [];
    const answers = ["127.0.0.1", "0.0.0.0"];
    const siege = besiege(kind, {
      resolveHost: async (host) => {
        if (host !== "rebind.example")
          return [{ address: "127.0.0.1", family: 4 as const }];
        asked.push(host);
        const address = answers[Math.min(asked.length - 1, 1)] ?? "";
        return [{ address, family: 4 as const }];
      },
    });
    const trap = useTrap();

    test("the checked address is the one used", async () => {
      asked = [];
      const { kith, pod, newPerson } = siege;
      const eve = newPerson();
      const handle = `${eve.name}@rebind.example:${pod().port}`;
      const origin = `http://rebind.example:${pod().port}`;
      const lying = eve
        .webfinger()
        .replaceAll(eve.handle, handle)
        .replaceAll(pod().origin, origin);
      pod().put("/.well-known/webfinger", lying, "application/jrd+json");
      const found = await kith().server.discovery.byHandle(handle);
      assert.equal(found?.handle, handle);
      // WebFinger and the hCard used the checked address; there was no second query.
      assert.equal(asked.length, 1);
      assert.equal(trap.attempts(), 0);
    });
  });
});
