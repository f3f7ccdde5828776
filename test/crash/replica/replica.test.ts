import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import {
  killPostgres,
  promote,
} from "../../../scripts/testing/test-postgres-standby.ts";
import { prepareQuery } from "../../../packages/server/src/db/prepared-query.ts";
import {
  withCurrentReads,
  withOldReads,
} from "../../../packages/server/src/lib/caching/old-reads.ts";
import { openDatabase } from "../../../packages/server/src/db/open-database.ts";
import { examineReplica } from "../../../packages/server/src/db/postgres/examine-replica.ts";
import { TransactionPooler } from "../../../packages/server/test/support/pooler/transaction-pooler.ts";
import { MAX_AGE_MS } from "../../../packages/server/src/db/replica/replica-progress.ts";
import { eventually } from "../../support/kith-process.ts";
import { query, ReplicaScene } from "./replica-scene.ts";

const ACTIVITY = "application/activity+json";
/** A paused standby is read for some seconds; what follows in that time shows it. */
const QUICKLY_MS = 2_000;
const MAX_ATTEMPTS = 5;

describe(
  "strangers read from a standby of PostgreSQL",
  { concurrency: false },
  () => {
    let scene: ReplicaScene;
    before(async () => {
      scene = await ReplicaScene.start();
    });
    after(() => scene?.stop());

    /** Runs `work` while nothing is replayed; again if this machine was too slow for it to show anything. */
    async function whilePaused<T>(
      prepare: () => Promise<T>,
      work: (prepared: T) => Promise<void>,
    ): Promise<void> {
      for (let attempt = 1; ; attempt += 1) {
        const prepared = await prepare();
        await scene.isUsed();
        await scene.pauseReplay();
        const startedAtMs = performance.now();
        try {
          await work(prepared);
          return;
        } catch (error) {
          const tookMs = performance.now() - startedAtMs;
          if (tookMs < QUICKLY_MS || attempt === MAX_ATTEMPTS) throw error;
        } finally {
          await scene.resumeReplay();
        }
      }
    }

    /** @returns the Guid of a post that strangers see in lists */
    async function publishAndWait(text: string): Promise<string> {
      const guid = await scene.publish(text);
      await eventually(async () => {
        assert.ok((await scene.asStranger("/u/ann")).text.includes(guid));
      });
      return guid;
    }

    const keepAsking = async (
      paths: readonly string[],
      isOver: () => boolean,
    ) => {
      let asked = 0;
      for (; !isOver(); asked += 1)
        for (const path of paths) {
          const { status, text } = await scene.asStranger(path);
          assert.equal(status, 200, `${path}: ${text}`);
        }
      return asked;
    };

    test("their lists come from there, what they name is found, and the writer reads all that it wrote", async () => {
      const prepare = () => scene.asAnn("/u/ann");
      await whilePaused(prepare, async () => {
        const text = `Written at ${performance.now()}`;
        const guid = await scene.publish(text);
        for (const path of ["/u/ann", "/u/ann/feed.atom"])
          assert.ok(!(await scene.asStranger(path)).text.includes(text), path);
        const own = await scene.ann.get("/posts");
        assert.ok(JSON.stringify(own).includes(text));
        assert.ok((await scene.asAnn("/u/ann")).text.includes(text));
        // Other servers ask for what was just sent to them.
        const accept = { accept: ACTIVITY };
        const page = await scene.asStranger(`/posts/${guid}`);
        const object = await scene.asStranger(`/posts/${guid}`, accept);
        for (const found of [page, object]) {
          assert.equal(found.status, 200);
          assert.ok(found.text.includes(text));
        }
      });
      const asked = await query(
        scene.standby.url,
        "select 1 from pg_stat_activity where datname = 'kith' and application_name = 'kith'",
      );
      assert.ok(asked.length > 0, "connections to the standby");
    });

    test("a replica that falls behind is read for five seconds at most", async () => {
      await scene.isUsed();
      await scene.pauseReplay();
      try {
        const text = "After the standby stopped";
        await scene.publish(text);
        const writtenAtMs = performance.now();
        while (!(await scene.asStranger("/u/ann")).text.includes(text)) {
          assert.ok(performance.now() - writtenAtMs < 2 * MAX_AGE_MS);
          await sleep(50);
        }
        const before = await scene.countAnswers();
        await scene.asStranger("/u/ann");
        const { replica, primary } = await scene.countAnswers();
        assert.equal(replica, before.replica);
        assert.ok(primary > before.primary);
      } finally {
        await scene.resumeReplay();
      }
      await scene.isUsed();
    });

    test("a deleted post is gone for them at once, whether the standby has replayed that or not", async () => {
      const text = "To be deleted";
      const prepare = () => publishAndWait(text);
      await whilePaused(prepare, async (guid) => {
        await scene.ann.delete(`/posts/${guid}`);
        for (const path of ["/u/ann", `/posts/${guid}`]) {
          // In the process that deleted it.
          const there = await scene.asStranger(path, { isWriting: true });
          assert.ok(!there.text.includes(text), path);
        }
        // The other one has the notice within moments.
        await eventually(async () => {
          const here = await scene.asStranger("/u/ann");
          assert.ok(!here.text.includes(text));
        }, QUICKLY_MS);
        const gone = await scene.asStranger(`/posts/${guid}`);
        assert.equal(gone.status, 404);
      });
    });

    test("the reads of strangers end in no cache from which the writer reads", async () => {
      const prepare = () => publishAndWait("To be liked");
      await whilePaused(prepare, async (guid) => {
        const page = `/posts/${guid}`;
        await scene.ann.post(`/posts/${guid}/likes`);
        await scene.asStranger(page, { isWriting: true });
        const { LikesCount } = await scene.ann.getRecord(page);
        assert.equal(LikesCount, 1);
      });
    });

    test("a query that replaying contradicts is asked again of the primary", async () => {
      await query(
        scene.primaryUrl,
        "create table contradicted as select 1 as n",
      );
      const db = await openDatabase({
        ...{ kind: "postgres", url: scene.primaryUrl },
        replicaUrl: scene.replicaUrl,
      });
      try {
        const { replica } = db;
        assert.ok(replica);
        const read = async (pauseS: number) => {
          const { rows } = await sql<{ n: number; isReplica: boolean }>`
          select n, pg_is_in_recovery() as "isReplica"
          from contradicted, pg_sleep(${pauseS}::float8)`.execute(db.read);
          return rows[0];
        };
        const answer = (pauseS: number) =>
          replica.answer(
            () => read(pauseS),
            () => false,
          );
        await eventually(async () => {
          assert.deepEqual(await answer(0), { n: 1, isReplica: true });
        });
        assert.deepEqual(await read(0), { n: 1, isReplica: false });
        const before = replica.state();
        const answered = answer(2);
        await sleep(500);
        await query(
          scene.primaryUrl,
          "alter table contradicted add column m int",
        );
        assert.deepEqual(await answered, { n: 1, isReplica: false });
        assert.equal(replica.state().askedAgain, before.askedAgain + 1);
        // A query that is wrong fails as it does without a replica.
        const wrong = replica.answer(
          () => sql`select 1 / 0`.execute(db.read),
          () => true,
        );
        await assert.rejects(wrong, /division by zero/);
        // Whoever writes reads it.
        const written = await replica.answer(
          async () => {
            await db.transaction((tx) =>
              sql`update contradicted set n = 2`.execute(tx),
            );
            return read(0);
          },
          () => false,
        );
        assert.deepEqual(written, { n: 2, isReplica: false });
      } finally {
        await db.close();
      }
    });

    test("changes all the time do not keep them from it", async () => {
      const db = await openDatabase({
        ...{ kind: "postgres", url: scene.primaryUrl },
        replicaUrl: scene.replicaUrl,
      });
      const { replica } = db;
      assert.ok(replica);
      const changing = setInterval(() => replica.require(), 5);
      try {
        const ask = sql`select 1`;
        await eventually(async () => {
          const before = replica.state();
          for (let n = 0; n < 20; n += 1)
            await replica.answer(
              () => ask.execute(db.read),
              () => false,
            );
          const answers = replica.state().answers - before.answers;
          assert.ok(answers >= 10, `${answers} of 20`);
        });
      } finally {
        clearInterval(changing);
        await db.close();
      }
    });

    test("both servers can be behind poolers in transaction mode", async () => {
      const [toPrimary, toReplica] = await Promise.all(
        [scene.primaryUrl, scene.replicaUrl].map((url) =>
          TransactionPooler.start(url, 2),
        ),
      );
      assert.ok(toPrimary && toReplica);
      const db = await openDatabase({
        ...{ kind: "postgres", url: scene.primaryUrl, poolUrl: toPrimary.url },
        replicaUrl: toReplica.url,
      });
      const { replica } = db;
      assert.ok(replica);
      try {
        await eventually(async () => {
          const answers = await Promise.all(
            Array.from({ length: 50 }, (_, n) =>
              replica.answer(
                async () => {
                  const { rows } = await sql<{ n: number; isReplica: boolean }>`
                  select ${n}::int as n, pg_is_in_recovery() as "isReplica"`.execute(
                    db.read,
                  );
                  return rows[0];
                },
                () => false,
              ),
            ),
          );
          for (const [n, answer] of answers.entries())
            assert.deepEqual(answer, { n, isReplica: true });
        });
        assert.deepEqual([...toPrimary.refusals, ...toReplica.refusals], []);
      } finally {
        await db.close();
        await Promise.all([toPrimary.close(), toReplica.close()]);
      }
    });

    test("a query that strangers and others ask in one turn is not merged", async () => {
      const db = await openDatabase({
        ...{ kind: "postgres", url: scene.primaryUrl },
        replicaUrl: scene.replicaUrl,
      });
      const { replica } = db;
      assert.ok(replica);
      const ask = prepareQuery<{ n: number }, { isReplica: boolean }>(
        (reader, value) =>
          sql<{
            isReplica: boolean;
          }>`select pg_is_in_recovery() as "isReplica" where ${value("n")}::bigint > 0`.compile(
            reader,
          ),
        { types: { n: "bigint" } },
      );
      const answer = () =>
        replica.answer(
          () => ask(db.read, { n: 1 }),
          () => false,
        );
      try {
        await eventually(async () => {
          assert.deepEqual(await answer(), [{ isReplica: true }]);
        });
        const found = await withOldReads(() =>
          Promise.all([
            ask(db.read, { n: 1 }),
            withCurrentReads(() => ask(db.read, { n: 2 })),
            ask(db.read, { n: 3 }),
          ]),
        );
        assert.deepEqual(
          found.map(([row]) => row?.isReplica),
          [true, false, true],
        );
      } finally {
        await db.close();
      }
    });

    test("the doctor knows it, and every other server", async () => {
      const urls = { url: scene.primaryUrl, replicaUrl: scene.replicaUrl };
      const good = await examineReplica(urls);
      assert.equal(good.state, "ok", good.says);
      assert.match(
        await scene.askDoctor(),
        /The replica has what was committed/,
      );
      for (const [replicaUrl, expected] of [
        [scene.primaryUrl, /is no standby/],
        [scene.replicaUrl.replace(/kith$/, "postgres"), /of another database/],
        ["postgres://kith@127.0.0.1:1/kith", /cannot be read/],
      ] as const) {
        const finding = await examineReplica({ ...urls, replicaUrl });
        assert.notEqual(finding.state, "ok");
        assert.match(finding.says, expected);
      }
    });

    for (const [how, lose] of [
      ["is killed", async () => killPostgres(scene.standby)],
      ["no longer answers", async () => scene.door.stall()],
    ] as const)
      test(`no request fails while the standby ${how}, and the next one is read`, async () => {
        await scene.isUsed();
        let isOver = false;
        const asking = [1, 2, 3].map(() =>
          keepAsking(["/u/ann", "/"], () => isOver),
        );
        try {
          await sleep(300);
          await lose();
          await sleep(3_000);
        } finally {
          isOver = true;
        }
        for (const asked of await Promise.all(asking)) assert.ok(asked > 0);
        await scene.replaceStandby();
        await scene.isUsed();
      });

    test("one that was promoted is no replica: nothing is read from it any more", async () => {
      await scene.isUsed();
      await promote(scene.standby);
      const text = "After the promotion";
      await scene.publish(text);
      await eventually(async () => {
        const { status, text: page } = await scene.asStranger("/u/ann");
        assert.equal(status, 200);
        assert.ok(page.includes(text));
      }, 2 * MAX_AGE_MS);
      const before = await scene.countAnswers();
      await scene.asStranger("/u/ann");
      assert.equal((await scene.countAnswers()).replica, before.replica);
    });
  },
);
