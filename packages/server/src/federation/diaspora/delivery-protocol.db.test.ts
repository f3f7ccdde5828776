import assert from "node:assert/strict";
import { test } from "node:test";
import { receivePrivateUrl } from "@kith/diaspora";
import { forEachDatabase } from "../../../test/support/server/databases.ts";
import { newGuid } from "../../lib/guids.ts";
import { stored } from "../delivery/deliver.ts";
import { createDiasporaDelivery } from "./delivery-protocol.ts";
import { openHomeServer } from "../../../test/support/remote/home-server.ts";

forEachDatabase((kind) => {
  test("waiting deliveries go to the Guid that the person's server knows, once that is learnt", async () => {
    const home = await openHomeServer(kind);
    try {
      const { person } = await home.remotePerson("bob");
      const seed = person.addresses.seedLocation ?? assert.fail();
      const prepared = async (base: string) => {
        const protocol = createDiasporaDelivery(home.deps);
        return protocol.prepare(stored("<xml/>"), {
          protocol: "diaspora",
          url: receivePrivateUrl(base, newGuid()),
          senderUserId: null,
          recipientId: person.id,
        });
      };
      const current = receivePrivateUrl(seed, person.guid);
      assert.equal((await prepared(seed))?.url, current);
      // The lane of another server does not apply to this one.
      const elsewhere = await prepared("https://former.example/");
      assert.ok(elsewhere?.url?.startsWith("https://former.example/"));
    } finally {
      await home.close();
    }
  });
});
