import assert from "node:assert/strict";
import { createWriteWatch } from "../freshness/index.ts";
import { test } from "node:test";
import { createTestDatabase } from "../../../test/support/server/databases.ts";
import { migrate } from "../../db/migrate.ts";
import { openNotices } from "../../db/postgres/notices.ts";
import { openDatabase } from "../../db/open-database.ts";
import { systemClock } from "../../lib/time/clock.ts";
import { NO_LIMITS } from "../../lib/limits/limits.ts";
import { createBans } from "../bans/index.ts";
import { createAudit } from "../audit/index.ts";
import { createFacts } from "../facts.ts";
import { createInvitations } from "../invitations/index.ts";
import { createIndexing } from "../indexing/index.ts";
import { createPeople } from "../people/index.ts";
import { createJobs } from "../../jobs/jobs.ts";
import {
  createAccounts,
  createFactorSeal,
  createCredentials,
  createKeySeal,
  createTokenSeal,
} from "./index.ts";

test("a key that one process has forgotten is forgotten by the others", async () => {
  const database = await createTestDatabase("postgres");
  const db = await openDatabase(database.location);
  await migrate(db, systemClock);
  const clock = systemClock;
  const start = async () => {
    const notices = await openNotices(database.location);
    const jobs = createJobs({ db, clock });
    const facts = createFacts(jobs, {} as never);
    const welcome = { shutOut: false, silenced: false, mediaRejected: false };
    const standingOn = async () => welcome;
    const people = createPeople({
      ...{ db, clock, facts, standingOn },
      indexing: createIndexing({ db, clock, jobs }),
      writeWatch: createWriteWatch({ db }),
    });
    const secretKey = new Uint8Array(32);
    const tokenSeal = createTokenSeal(secretKey);
    const keySeal = createKeySeal(secretKey);
    const factorSeal = createFactorSeal(secretKey);
    const audit = createAudit({ db, clock });
    const invitations = createInvitations({
      ...{ db, clock, audit, whoInvites: "off" },
    });
    const accounts = createAccounts({
      ...{ db, clock, people, tokenSeal, keySeal, factorSeal, notices },
      bans: createBans({ db, clock, audit }),
      ...{ audit, invitations, endAppAccess: async () => {} },
      credentials: createCredentials(),
      limits: NO_LIMITS,
      setupCode: "none",
      findMinAge: async () => 0,
      notifyStaff: async () => {},
      handleHost: "kith.example",
      baseUrl: "https://kith.example",
    });
    return { accounts, notices };
  };
  const [one, two] = [await start(), await start()];
  const signedUp = await one.accounts.signUp({
    username: "ann",
    password: "correct horse",
  });
  assert.ok(signedUp.kind !== "refused");
  const userId = signedUp.account.id;
  for (const { accounts } of [one, two])
    assert.equal((await accounts.getPrivateKey(userId)).type, "private");
  const received = Promise.withResolvers<void>();
  two.notices.listen("account-keys", () => received.resolve());
  await one.accounts.forgetKeys(userId);
  await received.promise;
  for (const { accounts } of [one, two])
    await assert.rejects(accounts.getPrivateKey(userId), { code: "not_found" });
  await one.notices.close();
  await two.notices.close();
  await db.close();
  await database.remove();
});
