import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { test } from "node:test";
import { newGuid } from "../../packages/server/src/lib/guids.ts";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import { postTo } from "../../packages/server/test/support/remote/diaspora-pod.ts";
import {
  podPost,
  podReshare,
} from "../../packages/server/test/support/remote/pod-entities.ts";
import { besiege } from "../support/hostile.ts";

forEachDatabase((kind) => {
  const siege = besiege(kind);
  const { kith, pod, far, knownPerson, farPerson, newPerson, unharmed } = siege;

  test("discovery: a host that is down is tried once, however many names are made up for it", async () => {
    let attempts = 0;
    const server = createServer((socket) => {
      attempts += 1;
      socket.destroy();
    });
    server.listen(0, "localhost");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const eve = newPerson();
    const claim = async (name: string) => {
      const sender = `${name}@localhost:${port}`;
      const body = await eve.seal(podPost(eve, { author: sender }), { sender });
      assert.equal(await postTo(kith(), "/receive/public", body), 202);
      await kith().settle();
    };
    await claim("first");
    const once1 = attempts;
    assert.ok(once1 > 0);
    await unharmed(async () => {
      for (let i = 0; i < 20; i += 1) await claim(`name${i}`);
    });
    assert.equal(attempts, once1);
    // It may be back.
    kith().clock.advance(6 * 60_000);
    await claim("later");
    assert.ok(attempts > once1);
    server.close();
  });

  test("discovery: an unknown person is not looked up again for each message", async () => {
    const ghost = newPerson();
    const sender = `ghost@${pod().host}`;
    const asked = () => pod().countOf("/.well-known/webfinger");
    const before = asked();
    await unharmed(async () => {
      for (let i = 0; i < 10; i += 1) {
        const entity = podPost(ghost, { author: sender });
        const body = await ghost.seal(entity, { sender });
        await postTo(kith(), "/receive/public", body);
      }
    });
    assert.equal(asked() - before, 1);
  });

  test("discovery: one source, and one target, cause only a limited number of look-ups", async () => {
    const { discovery } = kith().server;
    const asked = () => far().countOf("/.well-known/webfinger");
    const before = asked();
    for (let i = 0; i < 350; i += 1)
      await discovery.byHandle(`a${i}@${far().host}`, "one.example");
    assert.equal(asked() - before, 300);
    // Another source cannot exceed the limit of the target.
    await discovery.byHandle(`b@${far().host}`, "two.example");
    assert.equal(asked() - before, 300);
    // The first source has used up its limit for other targets, too.
    const other = pod().countOf("/.well-known/webfinger");
    await discovery.byHandle(`c@${pod().host}`, "one.example");
    assert.equal(pod().countOf("/.well-known/webfinger"), other);
    // Local users can still search.
    const eve = far().person("searched");
    assert.ok(await discovery.search(eve.handle));
    kith().clock.advance(11 * 60_000);
    const late = far().person("late");
    assert.ok(await discovery.byHandle(late.handle, "one.example"));
  });

  test("fetch amplification: a text of a hundred links causes five fetches, a reshare one", async () => {
    const [bob, eve] = [await knownPerson(), await farPerson()];
    const count = () => far().countOf("/fetch/");
    const before = count();
    const links = Array.from(
      { length: 100 },
      () => `diaspora://${eve.handle}/post/${newGuid()}`,
    );
    await bob.deliver(kith(), podPost(bob, { text: links.join("\n") }));
    assert.equal(count() - before, 5);
    const root = { guid: newGuid(), author: eve.handle };
    const reshare = await bob.seal(podReshare(bob, root));
    for (let i = 0; i < 20; i += 1)
      await postTo(kith(), "/receive/public", reshare);
    await kith().settle();
    assert.equal(count() - before, 6, "a failure is remembered");
  });

  test("fetch amplification: a chain of reshares and links is followed only to a limit", async () => {
    const [bob, eve] = [await knownPerson(), await farPerson()];
    const chain = Array.from({ length: 10 }, () => newGuid());
    for (const [i, guid] of chain.entries()) {
      const next = { guid: chain[i + 1] ?? newGuid(), author: eve.handle };
      const entity = { ...podReshare(eve, next), guid };
      far().shelve("post", guid, await eve.seal(entity));
    }
    const before = far().countOf("/fetch/");
    const first = { guid: chain[0] ?? "", author: eve.handle };
    await unharmed(() => bob.deliver(kith(), podReshare(bob, first)));
    assert.ok(far().countOf("/fetch/") - before <= 3);
  });

  test("fetch amplification: nothing is fetched for a message that failed a check", async () => {
    const [bob, eve] = [await knownPerson(), await farPerson()];
    const before = far().countOf("/");
    const link = `diaspora://${eve.handle}/post/${newGuid()}`;
    await unharmed(async () => {
      await bob.deliver(kith(), podPost(eve, { text: link }));
      await bob.deliver(kith(), podPost(bob, { text: link, public: false }));
      const { privateKey } = eve;
      const forged = await bob.seal(podPost(bob, { text: link }), {
        sender: bob.handle,
        privateKey,
      });
      await postTo(kith(), "/receive/public", forged);
    });
    assert.equal(far().countOf("/"), before);
  });
});
