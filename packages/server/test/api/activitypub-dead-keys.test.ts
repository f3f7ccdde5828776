import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { PUBLIC } from "@kith/activitypub";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";

const MINUTE_MS = 60_000;

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  before(async () => {
    remote = await RemoteServer.start();
  });
  after(() => remote.close());

  /** How often a document of this actor's was asked for. */
  const asked = ({ name }: RemoteActor) =>
    remote.asked.filter(({ path }) => path === `/users/${name}`).length;

  async function say(by: RemoteActor): Promise<number> {
    const object = by.note();
    const create = by.activity("Create", { to: [PUBLIC], cc: [], object });
    return (await by.send(kith(), create)).status;
  }

  test("a key that cannot be had is asked for once, however many messages name it", async () => {
    const ghost = remote.actor("ghost");
    ghost.profile = { publicKey: { id: "https://elsewhere.example/#key" } };
    const all = await Promise.all(Array.from({ length: 50 }, () => say(ghost)));
    assert.deepEqual(new Set(all), new Set([401]));
    const once = asked(ghost);
    assert.ok(once >= 1 && once <= 2, `${once} times`);
    for (let more = 0; more < 50; more += 1)
      assert.equal(await say(ghost), 401);
    kith().clock.advance(4 * MINUTE_MS);
    assert.equal(await say(ghost), 401);
    assert.equal(asked(ghost), once);
    // It may come to be there after all.
    ghost.profile = {};
    kith().clock.advance(2 * MINUTE_MS);
    assert.equal(await say(ghost), 202);
  });

  test("a server that does not answer is not asked for its keys again at once", async () => {
    let attempts = 0;
    const down = createServer((socket) => {
      attempts += 1;
      socket.destroy();
    });
    down.listen(0, "localhost");
    await once(down, "listening");
    const { port } = down.address() as AddressInfo;
    const lost = remote.actor("lost");
    const id = `http://localhost:${port}/users/lost`;
    Object.defineProperty(lost, "id", { value: id });
    assert.equal(await say(lost), 503);
    const first = attempts;
    assert.ok(first >= 1);
    for (let more = 0; more < 20; more += 1) assert.equal(await say(lost), 503);
    assert.equal(attempts, first);
    kith().clock.advance(MINUTE_MS / 2);
    assert.equal(await say(lost), 503);
    assert.ok(attempts > first, "It may be back");
    down.close();
  });

  test("one dead key keeps out no other, and a key may be changed", async () => {
    const carl = remote.actor("carl");
    const ghost = remote.actor("second-ghost");
    ghost.profile = { publicKey: { id: "https://elsewhere.example/#key" } };
    assert.equal(await say(ghost), 401);
    assert.equal(await say(carl), 202);
    const { privateKey, publicKey } = generateKeyPairSync("rsa", {
      modulusLength: 2048,
    });
    const renewed = Object.create(carl, {
      privateKey: { value: privateKey },
    }) as RemoteActor;
    carl.profile = {
      publicKey: {
        id: carl.keyId,
        owner: carl.id,
        publicKeyPem: publicKey.export({ type: "spki", format: "pem" }),
      },
    };
    const again = async () => {
      const object = carl.note();
      const create = carl.activity("Create", { to: [PUBLIC], cc: [], object });
      const sending = { signedBy: renewed };
      return (await carl.send(kith(), create, sending)).status;
    };
    assert.equal(await again(), 401, "It was asked for only just now");
    kith().clock.advance(6 * MINUTE_MS);
    assert.equal(await again(), 202);
    assert.equal(await say(carl), 401, "The old one is none any more");
  });
});
