import { createWriteWatch } from "../../features/freshness/index.ts";
import { createRemotePeople } from "../remote-people/remote-people.ts";
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  TESTED_DATABASE_KINDS,
  openTestDatabase,
} from "../../../test/support/server/databases.ts";
import { DAY_MS, TestClock } from "../../../test/support/server/test-clock.ts";
import type { Db } from "../../db/db.ts";
import type { PersonId } from "../../features/ids.ts";
import { createPeople, NO_ADDRESSES } from "../../features/people/index.ts";
import { createJobs } from "../../jobs/jobs.ts";
import { plainLimits } from "../../jobs/worker/concurrency-limiter.ts";
import { Worker } from "../../jobs/worker/worker.ts";
import { silentLog } from "../../observability/log.ts";
import { createHostHealth, PROBE_HOST } from "../delivery/host-health.ts";
import { createInbound, type Inbound } from "./create-inbound.ts";
import type { Creation } from "./creation-store.ts";
import { createForgetInbound } from "./forget-inbound.ts";
import {
  done,
  FORGET_INBOUND,
  HANDLE_INBOUND,
  type Execute,
  type InboundResult,
} from "./inbound.ts";
import type { InboundMessage } from "./inbound-store.ts";

async function insertSender(db: Db): Promise<PersonId> {
  const deps = {
    db,
    clock: new TestClock(),
    facts: {
      record: async () => {},
      note: async () => {},
      noteArrival: async () => {},
    },
    standingOn: async () => ({
      shutOut: false,
      silenced: false,
      mediaRejected: false,
    }),
  };
  const indexing = {
    renewPerson: async () => {},
    renewPostsOf: async () => {},
  };
  const people = createPeople({
    ...{ ...deps, indexing },
    writeWatch: createWriteWatch(deps),
  });
  const person = await createRemotePeople({ ...deps, people }).store({
    handle: "sender@a.example",
    keys: [{ keyId: "https://a.example/1#key", publicKeyPem: "a key" }],
    protocols: ["activitypub"],
    addresses: { ...NO_ADDRESSES, actorUri: "https://a.example/1" },
    profile: {},
  });
  assert.ok(person);
  return person.id;
}

