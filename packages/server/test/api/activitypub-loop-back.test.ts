import assert from "node:assert/strict";
import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { sendLoopBack } from "../../src/federation/activitypub/authority/loop-back.ts";
import { createUris } from "../../src/federation/activitypub/records/uris.ts";
import {
  createGuardedFetch,
  type GuardedFetch,
} from "../../src/lib/http-client/guarded-fetch.ts";
import { assertError } from "../support/server/api-client.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import { RemoteServer } from "../support/remote/remote-server.ts";

forEachDatabase((kind) => {
  describe("messages of the server to itself", () => {
    const kith = useKith(kind);
    let fetch: GuardedFetch;
    let remote: RemoteServer;
    before(async () => {
      fetch = createGuardedFetch({ allowPrivateNetwork: true, userAgent: "x" });
      remote = await RemoteServer.start();
    });
    after(async () => {
      await fetch.close();
      await remote.close();
    });

    const deps = () => {
      const { clock, baseUrl, server } = kith();
      const { accounts } = server.features;
      return { accounts, clock, fetch, uris: createUris(baseUrl) };
    };

    test("is verified in every form, and has no effect", async () => {
      // The server has its key made when it first needs it.
      await deps().accounts.getServerKey();
      const before = await kith().snapshot();
      for (const form of ["cavage", "cavage-least", "rfc9421"] as const)
        assert.equal(await sendLoopBack(deps(), form), 204, form);
      assert.deepEqual(await kith().snapshot(), before);
    });

    test("is refused where another key signed it, or it was changed on the way", async () => {
      await deps().accounts.getServerKey();
      const before = await kith().snapshot();
      const { privateKey } = generateKeyPairSync("rsa", {
        modulusLength: 2048,
      });
      const forged = {
        ...deps(),
        accounts: {
          getServerKey: async () => ({
            privateKey: createPrivateKey(
              privateKey.export({ type: "pkcs8", format: "pem" }),
            ),
            publicPem: "",
          }),
        },
      };
      assert.equal(await sendLoopBack(forged, "cavage"), 401);
      assert.equal(await sendLoopBack(forged, "rfc9421"), 401);
      const changing = {
        ...deps(),
        fetch: {
          request: (request: Parameters<GuardedFetch["request"]>[0]) =>
            fetch.request({
              ...request,
              body: String(request.body).replace("View", "Move"),
            }),
        },
      };
      assert.equal(await sendLoopBack(changing, "cavage"), 401);
      assert.equal(await sendLoopBack(changing, "rfc9421"), 401);
      assert.deepEqual(await kith().snapshot(), before);
    });

    test("no one else can act as the server", async () => {
      const before = await kith().snapshot();
      const { uris } = deps();
      const activity = {
        "@context": "https://www.w3.org/ns/activitystreams",
        id: `${uris.instance}#1`,
        type: "Follow",
        actor: uris.instance,
        object: uris.instance,
      };
      const stranger = remote.actor("eve");
      const signed = await stranger.send(kith(), activity);
      assertError(signed, 401, "Unauthorized", "signed by another");
      const unsigned = await globalThis.fetch(uris.sharedInbox, {
        method: "POST",
        headers: { "content-type": "application/activity+json" },
        body: JSON.stringify(activity),
      });
      assert.equal(unsigned.status, 401);
      assert.deepEqual(await kith().snapshot(), before);
    });
  });
});
