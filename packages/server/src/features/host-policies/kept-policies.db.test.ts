import { createWriteWatch } from "../freshness/index.ts";
import { createRemotePeople } from "../../federation/remote-people/remote-people.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  forEachDatabase,
  openTestDatabase,
} from "../../../test/support/server/databases.ts";
import type { Db } from "../../db/db.ts";
import { createJobs } from "../../jobs/jobs.ts";
import { createAspects } from "../aspects/index.ts";
import { createAudit } from "../audit/index.ts";
import { createContacts } from "../contacts/index.ts";
import { createFacts } from "../facts.ts";
import { createIndexing } from "../indexing/index.ts";
import { createNewcomers } from "../newcomers/index.ts";
import { createPeople, NO_ADDRESSES } from "../people/index.ts";
import { createApplyHostPolicies, createHostPolicies } from "./index.ts";

const HOST = "elsewhere.example";

/** A process of a server. Its clock stands still, so that its cache never expires. */
function startProcess(db: Db) {
  const clock = { now: () => new Date("2026-05-04T12:00:00Z") };
  const jobs = createJobs({ db, clock });
  const facts = createFacts(jobs, {} as never);
  const hostPolicies = createHostPolicies({
    ...{ db, clock, jobs, audit: createAudit({ db, clock }) },
    handleHost: "kith.example",
    onlyAllowedHosts: false,
  });
  const standingOn = hostPolicies.verdictOn;
  const people = createPeople({
    ...{ db, clock, facts, standingOn },
    indexing: createIndexing({ db, clock, jobs }),
    writeWatch: createWriteWatch({ db }),
  });
  const remotePeople = createRemotePeople({
    ...{ db, clock, facts, people, standingOn },
  });
  const contacts = createContacts({ db, clock, facts, people });
  const aspects = createAspects({
    ...{ db, clock, people, contacts },
    newcomers: createNewcomers({ db, clock }),
  });
  const deps = { ...hostPolicies, db, aspects, contacts, people };
  const apply = createApplyHostPolicies(deps);
  return { hostPolicies, people, remotePeople, apply };
}

forEachDatabase((kind) => {
  const withTwo = async (
    run: (
      db: Db,
      one: ReturnType<typeof startProcess>,
      other: ReturnType<typeof startProcess>,
    ) => Promise<void>,
  ) => {
    const { db, close } = await openTestDatabase(kind);
    try {
      const [one, other] = [startProcess(db), startProcess(db)];
      // Fills the cache: no policy yet.
      assert.equal(await other.hostPolicies.isHostAllowed(HOST), true);
      await run(db, one, other);
    } finally {
      await close();
    }
  };
  const store = ({ remotePeople }: ReturnType<typeof startProcess>) =>
    remotePeople.store({
      handle: `eve@${HOST}`,
      publicKeyPem: "the key of Eve",
      keys: [],
      protocols: ["diaspora"],
      addresses: { ...NO_ADDRESSES, seedLocation: `https://${HOST}/` },
      profile: {},
    });

  test("a decision about a person uses the stored policy of its server, not the cached one", () =>
    withTwo(async (db, one, other) => {
      const eve = (await store(one)) ?? assert.fail();
      await one.hostPolicies.set(null, HOST, { blocked: true });
      await one.apply();
      assert.equal(await one.people.findState(eve.id), "shut_out");
      await db.transaction((tx) =>
        other.people.decide(tx, eve, (before) => ({
          ...before,
          silenced: true,
        })),
      );
      assert.equal(await one.people.findState(eve.id), "shut_out");
    }));

  test("a newly found person has the policy of its server, whatever the cache says", () =>
    withTwo(async (_db, one, other) => {
      await one.hostPolicies.set(null, HOST, { blocked: true });
      await store(other);
      const found = await one.people.find({ handle: `eve@${HOST}` });
      assert.equal(found?.state, "shut_out");
    }));

  test("a decision is applied by any process that gets the job", () =>
    withTwo(async (_db, one, other) => {
      const eve = (await store(one)) ?? assert.fail();
      await one.hostPolicies.set(null, HOST, { blocked: true });
      assert.equal(await other.apply(), 1);
      assert.equal(await one.people.findState(eve.id), "shut_out");
    }));
});
