import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { afterEach, beforeEach, describe, test } from "node:test";
import type { Db } from "../../packages/server/src/db/db.ts";
import { migrate } from "../../packages/server/src/db/migrate.ts";
import { openDatabase } from "../../packages/server/src/db/open-database.ts";
import type { UserId } from "../../packages/server/src/features/ids.ts";
import { DELIVER } from "../../packages/server/src/federation/delivery/deliver.ts";
import { FETCH_LINKED } from "../../packages/server/src/federation/diaspora/records/follow-links.ts";
import { createJobs } from "../../packages/server/src/jobs/jobs.ts";
import { systemClock } from "../../packages/server/src/lib/time/clock.ts";
import {
  createTestDatabase,
  forEachDatabase,
  type TestDatabase,
} from "../../packages/server/test/support/server/databases.ts";
import { Peer } from "../../packages/server/test/support/remote/peer.ts";
import { runKith, settingsFor, spawnKith } from "../support/kith-command.ts";
import { eventually } from "../support/kith-process.ts";
import { findFreePort } from "../../scripts/testing/free-port.ts";

/** Long enough for many checks for abandoned leases, even on a slow machine, and much less than the ten minutes of a lease. */
const TAKEN_OVER_WITHIN_MS = 60_000;

let database: TestDatabase;
let db: Db;
let peer: Peer;
let children: ChildProcess[];

async function openAll(kind: TestDatabase["location"]["kind"]): Promise<void> {
  database = await createTestDatabase(kind);
  db = await openDatabase(database.location);
  await migrate(db, systemClock);
  peer = await Peer.start();
  peer.hold();
  children = [];
}

async function closeAll(): Promise<void> {
  await Promise.all(children.map((child) => end(child, "SIGKILL")));
  await peer.close();
  await db.close();
  await database.remove();
}

async function start(command: "serve" | "worker"): Promise<ChildProcess> {
  const child = spawnKith([command], {
    ...settingsFor(database),
    KITH_PORT: String(await findFreePort()),
  });
  children.push(child);
  child.stderr?.pipe(process.stderr);
  assert.ok(child.stdout);
  await once(child.stdout, "data");
  return child;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill(signal);
  await exited;
}

/** Enqueues deliveries to the peer, one for each text, each independent of the others. */
async function putDeliveries(texts: readonly string[]): Promise<void> {
  const jobs = createJobs({ db, clock: systemClock });
  await db.transaction(async (tx) => {
    for (const text of texts) {
      const documentId = await jobs.addDocument(tx, text);
      await jobs.enqueue(
        tx,
        DELIVER,
        {
          protocol: "diaspora",
          url: peer.inbox,
          senderUserId: 1 as UserId,
          recipientId: null,
        },
        { documentId, lane: `deliver:${text}`, host: peer.origin },
      );
    }
  });
}

function listJobs() {
  return db.read
    .selectFrom("jobs")
    .innerJoin("job_documents", "job_documents.id", "jobs.document_id")
    .select(["body", "state", "leased_by", "attempts"])
    .where("kind", "=", DELIVER.name)
    .execute();
}

async function assertNothingLeft(): Promise<void> {
  await eventually(
    async () => assert.deepEqual(await listJobs(), []),
    TAKEN_OVER_WITHIN_MS,
  );
}

describe("leases of a killed server", () => {
  forEachDatabase((kind) => {
    beforeEach(() => openAll(kind));
    afterEach(closeAll);

    test("are taken over by the restarted one long before they expire", async () => {
      await putDeliveries(["one", "two"]);
      const killed = await start("serve");
      await eventually(async () => assert.equal(peer.received.length, 2));
      await end(killed, "SIGKILL");
      const leased = await listJobs();
      assert.deepEqual(
        leased.map(({ state }) => state),
        ["leased", "leased"],
      );

      await start("serve");
      await eventually(async () => {
        assert.equal(peer.countOf("one"), 2);
        assert.equal(peer.countOf("two"), 2);
      }, TAKEN_OVER_WITHIN_MS);
      peer.release();
      await assertNothingLeft();
      assert.equal(peer.received.length, 4, "and nothing is sent once more");
    });
  });
});

