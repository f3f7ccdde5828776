import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import {
  createTestDatabase,
  forEachDatabase,
} from "../../test/support/server/databases.ts";
import { openDatabase } from "../db/open-database.ts";
import { migrate, MIGRATIONS } from "../db/migrate.ts";
import { orderOfThings } from "../db/migrations/0040-order-of-things.ts";
import type { PersonId, UserId } from "../features/ids.ts";
import { createJobs } from "../jobs/jobs.ts";
import { plainLimits } from "../jobs/worker/concurrency-limiter.ts";
import { livingInstance } from "../jobs/queue.fixture.ts";
import { Worker } from "../jobs/worker/worker.ts";
import { silentLog } from "../observability/log.ts";
import { DONE, type JobResult } from "../jobs/job.ts";
import { TestClock } from "../../test/support/server/test-clock.ts";
import { DELIVER } from "./delivery/deliver.ts";
import { putInQueue } from "./outbound/dispatch.ts";

const URL_OF_INBOX = "https://peer.example/inbox";
const ANN = 12 as PersonId;

forEachDatabase((kind) => {
  test("jobs that waited in the lane of their sender go out in order, pass refused ones, and are followed by new ones", async (t) => {
    const database = await createTestDatabase(kind);
    const db = await openDatabase(database.location);
    t.after(async () => {
      await db.close();
      await database.remove();
    });
    const clock = new TestClock();
    clock.stopAt(new Date("2026-01-01T00:00:00.000Z"));
    const old = MIGRATIONS.filter(
      ({ number }) => number < orderOfThings.number,
    );
    await migrate(db, clock, { migrations: old });
    const now = clock.now().toISOString();
    const payloadOf = (name: string) =>
      JSON.stringify({ url: URL_OF_INBOX, name });
    const lanes = [`deliver:${ANN}>${URL_OF_INBOX}`, "deliver:relay:3"];
    for (const [index, name] of ["one", "poison", "two", "three"].entries())
      for (const [of, lane] of lanes.entries())
        await db.transaction((tx) =>
          sql`insert into jobs (kind, pool, state, attempts, created_at,
              payload, lane, host, run_at, turn)
            values ('deliver', 'delivery', 'ready', ${index}, ${now},
              ${payloadOf(`${name} ${of}`)}, ${lane}, 'https://peer.example',
              ${now}, ${now})`.execute(tx),
        );
    assert.ok((await migrate(db, clock)).includes(orderOfThings.name));

    const jobs = createJobs({ db, clock });
    const worker = new Worker({
      ...{ db, clock, jobs, log: silentLog(), lock: livingInstance(1) },
      slots: {
        ...{ work: plainLimits(8), delivery: plainLimits(8) },
        import: plainLimits(1),
      },
    });
    const ran: string[] = [];
    const refused: JobResult = {
      ...{ kind: "retry", afterMs: 60_000, reason: "Answered 500" },
      stepAside: true,
    };
    worker.handle(DELIVER, async (payload) => {
      const { name = "new" } = payload as { name?: string };
      ran.push(name);
      return name.startsWith("poison") ? refused : DONE;
    });
    await db.transaction((tx) =>
      putInQueue({ db, jobs, clock }, tx, [
        {
          document: "new",
          order: { about: "a post", afterRelationsOf: ANN },
          deliveries: [
            {
              ...{ protocol: "activitypub", url: URL_OF_INBOX },
              place: URL_OF_INBOX,
              senderUserId: 1 as UserId,
              recipientId: null,
            },
          ],
        },
      ]),
    );
    await worker.settle();
    await worker.stop();
    const ofAnn = ran.filter((name) => !name.endsWith("1"));
    assert.deepEqual(ofAnn, ["one 0", "poison 0", "two 0", "three 0", "new"]);
    const ofRelay = ran.filter((name) => name.endsWith("1"));
    assert.deepEqual(ofRelay, ["one 1", "poison 1", "two 1", "three 1"]);
  });
});
