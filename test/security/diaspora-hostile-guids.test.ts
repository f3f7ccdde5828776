import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { forEachDatabase } from "../../packages/server/test/support/databases.ts";
import {
  DiasporaPod,
  type PodPerson,
} from "../../packages/server/test/support/diaspora-pod.ts";
import {
  useKith,
  type TestPerson,
} from "../../packages/server/test/support/kith-server.ts";
import { RemoteServer } from "../../packages/server/test/support/remote-server.ts";
import type { AspectRecord } from "../../packages/server/test/support/wire.ts";

/** Whoever takes the Guid of another one keeps nothing from that one. */
forEachDatabase((kind) => {
  const kith = useKith(kind);
  let ann: TestPerson;
  let pod: DiasporaPod;
  let evil: RemoteServer;
  let other: DiasporaPod;

  before(async () => {
    pod = await DiasporaPod.start();
    other = await DiasporaPod.start();
    evil = await RemoteServer.start();
    ann = await kith().person({ handle: "ann" });
  });
  after(() => Promise.all([pod.close(), evil.close(), other.close()]));

  /** An actor whose document names somebody else's Guid. */
  async function claim(name: string, guid: string): Promise<void> {
    const actor = evil.actor(name);
    actor.profile = {
      "@context": [
        "https://www.w3.org/ns/activitystreams",
        { diaspora: "https://diasporafoundation.org/ns/" },
      ],
      "diaspora:guid": guid,
    };
    const { discovery } = kith().server;
    const found = await discovery.byActor(actor.id);
    assert.equal(found?.addresses.actorUri, actor.id);
    const { people } = kith().server.features;
    assert.notEqual((await people.find({ guid }))?.id, found.id);
  }

  /** What ann tells somebody alone comes to its own endpoint. */
  async function assertReached(vic: PodPerson): Promise<void> {
    const found = await kith().server.discovery.byHandle(vic.handle);
    assert.equal(found?.handle, vic.handle);
    const name = `for ${vic.name}`;
    const { ID } = await ann.post<AspectRecord>("/aspects", { name });
    await ann.post(`/people/${found.id}/aspects/${ID}`);
    await ann.post("/posts", { post: "a secret", aspectID: ID });
    await kith().settle();
    const paths = pod.posted.map(({ path }) => path);
    assert.ok(paths.includes(`/receive/users/${vic.guid}`), String(paths));
    const posts = await pod.ofType("status_message");
    assert.ok(posts.some(({ to }) => to === vic));
  }

  test("an actor that claims the Guid of somebody not known yet keeps no private mail from it", async () => {
    const vic = pod.person("vic");
    await claim("mallory", vic.guid);
    await assertReached(vic);
    await claim("late", vic.guid);
    const { people } = kith().server.features;
    const owner = await people.find({ guid: vic.guid });
    assert.equal(owner?.handle, vic.handle);
  });

  test("nor does somebody whose own pod tells that Guid", async () => {
    const vic = pod.person("vic2");
    const mallory = other.person("mallory2");
    mallory.guid = vic.guid;
    const { discovery } = kith().server;
    assert.ok(await discovery.byHandle(mallory.handle));
    await assertReached(vic);
  });
});
