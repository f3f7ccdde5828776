import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, beforeEach, describe, test } from "node:test";
import type { Db } from "../../packages/server/src/db/db.ts";
import { migrate } from "../../packages/server/src/db/migrate.ts";
import { openDatabase } from "../../packages/server/src/db/open-database.ts";
import type { UserId } from "../../packages/server/src/features/ids.ts";
import { DELIVER } from "../../packages/server/src/federation/delivery/deliver.ts";
import { createJobs } from "../../packages/server/src/jobs/jobs.ts";
import { systemClock } from "../../packages/server/src/lib/time/clock.ts";
import {
  createTestDatabase,
  forEachDatabase,
  type TestDatabase,
} from "../../packages/server/test/support/server/databases.ts";
import { Peer } from "../../packages/server/test/support/remote/peer.ts";
import { settingsFor, spawnKith } from "../support/kith-command.ts";
import { eventually } from "../support/kith-process.ts";
import { findFreePort } from "../../scripts/testing/free-port.ts";

/** Supervisors kill after ten seconds. */
const STOP_WITHIN_MS = 10_000;
const TEXTS = ["one", "two", "three"];

describe("a stop with a slow client and running deliveries", () => {
  forEachDatabase((kind) => {
    let database: TestDatabase;
    let db: Db;
    let peer: Peer;
    let port: number;
    let metricsPort: number;
    let children: ChildProcess[];

    beforeEach(async () => {
      database = await createTestDatabase(kind);
      db = await openDatabase(database.location);
      await migrate(db, systemClock);
      peer = await Peer.start();
      [port, metricsPort] = [await findFreePort(), await findFreePort()];
      children = [];
    });
    afterEach(async () => {
      for (const child of children) {
        if (child.exitCode !== null || child.signalCode !== null) continue;
        const exited = once(child, "exit");
        child.kill("SIGKILL");
        await exited;
      }
      await peer.close();
      await db.close();
      await database.remove();
    });

    async function serve(): Promise<ChildProcess> {
      const child = spawnKith(["serve"], {
        ...settingsFor(database),
        KITH_PORT: String(port),
        KITH_METRICS_PORT: String(metricsPort),
      });
      children.push(child);
      child.stderr?.pipe(process.stderr);
      assert.ok(child.stdout);
      await once(child.stdout, "data");
      return child;
    }

    /** In order: the first runs, the others are queued behind it. */
    async function putDeliveries(): Promise<void> {
      const jobs = createJobs({ db, clock: systemClock });
      await db.transaction(async (tx) => {
        for (const text of TEXTS) {
          const documentId = await jobs.addDocument(tx, text);
          const payload = {
            protocol: "diaspora",
            url: peer.inbox,
            senderUserId: 1 as UserId,
            recipientId: null,
          } as const;
          const lane = "deliver:lane";
          const options = { documentId, lane, host: peer.origin };
          await jobs.enqueue(tx, DELIVER, payload, options);
        }
      });
    }

    const listStates = async (): Promise<string[]> => {
      const rows = await db.read
        .selectFrom("jobs")
        .select("state")
        .where("kind", "=", DELIVER.name)
        .execute();
      return rows.map(({ state }) => state);
    };

    /** A request that never ends, and a client that does not read the answer. */
    async function dawdle(): Promise<void> {
      const slow = connect(port, "127.0.0.1").on("error", () => {});
      await once(slow, "connect");
      slow.write(
        "POST /receive/public HTTP/1.1\r\nhost: localhost\r\n" +
          "content-type: application/xml\r\ncontent-length: 1000\r\n\r\n<half",
      );
      const deaf = connect(port, "127.0.0.1").on("error", () => {});
      await once(deaf, "connect");
      deaf.pause();
      deaf.write(
        "GET /api/v0/openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n",
      );
    }

    for (const signal of ["SIGTERM", "SIGINT"] as const)
      test(`by ${signal} takes less than 10 s, is logged, and the next start resumes the work`, async () => {
        peer.hold();
        const child = await serve();
        await putDeliveries();
        await eventually(async () => assert.equal(peer.received.length, 1));
        await dawdle();
        const readyz = `http://127.0.0.1:${metricsPort}/readyz`;
        assert.equal((await fetch(readyz)).status, 200);

        const exited = once(child, "exit");
        const startedAt = performance.now();
        child.kill(signal);
        await eventually(async () => {
          const answer = await fetch(readyz);
          assert.deepEqual(
            [answer.status, await answer.text()],
            [503, "stopping\n"],
          );
        });
        assert.deepEqual(await exited, [0, null]);
        assert.ok(performance.now() - startedAt < STOP_WITHIN_MS);
        assert.deepEqual(await listStates(), ["ready", "ready", "ready"]);

        peer.release();
        await serve();
        await eventually(async () => assert.deepEqual(await listStates(), []));
        // An interrupted delivery is sent again, because its arrival is unknown.
        assert.deepEqual(
          peer.received.map(({ body }) => body),
          ["one", ...TEXTS],
        );
      });
  });
});
