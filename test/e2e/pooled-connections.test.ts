import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import pg from "pg";
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
      // Fewer than Kith opens to the pooler.
      pooler = await TransactionPooler.start(location.url, 3);
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
        const notices = (await bob.api.get("/notifications")) as unknown[];
        assert.equal(notices.length, 2);
      });
      assert.deepEqual(pooler.refusals, []);
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