describe("a job whose process crashes each time it runs", () => {
  forEachDatabase((kind) => {
    /** The connections to a server that accepts them and stays silent. */
    let connections: Socket[];
    const silent = createServer((socket) => {
      connections.push(socket.on("error", () => {}));
    });
    let silentHost: string;
    beforeEach(async () => {
      await openAll(kind);
      connections = [];
      silent.listen(0, "127.0.0.1");
      await once(silent, "listening");
      const { port } = silent.address() as AddressInfo;
      silentHost = `127.0.0.1:${port}`;
    });
    afterEach(async () => {
      await closeAll();
      for (const socket of connections) socket.destroy();
      silent.close();
    });

    const reason = (starts: number): string =>
      `Started ${starts} times without finishing`;

    const queue = (verb: string) =>
      runKith(
        ["queue", verb, "--kind", FETCH_LINKED.name],
        settingsFor(database),
      );

    async function findJob() {
      return db.read
        .selectFrom("jobs")
        .select(["state", "unsettled_leases", "last_error"])
        .where("kind", "=", FETCH_LINKED.name)
        .executeTakeFirstOrThrow();
    }

    test("is dead after its last attempt, and the server stays up", async () => {
      const jobs = createJobs({ db, clock: systemClock });
      const author = `someone@${silentHost}`;
      const links = [{ author, guid: "0123456789abcdef" }];
      const cause = { userId: 1 as UserId, personId: null };
      await db.transaction((tx) =>
        jobs.enqueue(tx, FETCH_LINKED, { links, cause }),
      );
      for (let run = 1; run <= FETCH_LINKED.maxAttempts; run += 1) {
        const killed = await start("serve");
        if (run > 2) await skipBackOff(run - 1);
        await eventually(
          async () => assert.equal(connections.length, run),
          TAKEN_OVER_WITHIN_MS,
        );
        await end(killed, "SIGKILL");
        const { state, unsettled_leases } = await findJob();
        assert.deepEqual([state, unsettled_leases], ["leased", run]);
      }

      const last = await start("serve");
      let log = "";
      last.stdout?.on("data", (chunk) => (log += String(chunk)));
      await skipBackOff(FETCH_LINKED.maxAttempts);
      await eventually(async () =>
        assert.equal((await findJob()).state, "dead"),
      );
      assert.equal(connections.length, FETCH_LINKED.maxAttempts);
      assert.equal(last.exitCode, null);
      const { output } = await queue("list");
      assert.match(output, /1 dead/);
      assert.ok(output.includes(reason(FETCH_LINKED.maxAttempts)), output);
      assert.match(log, /"level":50.*"kind":"fetch-linked".*is marked dead/);
    });

    /** Waits until the job has been taken over and postponed, and makes it due. */
    async function skipBackOff(starts: number): Promise<void> {
      await eventually(
        async () => assert.equal((await findJob()).last_error, reason(starts)),
        TAKEN_OVER_WITHIN_MS,
      );
      await queue("retry");
    }
  });
});

describe("two processes on one PostgreSQL", () => {
  beforeEach(() => openAll("postgres"));
  afterEach(closeAll);

  const texts = Array.from({ length: 16 }, (_, index) => `delivery ${index}`);

  /** Waits until one of the processes has looked for abandoned leases: it takes a job of an instance that never existed. */
  async function awaitReclaim(name: string): Promise<void> {
    await db.transaction(async (tx) => {
      await tx
        .insertInto("jobs")
        .values({
          kind: "forget-inbound",
          pool: "work",
          payload: "{}",
          lane: name,
          state: "leased",
          leased_by: 1,
          attempts: 1,
          run_at: "2026-01-01T00:00:00.000Z",
          lease_until: "9999-01-01T00:00:00.000Z",
          created_at: "2026-01-01T00:00:00.000Z",
        })
        .execute();
    });
    await eventually(async () => {
      const row = await db.read
        .selectFrom("jobs")
        .select("state")
        .where("lane", "=", name)
        .executeTakeFirstOrThrow();
      assert.equal(row.state, "ready");
    });
  }

  test("share the work, keep their leases while they live, and inherit them", async () => {
    const serve = await start("serve");
    const worker = await start("worker");
    await putDeliveries(texts);
    await eventually(async () => {
      assert.equal(peer.received.length, texts.length);
    });
    const leased = await listJobs();
    const holders = new Set(leased.map((job) => job.leased_by));
    assert.equal(
      holders.size,
      2,
      "both took some: a process sends eight at once to one host",
    );
    for (const round of [1, 2, 3]) await awaitReclaim(`decoy ${round}`);
    assert.deepEqual(await listJobs(), leased);
    for (const text of texts) assert.equal(peer.countOf(text), 1, text);

    await end(worker, "SIGKILL");
    peer.release();
    await assertNothingLeft();
    const again = texts.filter((text) => peer.countOf(text) === 2);
    const once = texts.filter((text) => peer.countOf(text) === 1);
    assert.equal(again.length + once.length, texts.length);
    const shares = [...holders].map((holder) =>
      leased
        .filter((job) => job.leased_by === holder)
        .map(({ body }) => body)
        .toSorted(),
    );
    assert.ok(
      shares.some((share) => share.join() === again.toSorted().join()),
      "what the killed one held, and nothing else, was sent again",
    );
    assert.equal(serve.exitCode, null);
  });
});
