import assert from "node:assert/strict";
import { generateKeyPairSync, sign } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { PUBLIC } from "@kith/activitypub";
import { buildEntity, parseEnvelope } from "@kith/diaspora";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import {
  DiasporaPod,
  postTo,
  type PodPerson,
} from "../../packages/server/test/support/remote/diaspora-pod.ts";
import { useKith } from "../../packages/server/test/support/server/kith-server.ts";
import { podPost } from "../../packages/server/test/support/remote/pod-entities.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../../packages/server/test/support/remote/remote-server.ts";

const MINUTE_MS = 60_000;

/** It signs and verifies like any other, but its exponent is larger than any in use. */
const hostile = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicExponent: 65_539,
});
const hostilePem = hostile.publicKey
  .export({ type: "spki", format: "pem" })
  .toString();

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let pod: DiasporaPod;
  let remote: RemoteServer;
  before(async () => {
    pod = await DiasporaPod.start();
    remote = await RemoteServer.start();
  });
  after(() => Promise.all([pod.close(), remote.close()]));

  const isStored = async (guid: string) => {
    const posts = kith().db.read.selectFrom("posts").select("id");
    return (await posts.where("guid", "=", guid).execute()).length > 0;
  };

  describe("an RSA key whose exponent makes each check expensive, over diaspora*", () => {
    /** A public post with a valid signature by the hostile key. */
    async function deliver(by: PodPerson): Promise<string> {
      const entity = podPost(by);
      const envelope = await by.seal(buildEntity(entity));
      const { signatureBase } = parseEnvelope(envelope);
      const signature = sign(
        "sha256",
        Buffer.from(signatureBase),
        hostile.privateKey,
      ).toString("base64url");
      const body = envelope.replace(
        /(<me:sig [^>]*>)[^<]*/,
        (_, tag: string) => tag + signature,
      );
      assert.notEqual(body, envelope);
      assert.equal(await postTo(kith(), "/receive/public", body), 202);
      await kith().settle();
      return entity.guid;
    }

    test("introduces no one, and is not trusted", async () => {
      const eve = pod.person("eve");
      const card = eve.hcard().replace(eve.publicKeyPem, hostilePem);
      assert.ok(card.includes(hostilePem));
      pod.put(`/hcard/users/${eve.guid}`, card, "text/html");
      assert.ok(!(await isStored(await deliver(eve))));
      const { people } = kith().server.features;
      assert.equal(await people.find({ handle: eve.handle }), undefined);
    });

    test("is not used if an older Kith stored it", async () => {
      const fay = pod.person("fay");
      assert.ok(await kith().server.discovery.byHandle(fay.handle));
      await kith().db.transaction((tx) =>
        tx
          .updateTable("people")
          .set({ public_key_pem: hostilePem })
          .where("handle", "=", fay.handle)
          .execute(),
      );
      assert.ok(!(await isStored(await deliver(fay))));
    });
  });

  describe("such a key, over ActivityPub", () => {
    const say = async (by: RemoteActor) => {
      const object = by.note();
      const create = by.activity("Create", { to: [PUBLIC], cc: [], object });
      return (await by.send(kith(), create)).status;
    };
    const use = (actor: RemoteActor) => {
      const { privateKey, publicKeyPem } = actor;
      const set = (key: object, pem: string) => {
        const configurable = true;
        Object.defineProperties(actor, {
          privateKey: { value: key, configurable },
          publicKeyPem: { value: pem, configurable },
        });
      };
      set(hostile.privateKey, hostilePem);
      return { giveBack: () => set(privateKey, publicKeyPem) };
    };
    const storedKeys = (keyId: string) =>
      kith()
        .db.read.selectFrom("person_keys")
        .select("public_key_pem")
        .where("key_id", "=", keyId)
        .execute();

    test("signs nothing and is not stored", async () => {
      const mallory = remote.actor("mallory");
      use(mallory);
      assert.equal(await say(mallory), 401);
      assert.deepEqual(await storedKeys(mallory.keyId), []);
    });

    test("is fetched again if an older Kith stored it", async () => {
      const nina = remote.actor("nina");
      assert.equal(await say(nina), 202);
      kith().clock.advance(15 * MINUTE_MS);
      await kith().db.transaction((tx) =>
        tx
          .updateTable("person_keys")
          .set({ public_key_pem: hostilePem })
          .where("key_id", "=", nina.keyId)
          .execute(),
      );
      const { giveBack } = use(nina);
      assert.equal(await say(nina), 401);
      giveBack();
      kith().clock.advance(6 * MINUTE_MS);
      assert.equal(await say(nina), 202);
    });
  });
});
