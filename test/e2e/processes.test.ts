import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openDatabase } from "../../packages/server/src/db/open-database.ts";
import { ApiClient } from "../support/api-client.ts";
import { getWholeList, guidOf, guidsOf } from "../support/conversation.ts";
import { KithCluster } from "../support/kith-cluster.ts";
import { eventually, KithProcess } from "../support/kith-process.ts";

const WITHIN_MS = 120_000;
const BURST = 24;

/** Runs `work` while the workers are killed in turn; each is restarted before the next is killed. */
async function whileKilling(
  cluster: KithCluster,
  work: () => Promise<void>,
): Promise<number> {
  let isDone = false;
  const working = work().finally(() => {
    isDone = true;
  });
  let kills = 0;
  for (; !isDone || kills < 4; kills += 1) {
    await cluster.killWorker(kills % 2);
    await cluster.startWorker(kills % 2);
  }
  await working;
  return kills;
}

for (const protocols of ["activitypub", "diaspora"])
  describe(`two web processes and two workers, over ${protocols}`, () => {
    let cluster: KithCluster;
    let other: KithProcess;
    let g1: ApiClient;
    /** The same account, at each of the web processes. */
    let at: readonly ApiClient[];
    let g2: ApiClient;

    before(async () => {
      [cluster, other] = await Promise.all([
        KithCluster.start(2, 2),
        KithProcess.start({ database: "sqlite", protocols }),
      ]);
      g1 = await ApiClient.signUp(cluster.baseUrl, "g1");
      at = cluster.webUrls.map((url) => g1.at(url));
      g2 = await ApiClient.signUp(other.baseUrl, "g2");
      for (const [me, you] of [
        [g1, other.handle("g2")],
        [g2, cluster.handle("g1")],
      ] as const) {
        const person = await me.post("/search", { handle: you });
        const aspect = await me.post("/aspects", { aspect_name: "test" });
        await me.post(
          `/people/${String(person["ID"])}/aspects/${String(aspect["ID"])}`,
        );
      }
      for (const me of [g1, g2])
        await eventually(async () => {
          assert.equal((await me.getList("/notifications")).length, 1);
        });
    });
    after(async () => {
      await cluster.remove();
      await other.remove();
    });

    test("lose nothing and do nothing twice, whichever worker is killed at any time", async () => {
      const here: string[] = [];
      const there: string[] = [];
      const kills = await whileKilling(cluster, async () => {
        for (let number = 0; number < BURST; number += 1) {
          const web = at[number % at.length];
          assert.ok(web);
          const options = { aspectID: "0" };
          const text = `number ${number}`;
          here.push(
            guidOf(await web.post("/posts", { post: text, ...options })),
          );
          there.push(
            guidOf(await g2.post("/posts", { post: text, ...options })),
          );
        }
      });
      assert.ok(kills >= 4);
      const all = [...here, ...there].toSorted();
      for (const client of [...at, g2])
        await eventually(async () => {
          const list = guidsOf(await getWholeList(client, "/posts"));
          assert.deepEqual(list.toSorted(), all);
        }, WITHIN_MS);

      // Replies come back, with one notification.
      const answered = here.slice(0, 6);
      await whileKilling(cluster, async () => {
        for (const guid of answered)
          await g2.post(`/posts/${guid}/comments`, { comment: guid });
      });
      await eventually(async () => {
        for (const guid of answered)
          for (const client of [...at, g2]) {
            const list = await client.getList(`/posts/${guid}/comments`);
            assert.equal(list.length, 1, guid);
          }
        const notifications = await getWholeList(g1, "/notifications");
        assert.equal(notifications.length, 1 + answered.length);
      }, WITHIN_MS);
      await assertNothingLeft();
    });

    async function assertNothingLeft(): Promise<void> {
      const db = await openDatabase(cluster.database.location);
      try {
        await eventually(async () => {
          const jobs = await db.read
            .selectFrom("jobs")
            .select(["kind", "state", "last_error"])
            .where("kind", "not in", [
              "advance-series",
              "back-up",
              "clean-storage",
              "end-polls",
              "forget-apps",
              "forget-bans",
              "forget-newcomer-acts",
              "forget-dead",
              "forget-inbound",
              "forget-link-previews",
              "forget-removed-objects",
              "forget-spam-hits",
              "keep-local-times",
              "mail-digests",
              "maintain-database",
              "place-arrivals",
              "read-linked-pages",
              "record-statistics",
              "refresh-calendars",
              "remind",
              "sweep-imports",
              "sweep-media",
            ])
            .execute();
          assert.deepEqual(jobs, []);
        }, WITHIN_MS);
      } finally {
        await db.close();
      }
    }
  });
