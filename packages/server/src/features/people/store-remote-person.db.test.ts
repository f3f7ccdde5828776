import assert from "node:assert/strict";
import { test } from "node:test";
import {
  forEachDatabase,
  openTestDatabase,
} from "../../../test/support/databases.ts";
import { createJobs } from "../../jobs/jobs.ts";
import { systemClock } from "../../lib/clock.ts";
import { createFacts, type Effects } from "../facts.ts";
import { NO_ADDRESSES } from "./person.ts";
import {
  storeRemotePerson,
  type DiscoveredPerson,
} from "./store-remote-person.ts";

const NO_EFFECTS = {} as Effects;
const WELCOME = { shutOut: false, silenced: false, mediaRejected: false };

const FOUND: DiscoveredPerson = {
  handle: "cid@elsewhere.example",
  keys: [
    {
      keyId: "https://elsewhere.example/cid#main-key",
      publicKeyPem: "the key of Cid",
    },
  ],
  protocols: ["activitypub"],
  addresses: { ...NO_ADDRESSES, actorUri: "https://elsewhere.example/cid" },
  profile: { fullName: "Cid" },
};

forEachDatabase((kind) => {
  test("whoever comes upon the same person at once finds it", async () => {
    const { db, close } = await openTestDatabase(kind);
    try {
      const clock = systemClock;
      const standingOn = async () => WELCOME;
      const facts = createFacts(createJobs({ db, clock }), NO_EFFECTS);
      const deps = { db, clock, facts, standingOn };
      const store = () => storeRemotePerson(deps, FOUND);
      // With connections that stand already, nobody waits for anybody.
      const again = Array.from({ length: 12 });
      await Promise.all(
        again.map((_, i) =>
          storeRemotePerson(deps, {
            ...FOUND,
            handle: `${i}@elsewhere.example`,
            addresses: NO_ADDRESSES,
            keys: [],
          }),
        ),
      );
      const stored = await Promise.all(again.map(store));
      assert.deepEqual(
        new Set(stored.map((person) => person?.id)),
        new Set([stored[0]?.id]),
      );
      assert.equal(stored[0]?.handle, FOUND.handle);
    } finally {
      await close();
    }
  });
});
