import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createReadyDatabase,
  forEachDatabase,
  type TestDatabase,
} from "../../test/support/server/databases.ts";
import { TestClock } from "../../test/support/server/test-clock.ts";
import type { Reader } from "../db/db.ts";
import { lockNames } from "../db/lock-names.ts";
import { migrate } from "../db/migrate.ts";
import { openNotices } from "../db/postgres/notices.ts";
import { openDatabase } from "../db/open-database.ts";
import { DONE } from "./job.ts";
import { createJobs } from "./jobs.ts";
import { createTestWorker, livingInstance, NOTE } from "./queue.fixture.ts";

/** What one process has of the database that it shares with others. */
async function openProcess({ location }: TestDatabase) {
  const db = await openDatabase(location);
  const clock = new TestClock();
  await migrate(db, clock);
  clock.stopAt(new Date("2026-01-01T00:00:00.000Z"));
  const notices = await openNotices(location);
  const jobs = createJobs({ db, clock });
  jobs.onEnqueued(() => notices.notify("jobs"));
  const close = async (): Promise<void> => {
    await notices.close();
    await db.close();
  };
  return { db, clock, notices, jobs, close };
}

const hasDocument = async (reader: Reader): Promise<boolean> =>
  (await reader.selectFrom("job_documents").select("id").execute()).length > 0;

forEachDatabase((kind) => {
  test("the worker of one process runs what another process wakes", async () => {
    const database = await createReadyDatabase(kind);
    const one = await openProcess(database);
    const other = await openProcess(database);
    const worker = createTestWorker(one, livingInstance(1));
    const { promise: waits, resolve: wait } = Promise.withResolvers<void>();
    const { promise: isDone, resolve: finish } = Promise.withResolvers<void>();
    const missing = { name: "thing", isHere: hasDocument };
    worker.handle(NOTE, async () => {
      if (await hasDocument(one.db.read)) {
        finish();
        return DONE;
      }
      wait();
      return { kind: "retry", afterMs: 5_000, reason: "not here", missing };
    });
    const { promise: isNotified, resolve: notified } =
      Promise.withResolvers<void>();
    one.notices.listen("jobs", () => {
      worker.wake();
      notified();
    });
    try {
      worker.start();
      await one.db.transaction((tx) =>
        one.jobs.enqueue(tx, NOTE, { name: "waits" }),
      );
      await waits;
      while ((await awaitedIn(one.db.read)) !== missing.name) await soon();
      await other.db.transaction(async (tx) => {
        await lockNames(tx, kind, [missing.name]);
        await other.jobs.addDocument(tx, "the thing");
        await other.jobs.wake(tx, [missing.name]);
      });
      // On SQLite one process works, and there is no other to notify.
      if (kind === "postgres") await isNotified;
      await isDone;
      await worker.stop();
      assert.equal(await awaitedIn(one.db.read), undefined);
    } finally {
      await worker.stop();
      await Promise.all([one.close(), other.close()]);
      await database.remove();
    }
  });
});

/** What the one job waits for; undefined where there is none. */
async function awaitedIn(reader: Reader): Promise<string | null | undefined> {
  const query = reader.selectFrom("jobs").select("awaits");
  return (await query.executeTakeFirst())?.awaits;
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 5));
