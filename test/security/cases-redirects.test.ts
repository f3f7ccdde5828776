import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import type { JsonObject } from "@kith/activitypub";
import { DiasporaPod } from "../../packages/server/test/support/remote/diaspora-pod.ts";
import {
  useKith,
  type TestPerson,
} from "../../packages/server/test/support/server/kith-server.ts";
import { sendFollow } from "../../packages/server/test/support/remote/linked-data.ts";
import {
  podPost,
  podReshare,
} from "../../packages/server/test/support/remote/pod-entities.ts";
import { idOf } from "../../packages/server/test/support/remote/proving-actor.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../../packages/server/test/support/remote/remote-server.ts";
import { befriend } from "../../packages/server/test/support/remote/several-servers.ts";
import { announce, create, FOR_ALL, redirect, serve } from "./case-town.ts";
import { useTrap, watchAttempts } from "./watch-attempts.ts";

/** Loopback is allowed here, so that another server can be simulated; nothing else is. */
describe("a server redirected by other servers connects to no forbidden address", () => {
  const kith = useKith("sqlite");
  const trap = useTrap();
  const watch = watchAttempts();
  let ann: TestPerson;
  let eve: RemoteActor;
  let remote: RemoteServer;
  let pod: DiasporaPod;
  let names = 0;

  before(async () => {
    [remote, pod] = [await RemoteServer.start(), await DiasporaPod.start()];
    ann = await kith().person({ handle: "ann" });
    eve = await followed(remote.actor("eve"));
  });
  after(() => Promise.all([remote.close(), pod.close()]));
  beforeEach(() => {
    watch.forget();
    remote.answers.clear();
    pod.serves.clear();
  });

  async function followed(actor: RemoteActor): Promise<RemoteActor> {
    await sendFollow(kith(), ann, actor);
    return actor;
  }

  const targets = () => {
    const port = trap.port();
    return [
      ...["0.0.0.0", "[::]", "0", "0x0", "[::ffff:0.0.0.0]"].map(
        (host) => `http://${host}:${port}/x`,
      ),
      "http://169.254.169.254/latest/meta-data/",
      "http://[::ffff:169.254.169.254]/",
      "http://[fe80::1]/",
      "http://[64:ff9b::7f00:1]/",
      "http://[2002:7f00:1::]/",
      "http://100.64.0.1/",
      "http://8.8.8.8/",
      "http://printer.local/",
      "http://metadata.google.internal/",
      `http://user@localhost:${port}/x`,
      `//0.0.0.0:${port}/x`,
      `ftp://localhost:${port}/x`,
      "file:///etc/passwd",
      "data:application/activity+json,%7B%7D",
      "javascript:alert(1)",
      "",
    ];
  };

  /** Each target after some hops, and one after each number of hops up to ten. */
  const ways = (): { target: string; hops: number }[] => {
    const [first = "", ...others] = targets();
    return [
      ...Array.from({ length: 10 }, (_, n) => ({ target: first, hops: n + 1 })),
      ...others.map((target, n) => ({ target, hops: 1 + (n % 4) })),
    ];
  };

  /** Redirects requests for this path over some hops to the target. */
  function chain(
    path: string,
    { target, hops }: { target: string; hops: number },
  ): void {
    names += 1;
    const statuses = [301, 302, 303, 307, 308];
    let next = target;
    for (let hop = hops; hop >= 1; hop -= 1) {
      const at = hop === 1 ? path : `/hop/${names}/${hop}`;
      const status = statuses[hop % statuses.length] ?? 302;
      redirect(remote, at, next, status);
      const to = next;
      pod.serves.set(at, (response) =>
        response.writeHead(status, { location: to }).end(),
      );
      next = at;
    }
  }

  const newcomer = () => {
    names += 1;
    return remote.actor(`new${names}`);
  };
  const pathOf = (url: string) => new URL(url).pathname;
  const search = (handle: string) =>
    ann.call("POST", "/search", { form: { handle } });

  type Way = { target: string; hops: number };

  const FEATURES: Readonly<Record<string, (way: Way) => Promise<unknown>>> = {
    WebFinger: async (way) => {
      chain("/.well-known/webfinger", way);
      assert.equal((await search(newcomer().handle)).status, 404);
      names += 1;
      assert.equal((await search(pod.person(`p${names}`).handle)).status, 404);
    },
    "the actor, and its key": async (way) => {
      const mallory = newcomer();
      chain(pathOf(mallory.id), way);
      assert.equal((await search(mallory.handle)).status, 404);
      const like = mallory.activity("Like", { object: eve.id });
      assert.ok(
        (await mallory.send(kith(), like, { signedBy: eve })).status >= 400,
      );
    },
    "the actor's id in WebFinger": async ({ target }) => {
      const mallory = newcomer();
      const type = "application/activity+json";
      const links = [{ rel: "self", type, href: target }];
      const subject = `acct:${mallory.handle}`;
      const at = `${remote.origin}/.well-known/webfinger`;
      serve(remote, { subject, links }, at, "application/jrd+json");
      assert.equal((await search(mallory.handle)).status, 404);
    },
    "the hCard, its redirects and its address in WebFinger": async (way) => {
      names += 1;
      const bob = pod.person(`p${names}`);
      const path = `/hcard/users/${bob.guid}`;
      chain(path, way);
      assert.equal((await search(bob.handle)).status, 404);
      names += 1;
      const cat = pod.person(`p${names}`);
      const real = `${pod.origin}/hcard/users/${cat.guid}`;
      const lying = cat.webfinger().replaceAll(real, way.target);
      pod.put("/.well-known/webfinger", lying, "application/jrd+json");
      assert.equal((await search(cat.handle)).status, 404);
    },
    "the stream of a person": async (way) => {
      names += 1;
      const bob = pod.person(`p${names}`);
      chain(`/people/${bob.guid}/stream`, way);
      assert.equal((await search(bob.handle)).status, 200);
      await kith().settle();
      assert.equal(pod.countOf(`/people/${bob.guid}/stream`), 1);
    },
    "a post that is fetched": async (way) => {
      names += 1;
      const bob = pod.person(`p${names}`);
      await kith().server.discovery.byHandle(bob.handle);
      const root = podPost(bob);
      chain(`/fetch/post/${root.guid}`, way);
      await bob.deliver(kith(), podReshare(bob, root));
      assert.equal(pod.countOf(`/fetch/post/${root.guid}`), 1);
    },
    "an object, boosted or answered": async (way) => {
      const note = eve.note();
      chain(pathOf(idOf(note)), way);
      await eve.deliver(kith(), announce(eve, idOf(note)));
      const inReplyTo = idOf(note);
      await eve.deliver(kith(), create(eve, eve.note({ inReplyTo })));
      const { posts } = kith().server.features;
      assert.equal(await posts.find({ uri: inReplyTo }), undefined);
    },
    "a collection, and its pages": async (way) => {
      const replies = eve.newId("replies");
      const onward = eve.newId("replies");
      const page: JsonObject = {
        "@context": "https://www.w3.org/ns/activitystreams",
        id: replies,
        type: "Collection",
        first: onward,
        items: [],
      };
      serve(remote, page);
      chain(pathOf(onward), way);
      for (const first of [onward, way.target]) {
        serve(remote, { ...page, first });
        const note = eve.note({ replies });
        await eve.deliver(kith(), create(eve, note));
        const object = { ...note, updated: "2026-05-05T00:00:00Z" };
        await eve.deliver(
          kith(),
          eve.activity("Update", { ...FOR_ALL, object }),
        );
      }
    },
    "NodeInfo, and the link in it": async (way) => {
      for (const isLink of [false, true]) {
        const server = await RemoteServer.start();
        const index = "/.well-known/nodeinfo";
        const rel = "http://nodeinfo.diaspora.software/ns/schema/2.0";
        const links = [{ rel, href: isLink ? way.target : "/nodeinfo" }];
        serve(server, { links }, server.origin + index, "application/json");
        redirect(server, "/nodeinfo", way.target);
        await befriend(ann, server.actor("x").handle);
        await kith().settle();
        assert.ok(server.asked.some(({ path }) => path === index));
        await server.close();
      }
    },
    "a picture that a reader loads": async (way) => {
      names += 1;
      const path = `/pictures/${names}.png`;
      chain(path, way);
      const { addressOf } = kith().server.features.proxyAddresses;
      const { status } = await fetch(addressOf(remote.origin + path));
      assert.equal(status, 404);
      assert.ok(remote.asked.some((asked) => asked.path === path));
    },
    "a relay": async (way) => {
      names += 1;
      const path = `/relay/${names}`;
      chain(path, way);
      await kith().server.features.relays.add(null, remote.origin + path);
      await kith().settle();
    },
  };

  for (const [name, lead] of Object.entries(FEATURES))
    test(`case 30: ${name}`, async () => {
      const own = [Number(new URL(kith().baseUrl).port)];
      for (const way of ways()) await lead(way);
      await kith().settle();
      assert.deepEqual(watch.others(own, true), []);
      assert.equal(trap.attempts(), 0);
    });

  test("case 34: a delivery is not redirected, and no signature goes to another address", async () => {
    const { port } = new URL(remote.origin);
    const other = await RemoteServer.start();
    const note = eve.note();
    redirect(remote, pathOf(idOf(note)), `${other.origin}/x`);
    await eve.deliver(kith(), announce(eve, idOf(note)));
    const asked = other.asked.filter(({ path }) => path === "/x");
    assert.equal(asked.length, 1);
    const first = remote.asked.find(({ path }) => path === pathOf(idOf(note)));
    // Each hop is signed for itself, with the server's own key, which is public anyway.
    assert.equal(asked[0]?.keyId, first?.keyId);
    assert.match(first?.keyId ?? "", /\/api\/v1\/ap\/instance/);
    assert.notEqual(port, new URL(other.origin).port);
    await other.close();
  });

  test("case 38: images named by others are not fetched unless a reader loads them, of a person, a post, an event or an emoji", async () => {
    // At an allowed address.
    const picture = `http://localhost:${trap.port()}/x.png`;
    const image = { type: "Image", mediaType: "image/png", url: picture };
    const mallory = newcomer();
    mallory.profile = { icon: image, image };
    await followed(mallory);
    const emoji = { type: "Emoji", name: ":x:", icon: image };
    const note = mallory.note({ attachment: [image], tag: [emoji], image });
    await mallory.deliver(kith(), create(mallory, note));
    const event = mallory.note({
      type: "Event",
      name: "Fair",
      startTime: "2026-03-10T09:00:00Z",
      attachment: [{ ...image, name: "Banner" }],
    });
    await mallory.deliver(kith(), create(mallory, event));
    const own = await ann.post<{ Guid: string }>("/posts", { post: "x" });
    const object = `${kith().baseUrl}/api/v1/ap/object/${own.Guid}`;
    const react = { object, content: ":x:", tag: [emoji] };
    await mallory.deliver(kith(), mallory.activity("EmojiReact", react));
    for (const said of [note, event]) {
      const { posts } = kith().server.features;
      const post = await posts.find({ uri: idOf(said) });
      assert.ok(post);
      const page = await fetch(`${kith().baseUrl}/posts/${post.guid}`);
      assert.equal(page.status, 200);
    }
    assert.equal(trap.attempts(), 0);
  });
});
