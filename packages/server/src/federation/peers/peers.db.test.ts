import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import {
  forEachDatabase,
  openTestDatabase,
} from "../../../test/support/server/databases.ts";
import { RemoteServer } from "../../../test/support/remote/remote-server.ts";
import { TestClock } from "../../../test/support/server/test-clock.ts";
import { createJobs } from "../../jobs/jobs.ts";
import { createGuardedFetch } from "../../lib/http-client/guarded-fetch.ts";
import { createPeers, LEARN_PEER } from "./peers.ts";

const SCHEMA = "http://nodeinfo.diaspora.software/ns/schema/2.1";
const DAY_MS = 24 * 3_600_000;

forEachDatabase((kind) => {
  let database: Awaited<ReturnType<typeof openTestDatabase>>;
  let remote: RemoteServer;
  const clock = new TestClock();
  const fetch = createGuardedFetch({
    allowPrivateNetwork: true,
    userAgent: "Kith test",
  });
  const open = () => {
    const { db } = database;
    return createPeers({ db, clock, fetch, jobs: createJobs({ db, clock }) });
  };
  const waiting = () =>
    database.db.read
      .selectFrom("jobs")
      .select("payload")
      .where("kind", "=", LEARN_PEER.name)
      .execute();
  const context = { job: {} as never, signal: new AbortController().signal };
  const serve = (index: object, document?: object) => {
    remote.documents.set(`${remote.origin}/.well-known/nodeinfo`, {
      ...index,
    });
    if (document) remote.documents.set(`${remote.origin}/n`, { ...document });
  };

  before(async () => {
    database = await openTestDatabase(kind);
    remote = await RemoteServer.start();
    clock.stopAt(new Date("2026-01-01T00:00:00.000Z"));
  });
  after(async () => {
    await remote.close();
    await database.close();
  });
  beforeEach(async () => {
    remote.documents.clear();
    await database.db.transaction(async (tx) => {
      await tx.deleteFrom("peers").execute();
      await tx.deleteFrom("jobs").execute();
    });
  });

  test("facts about a thousand servers are forgotten after three months without them", async () => {
    const { origin } = remote;
    serve({ links: [] });
    const learned_at = clock.now().toISOString();
    await database.db.transaction(async (tx) => {
      for (let lot = 0; lot < 10; lot += 1)
        await tx
          .insertInto("peers")
          .values(
            Array.from({ length: 100 }, (_, n) => ({
              origin: `https://host${lot * 100 + n}.example`,
              ...(n % 2 ? { learned_at } : { signature_form_at: learned_at }),
            })),
          )
          .execute();
    });
    const peers = open();
    const count = async () => {
      const rows = await database.db.read
        .selectFrom("peers")
        .select("origin")
        .execute();
      return rows.length;
    };
    clock.advance(89 * DAY_MS);
    await peers.learn({ origin }, context);
    assert.equal(await count(), 1_001);
    clock.advance(2 * DAY_MS);
    for (let visit = 0; visit < 100; visit += 1)
      await peers.learn({ origin }, context);
    assert.equal(await count(), 1);
  });

  test("a server that is not known is asked once, and again after a week", async () => {
    const { origin } = remote;
    serve(
      { links: [{ rel: SCHEMA, href: "/n" }] },
      { software: { name: "GoToSocial" } },
    );
    const peers = open();
    assert.equal(await peers.softwareOf(origin), null);
    assert.equal(await peers.softwareOf(origin), null);
    assert.equal(await open().softwareOf(origin), null);
    assert.equal((await waiting()).length, 1);
    await peers.learn({ origin }, context);
    assert.equal(await peers.softwareOf(origin), "gotosocial");
    await database.db.transaction((tx) => tx.deleteFrom("jobs").execute());
    clock.advance(6 * DAY_MS);
    assert.equal(await open().softwareOf(origin), "gotosocial");
    assert.deepEqual(await waiting(), []);
    clock.advance(2 * DAY_MS);
    assert.equal(await open().softwareOf(origin), "gotosocial");
    assert.equal((await waiting()).length, 1);
    // What it said is kept where it is silent later.
    remote.documents.clear();
    await peers.learn({ origin }, context);
    assert.equal(await open().softwareOf(origin), "gotosocial");
  });

  test("a document that is no NodeInfo, or another server's, says nothing", async () => {
    const { origin } = remote;
    const indexes = [
      {},
      { links: "x" },
      { links: [null, 7, {}, { rel: SCHEMA }, { rel: "x", href: "/n" }] },
      { links: [{ rel: SCHEMA, href: "https://elsewhere.example/n" }] },
      { links: [{ rel: SCHEMA, href: "http://" }] },
    ];
    const peers = open();
    for (const index of indexes) {
      serve(index, { software: { name: "mastodon" } });
      await peers.learn({ origin }, context);
      assert.equal(await open().softwareOf(origin), null);
    }
    for (const software of [null, "x", { name: 7 }, { name: "a b" }]) {
      serve({ links: [{ rel: SCHEMA, href: "/n" }] }, { software });
      await peers.learn({ origin }, context);
      assert.equal(await open().softwareOf(origin), null);
    }
  });

  test("the form of signature that a server took is remembered for a day", async () => {
    const { origin } = remote;
    const peers = open();
    assert.equal(await peers.signatureFormOf(origin), "cavage");
    await peers.noteSignatureForm(origin, "rfc9421");
    assert.equal(await peers.signatureFormOf(origin), "rfc9421");
    assert.equal(await open().signatureFormOf(origin), "rfc9421");
    clock.advance(DAY_MS + 1);
    assert.equal(await open().signatureFormOf(origin), "cavage");
  });
});
