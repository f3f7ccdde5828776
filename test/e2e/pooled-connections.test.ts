import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import {
  frame,
  FrameReader,
} from "../../packages/server/test/support/pooler/frames.ts";
import { TransactionPooler } from "../../packages/server/test/support/pooler/transaction-pooler.ts";
import { runKith } from "../support/kith-command.ts";
import { eventually, KithProcess } from "../support/kith-process.ts";
import { Resident } from "../support/resident.ts";

describe(
  "PostgreSQL behind a pooler in transaction mode",
  { concurrency: false },
  () => {
    const settings: Record<string, string> = {};
    let kith: KithProcess;
    let pooler: TransactionPooler;
    let ann: Resident;
    let bob: Resident;

    before(async () => {
      kith = await KithProcess.start({
        ...{
          database: "postgres",
          protocols: "activitypub,diaspora",
          settings,
        },
      });
      await kith.stop();
      const { location } = kith;
      assert.ok(location.kind === "postgres");
      // A transaction that waited for a query outside of it would wait forever.
      pooler = await TransactionPooler.start(location.url, 1);
      settings["KITH_DATABASE_POOL_URL"] = pooler.url;
      settings["KITH_PROCESSES"] = "2";
      await kith.start();
      ann = await Resident.settle(kith, "ann");
      bob = await Resident.settle(kith, "bob");
    });
    after(async () => {
      await kith?.remove();
      await pooler?.close();
    });

    test("many write and read at once, and each finds what was acknowledged", async () => {
      const people = await ann.gather("people", [bob]);
      const texts = Array.from({ length: 60 }, (_, n) => `Number ${n}`);
      const lendings = pooler.lendings;
      const guids = await Promise.all(
        texts.map((text, n) =>
          ann.publish(text, n % 2 === 0 ? {} : { aspect: people }),
        ),
      );
      assert.ok(pooler.lendings - lendings >= texts.length);
      const found = await Promise.all(
        guids.map((guid) => bob.api.getRecord(`/posts/${guid}`)),
      );
      assert.deepEqual(
        found.map(({ Text }) => Text),
        texts,
      );
      assert.deepEqual(pooler.refusals, []);
    });

    test("jobs run, and notify the other one", async () => {
      const [guid = ""] = await Promise.all([bob.publish("For likes")]);
      await ann.api.post(`/posts/${guid}/likes`);
      await ann.api.post(`/posts/${guid}/comments`, { comment: "Hear, hear" });
      await eventually(async () => {
        const notices = await bob.api.getList("/notifications");
        // The notice of the contact belongs to the test before, and may come late.
        assert.deepEqual(notices.map(({ TargetType }) => TargetType).sort(), [
          "Comment",
          "Contact",
          "Like",
        ]);
      });
      assert.deepEqual(pooler.refusals, []);
    });

    test("a query that comes in pieces, behind another one, stays on its connection", async () => {
      const socket = connect(Number(new URL(pooler.url).port), "127.0.0.1");
      const reader = new FrameReader({ hasStartUp: false });
      const answers: string[] = [];
      socket.on("data", (bytes: Buffer) => {
        for (const { type } of reader.read(bytes)) answers.push(type);
      });
      const answered = (times: number) =>
        eventually(async () => {
          assert.equal(answers.filter((it) => it === "Z").length, times);
        });
      const text = (value: string) => Buffer.from(`${value}\0`);
      const parse = (query: string) =>
        frame("P", Buffer.concat([text(""), text(query), Buffer.alloc(2)]));
      const bind = frame("B", Buffer.alloc(8));
      const execute = frame("E", Buffer.alloc(5));
      const sync = frame("S", Buffer.alloc(0));
      const startUp = Buffer.from([0, 0, 0, 8, 0, 3, 0, 0]);
      socket.write(startUp);
      await answered(1);
      const first = [parse("select pg_sleep(0.2)"), bind, execute, sync];
      socket.write(Buffer.concat([...first, parse("select 2"), bind]));
      await answered(2);
      socket.write(Buffer.concat([execute, sync]));
      await answered(3);
      socket.destroy();
      assert.ok(!answers.includes("E"), answers.join(""));
    });

    test("a refused write changes nothing, and the next one has a clean connection", async () => {
      const refused = await Promise.all(
        Array.from({ length: 12 }, () =>
          ann.api.call("POST", "/posts", { post: "x", aspectID: "999999" }),
        ),
      );
      assert.ok(refused.every(({ status }) => status === 404));
      assert.ok(await ann.publish("After that"));
    });

    test("connections of the pooler read no whole tables, as ours do", async () => {
      const { location } = kith;
      assert.ok(location.kind === "postgres");
      const client = new pg.Client({ connectionString: location.url });
      await client.connect();
      const { rows } = await client.query("show enable_seqscan");
      await client.end();
      assert.deepEqual(rows, [{ enable_seqscan: "off" }]);
    });

    test("commands work beside it, and the pooler alone is no database", async () => {
      const listed = await runKith(["account", "list"], {
        ...kith.settings,
        ...settings,
      });
      assert.equal(listed.code, 0, listed.complaint);
      assert.match(listed.output, /ann/);
      const alone = await runKith(["config", "show"], {
        ...{ ...kith.settings, ...settings },
        KITH_DATABASE_URL: "",
      });
      assert.notEqual(alone.code, 0);
      assert.match(alone.complaint, /KITH_DATABASE_POOL_URL is set/);
    });
  },
);
