import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { runPostCommand } from "../../src/cli/commands/moderation/post-commands.ts";
import type { PostId } from "../../src/features/ids.ts";
import { DELIVER } from "../../src/federation/delivery/deliver.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import {
  startKith,
  type KithServer,
  type TestPerson,
} from "../support/server/kith-server.ts";
import { befriend, settleAll } from "../support/remote/several-servers.ts";
import { DAY_MS } from "../support/server/test-clock.ts";
import type { PostRecord } from "../support/server/wire.ts";

type Delivery = {
  Host: string;
  State: string;
  DeliveredAt: string | null;
  FailedAt: string | null;
  NextAttemptAt: string | null;
};

forEachDatabase((kind) => {
  for (const protocols of ["activitypub", "diaspora"])
    describe(`where posts went, over ${protocols}`, () => {
      let here: KithServer;
      let there: KithServer;
      let down: KithServer;
      let ann: TestPerson;
      let bob: TestPerson;
      let aspectID: number;
      before(async () => {
        const options = { env: { KITH_PROTOCOLS: protocols } };
        [here, there, down] = [
          await startKith(kind, options),
          await startKith(kind, options),
          await startKith(kind, options),
        ];
        ann = await here.person({ handle: "ann" });
        bob = await there.person({ handle: "bob" });
        const bea = await there.person({ handle: "bea" });
        const dora = await down.person({ handle: "dora" });
        aspectID = await befriend(ann, bob.handle);
        for (const { handle } of [bea, dora]) {
          const { ID } = await ann.post<{ ID: number }>("/search", { handle });
          await ann.post(`/people/${ID}/aspects/${aspectID}`);
        }
        await settleAll([here, there, down]);
        await down.app.close();
      });
      after(() => Promise.all([here.close(), there.close(), down.close()]));

      const deliveriesOf = (post: PostRecord) =>
        ann.get<Delivery[]>(`/posts/${post.Guid}/deliveries`);

      /** Publishes in the aspect, and lets everything go out that can. */
      async function publish(text: string): Promise<PostRecord> {
        const post = await ann.post<PostRecord>("/posts", {
          post: text,
          aspectID,
        });
        await here.settle();
        return post;
      }

      const stored = (postId: PostId) =>
        here.db.read
          .selectFrom("delivery_receipts")
          .selectAll()
          .where("post_id", "=", postId)
          .execute();

      test("the author sees which servers have it and which do not, and no recipient", async () => {
        const post = await publish("going out");
        const list = await deliveriesOf(post);
        const byHost = new Map(list.map((one) => [one.Host, one]));
        assert.deepEqual(
          [...byHost.keys()].toSorted(),
          [there.host, down.host].toSorted(),
          "each server once, although two people are there",
        );
        const taken = byHost.get(there.host);
        assert.ok(taken?.DeliveredAt);
        assert.deepEqual(
          [taken.State, taken.FailedAt, taken.NextAttemptAt],
          ["delivered", null, null],
        );
        const waiting = byHost.get(down.host);
        assert.deepEqual(
          [waiting?.State, waiting?.DeliveredAt, waiting?.FailedAt],
          ["waiting", null, null],
        );
        const next = Date.parse(waiting?.NextAttemptAt ?? "");
        assert.ok(next > here.clock.now().getTime() - 60_000);
        const text = JSON.stringify(list);
        for (const secret of ["bob", "bea", "dora", "going out"])
          assert.ok(!text.includes(secret), secret);
        assert.equal((await stored(post.ID)).length, 1, "a small row");
        const page = `/posts/${post.ID}/deliveries?limit=1&offset=1`;
        assert.deepEqual(await ann.get(page), list.slice(1));

        const lines: string[] = [];
        const { features } = here.server;
        const options = { json: false, yes: false };
        const words = ["deliveries", post.Guid];
        await runPostCommand(features, words, options, (line) =>
          lines.push(line),
        );
        assert.equal(lines.length, 3, "with the header");
        assert.ok(
          lines.some((line) => line.startsWith(`${there.host}\tdelivered\t`)),
        );
        await assert.rejects(
          runPostCommand(
            features,
            ["deliveries", "nothing"],
            options,
            () => {},
          ),
          /There is no post nothing/,
        );
      });

      test("for others it answers as for a missing post", async () => {
        const publicPost = await ann.post<PostRecord>("/posts", {
          post: "all",
        });
        await settleAll([here, there]);
        const dan = await here.person();
        const cases = [
          [dan, publicPost.Guid],
          [dan, String(publicPost.ID)],
          [bob, publicPost.Guid],
          [ann, "0123456789abcdef0123"],
        ] as const;
        const answers = [];
        for (const [who, name] of cases) {
          const path = `/posts/${name}/deliveries`;
          const { status, text } = await who.call("GET", path);
          answers.push(`${status} ${text}`);
        }
        assert.deepEqual([...new Set(answers)], [answers[3]]);
        assert.match(answers[0] ?? "", /^404 /);
      });

      test("a dead delivery is shown as failed, and a retraction leaves nothing", async () => {
        const post = await publish("never arrives");
        for (let day = 0; day < 14; day += 1) {
          for (const { clock } of [here, there]) clock.advance(DAY_MS);
          await here.settle();
        }
        const failed = (await deliveriesOf(post)).find(
          ({ Host }) => Host === down.host,
        );
        assert.deepEqual(
          [failed?.State, failed?.DeliveredAt, failed?.NextAttemptAt],
          ["failed", null, null],
        );
        assert.ok(failed?.FailedAt);
        assert.equal((await stored(post.ID)).length, 2);
        await ann.delete(`/posts/${post.Guid}`);
        assert.deepEqual(await stored(post.ID), []);
        await ann.notFound("GET", `/posts/${post.Guid}/deliveries`);
      });

      test("a post that is retracted while it goes out does not keep its jobs from ending", async () => {
        const { receipts } = here.server.features;
        const host = "https://one.example";
        const postId = 987_654 as PostId;
        await here.db.transaction((tx) =>
          receipts.note(tx, [{ postId, host, isDelivered: true }]),
        );
        assert.deepEqual(await stored(postId), []);
        const post = await ann.post<PostRecord>("/posts", { post: "regret" });
        await ann.delete(`/posts/${post.Guid}`);
        await settleAll([here, there]);
        assert.deepEqual(await stored(post.ID), []);
        const left = await here.db.read
          .selectFrom("jobs")
          .select("host")
          .where("kind", "=", DELIVER.name)
          .where("state", "<>", "dead")
          .execute();
        for (const job of left) assert.ok(job.host?.endsWith(down.host));
      });
    });
});