for (const kind of TESTED_DATABASE_KINDS)
  describe(kind, () => {
    const clock = new TestClock();
    let db: Db;
    let senderId: PersonId;
    let inbound: Inbound;
    let worker: Worker;
    let close: () => Promise<void>;
    let handled: InboundMessage[] = [];
    let act: (message: InboundMessage) => Promise<InboundResult>;

    before(async () => {
      ({ db, close } = await openTestDatabase(kind));
      clock.stopAt(new Date("2026-01-01T00:00:00.000Z"));
      const jobs = createJobs({ db, clock });
      const log = silentLog();
      const fetch = {
        request: async () => {
          throw new Error("Nobody is asked");
        },
        close: async () => {},
      };
      const hosts = createHostHealth({ db, jobs, clock, fetch });
      inbound = createInbound({ db, jobs, hosts, clock, log });
      worker = new Worker({
        db,
        clock,
        log,
        jobs,
        lock: { id: 1, ended: async () => [], release: async () => {} },
        slots: {
          ...{ work: plainLimits(4), delivery: plainLimits(4) },
          import: plainLimits(1),
        },
      });
      worker.handle(
        HANDLE_INBOUND,
        inbound.handle({
          activitypub: async (message) => {
            handled.push(message);
            return act(message);
          },
        }),
      );
      worker.handle(FORGET_INBOUND, createForgetInbound({ db, clock }));
      senderId = await insertSender(db);
      worker.handle(PROBE_HOST, hosts.probe);
      await db.transaction((tx) => jobs.ensureRecurring(tx, [FORGET_INBOUND]));
    });
    after(async () => {
      await worker.stop();
      await close();
    });

    const start = () => {
      handled = [];
      act = async () => done("handled");
    };
    const store = (messageId: string | null, text = "{}", lane = "lane") =>
      inbound.store(
        {
          protocol: "activitypub",
          messageId,
          sender: "https://a.example/1",
          recipientUserId: null,
          verified: true,
          body: Buffer.from(text),
        },
        lane,
        "https://a.example",
      );
    const rowOf = (messageId: string) =>
      db.read
        .selectFrom("inbound_messages")
        .selectAll()
        .where("message_id", "=", messageId)
        .executeTakeFirst();
    const bodies = () =>
      handled.map(({ body }) => Buffer.from(body).toString());

    test("a message is handled as it came, and then only its id is kept", async () => {
      start();
      assert.equal(await store("one", '{"é":1}'), true);
      const stored = await rowOf("one");
      assert.equal(Buffer.from(stored?.body ?? []).toString(), '{"é":1}');
      assert.equal(stored?.processed_at, null);
      await worker.settle();
      assert.deepEqual(bodies(), ['{"é":1}']);
      const [message] = handled;
      assert.equal(message?.verified, true);
      assert.equal(message.sender, "https://a.example/1");
      assert.equal(message.recipientUserId, null);
      assert.equal(message.receivedAt, "2026-01-01T00:00:00.000Z");
      const row = await rowOf("one");
      assert.equal(row?.body, null);
      assert.equal(row.outcome, "handled");
      assert.equal(row.processed_at, "2026-01-01T00:00:00.000Z");
    });

    test("a repeat is a no-op, before and after it was handled, and all at once", async () => {
      start();
      const stored = await Promise.all(
        Array.from({ length: 10 }, () => store("two")),
      );
      assert.equal(stored.filter(Boolean).length, 1);
      await worker.settle();
      assert.equal(await store("two", "other"), false);
      await worker.settle();
      assert.deepEqual(bodies(), ["{}"]);
    });

    const storeAtOnce = (
      messageId: string | null,
      run: Execute,
      lane = "at once",
      creates?: Creation,
    ) =>
      inbound.store(
        {
          protocol: "activitypub",
          messageId,
          sender: "https://a.example/1",
          recipientUserId: null,
          verified: true,
          body: Buffer.from("{}"),
          ...(creates && { creates }),
        },
        lane,
        "https://a.example",
        { senderId, names: [], execute: run },
      );

    test("a message that can be applied at once is, and only its id is kept", async () => {
      start();
      let count = 0;
      const run = async () => (count += 1) === 1;
      assert.equal(await storeAtOnce("immediate", run), true);
      assert.equal(await storeAtOnce("immediate", run), false);
      await worker.settle();
      assert.equal(count, 1);
      assert.deepEqual(bodies(), []);
      const row = await rowOf("immediate");
      assert.equal(row?.body, null);
      assert.equal(row.outcome, "done at once");
      assert.equal(row.processed_at, row.received_at);
      assert.equal(await store("immediate"), false, "nor later");
    });

    test("one that creates something reports itself whether it is new", async () => {
      start();
      let count = 0;
      const run = async () => (count += 1) === 1;
      const creates = { activity: "its digest", object: "that of its object" };
      assert.equal(await storeAtOnce("create", run, "lane", creates), true);
      assert.equal(await storeAtOnce("create", run, "lane", creates), false);
      const another = { ...creates, object: "that of another" };
      assert.equal(await storeAtOnce("create", run, "lane", another), false);
      await worker.settle();
      assert.equal(count, 2, "another object is not even tried");
      assert.deepEqual(bodies(), []);
      assert.equal(await rowOf("create"), undefined);
    });

    test("a message that fails leaves nothing behind and is stored for the worker", async () => {
      start();
      const stored = await storeAtOnce("failing", async (tx) => {
        await tx
          .updateTable("people")
          .set({ state: "closed" })
          .where("id", "=", senderId)
          .execute();
        throw new Error("no");
      });
      assert.equal(stored, true);
      const person = await db.read
        .selectFrom("people")
        .select("state")
        .where("id", "=", senderId)
        .executeTakeFirst();
      assert.equal(person?.state, "active");
      await worker.settle();
      assert.deepEqual(bodies(), ["{}"]);
    });

    test("nothing overtakes an earlier message of its sender", async () => {
      start();
      const order: string[] = [];
      act = async ({ body }) => {
        order.push(Buffer.from(body).toString());
        return done("handled");
      };
      await store(null, '"first"', "in turn");
      await storeAtOnce(null, async () => order.push("at once") > 0, "in turn");
      assert.equal(order.length, 0);
      await worker.settle();
      assert.deepEqual(order, ['"first"', "{}"]);
      await storeAtOnce(null, async () => order.push("at once") > 0, "in turn");
      assert.deepEqual(order, ['"first"', "{}", "at once"]);
    });

    test("nothing of a person who is gone is applied at once", async () => {
      start();
      let isApplied = false;
      const setState = (state: "active" | "closed") =>
        db.transaction((tx) =>
          tx
            .updateTable("people")
            .set({ state })
            .where("id", "=", senderId)
            .execute(),
        );
      await setState("closed");
      await storeAtOnce("gone", async () => (isApplied = true));
      await setState("active");
      await worker.settle();
      assert.equal(isApplied, false);
      assert.deepEqual(bodies(), ["{}"]);
    });

    test("without an id every message counts", async () => {
      start();
      assert.equal(await store(null, "a"), true);
      assert.equal(await store(null, "a"), true);
      await worker.settle();
      assert.deepEqual(bodies(), ["a", "a"]);
    });

    test("messages of one lane keep their order; what waits steps out of it", async () => {
      start();
      let isThere = false;
      act = async ({ body }) =>
        Buffer.from(body).toString() === "first" && !isThere
          ? { kind: "wait", reason: "the parent is missing" }
          : done("handled");
      await store("w1", "first", "w");
      await store("w2", "second", "w");
      await worker.settle();
      assert.deepEqual(bodies(), ["first", "second"]);
      assert.notEqual((await rowOf("w1"))?.body, null, "kept while it waits");
      isThere = true;
      clock.advance(10_000);
      await worker.settle();
      assert.deepEqual(bodies(), ["first", "second", "first"]);
      assert.equal((await rowOf("w1"))?.outcome, "handled");
    });

    test("a message whose dependency never comes is given up, with its reason", async () => {
      start();
      act = async () => ({ kind: "wait", reason: "the parent is missing" });
      await store("g");
      for (let time = 0; time < 12; time++) {
        await worker.settle();
        clock.advance(DAY_MS / 4);
      }
      assert.equal(handled.length, 10);
      const row = await rowOf("g");
      assert.equal(row?.outcome, "the parent is missing");
      assert.equal(row.body, null);
    });

    test("a handler that fails is tried again with the same message", async () => {
      start();
      act = async () => {
        if (handled.length === 1) throw new Error("The database was away");
        return done("handled");
      };
      await store("f", "again");
      await worker.settle();
      assert.notEqual((await rowOf("f"))?.body, null);
      clock.advance(DAY_MS);
      await worker.settle();
      assert.deepEqual(bodies(), ["again", "again"]);
      assert.equal((await rowOf("f"))?.outcome, "handled");
    });

    test("a long outcome is cut", async () => {
      start();
      act = async () => done("x".repeat(500));
      await store("long");
      await worker.settle();
      assert.equal((await rowOf("long"))?.outcome, "x".repeat(200));
    });

    test("ids are forgotten after thirty days, what was not handled never", async () => {
      start();
      await store("old");
      await worker.settle();
      act = async () => {
        throw new Error("Always");
      };
      await store("stuck");
      await worker.settle();
      clock.advance(29 * DAY_MS);
      await worker.settle();
      assert.ok(await rowOf("old"));
      assert.equal(await store("old"), false);
      clock.advance(2 * DAY_MS);
      await worker.settle();
      assert.equal(await rowOf("old"), undefined);
      assert.ok(await rowOf("stuck"));
    });

    test("a message of a protocol that is switched off stays as it is", async () => {
      start();
      await inbound.store(
        {
          protocol: "diaspora",
          messageId: "d",
          sender: null,
          recipientUserId: null,
          verified: false,
          body: Buffer.from("x"),
        },
        "d",
      );
      await worker.settle();
      assert.deepEqual(handled, []);
      assert.notEqual((await rowOf("d"))?.body, null);
    });
  });
