import assert from "node:assert/strict";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, test } from "node:test";
import type { Db } from "../../packages/server/src/db/db.ts";
import { migrate } from "../../packages/server/src/db/migrate.ts";
import { openDatabase } from "../../packages/server/src/db/open-database.ts";
import { HANDLE_INBOUND } from "../../packages/server/src/federation/inbound/inbound.ts";
import { insertInbound } from "../../packages/server/src/federation/inbound/inbound-store.ts";
import { createJobs } from "../../packages/server/src/jobs/jobs.ts";
import { systemClock } from "../../packages/server/src/lib/time/clock.ts";
import {
  createTestDatabase,
  forEachDatabase,
  type TestDatabase,
} from "../../packages/server/test/support/server/databases.ts";
import { runKith, settingsFor, spawnKith } from "../support/kith-command.ts";

const MISUSED = 2;
const HOST = "https://one.example";
const FAR = new Date("2100-01-01T00:00:00.000Z");

describe("kith queue", () => {
  forEachDatabase((kind) => {
    let database: TestDatabase;
    let db: Db;
    beforeEach(async () => {
      database = await createTestDatabase(kind);
      db = await openDatabase(database.location);
      await migrate(db, systemClock);
      const jobs = createJobs({ db, clock: systemClock });
      await db.transaction(async (tx) => {
        const messageId = await insertInbound(tx, {
          protocol: "diaspora",
          messageId: "m1",
          sender: null,
          recipientUserId: null,
          verified: false,
          body: Buffer.from("what somebody wrote"),
          receivedAt: "2026-01-01T00:00:00.000Z",
        });
        assert.ok(messageId !== undefined);
        const options = { host: HOST, runAt: FAR };
        await jobs.enqueue(tx, HANDLE_INBOUND, { messageId }, options);
      });
      await db.transaction((tx) =>
        tx
          .updateTable("jobs")
          .set({ last_error: "Said\u001b[2J\nsomething" })
          .execute(),
      );
    });
    afterEach(async () => {
      await db.close();
      await database.remove();
    });

    const queue = (...words: string[]) =>
      runKith(["queue", ...words], settingsFor(database));
    const rows = () =>
      db.read.selectFrom("jobs").select(["kind", "run_at"]).execute();

    test("list ends quietly when nobody reads on", async () => {
      const child = spawnKith(["queue", "list"], settingsFor(database));
      child.stdout?.destroy();
      const complaint = child.stderr ? await text(child.stderr) : "";
      assert.equal(complaint, "");
    });

    test("list prints for people and programs", async () => {
      const said = await queue("list", "--host", "one.example");
      assert.equal(said.code, 0, said.complaint);
      assert.match(
        said.output,
        /^kind\tserver\twaiting\trunning\tdead\toldest\tnext\tlast error\nhandle-inbound\thttps:\/\/one\.example\t1 waiting\t0 running\t0 dead\toldest \d+ s\tnext 2100-01-01T00:00:00\.000Z\tSaid \[2J something\n$/,
      );
      const json = await queue("list", "--json");
      const { jobs } = JSON.parse(json.output) as { jobs: object[] };
      const [first] = jobs as { kind: string; waiting: number }[];
      assert.deepEqual([first?.kind, first?.waiting], ["handle-inbound", 1]);
      const none = await queue("list", "--kind", "deliver");
      assert.match(none.output, /^kind\t.*\nNo jobs\.\n$/);
    });

    test("retry makes jobs due", async () => {
      const said = await queue("retry", "--kind", "handle-inbound");
      assert.match(said.output, /^Due now: 1 waiting and 0 dead/);
      const [row] = await rows();
      assert.ok(Date.parse(row?.run_at ?? "") <= Date.now());
    });

    test("drop requires confirmation, and removes a message completely", async () => {
      for (const words of [
        ["drop", "--yes"],
        ["drop", "--kind", "handle-inbound"],
        ["drop", "now", "--yes"],
        ["empty"],
      ]) {
        const refused = await queue(...words);
        assert.equal(refused.code, MISUSED, words.join(" "));
        assert.equal((await rows()).length, 1);
      }
      const said = await queue("drop", "--host", "one.example", "--yes");
      assert.equal(said.output, "Dropped: 1.\n");
      assert.deepEqual(await rows(), []);
      const message = await db.read
        .selectFrom("inbound_messages")
        .select(["body", "outcome"])
        .executeTakeFirstOrThrow();
      assert.equal(message.body, null);
      assert.equal(message.outcome, "dropped");
    });

    test("its options are refused elsewhere", async () => {
      const said = await runKith(
        ["account", "list", "--json"],
        settingsFor(database),
      );
      assert.equal(said.code, MISUSED);
      assert.match(said.complaint, /kith account takes no --json/);
    });
  });
});
