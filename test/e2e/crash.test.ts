import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { DATABASE_KINDS } from "../../packages/server/test/support/databases.ts";
import {
  getWholeList,
  guidOf,
  guidsOf,
  startConversation,
  type Conversation,
} from "../support/conversation.ts";
import { eventually } from "../support/kith-process.ts";

const PROTOCOLS = ["diaspora", "activitypub"];
const ROUNDS = 5;
const BURST = 30;
const WITHIN_MS = 60_000;

// All run side by side: most of their time they wait for processes.
describe("killed in the middle", { concurrency: true }, () => {
  for (const database of DATABASE_KINDS)
    for (const protocols of PROTOCOLS)
      describe(`${protocols}, ${database}`, { concurrency: false }, () =>
        playCrashes({ database, protocols }),
      );
});

function playCrashes(options: {
  database: (typeof DATABASE_KINDS)[number];
  protocols: string;
}): void {
  let talk: Conversation;
  const sent: string[] = [];

  before(async () => {
    talk = await startConversation(options);
  });
  after(() => talk.remove());

  /** Everything that was sent is there, once, and nothing else. */
  async function assertAllThere(): Promise<void> {
    await eventually(async () => {
      const there = guidsOf(await getWholeList(talk.g2, "/posts"));
      assert.deepEqual(there.toSorted(), sent.toSorted());
    }, WITHIN_MS);
    const here = guidsOf(await getWholeList(talk.g1, "/posts"));
    assert.deepEqual(here.toSorted(), sent.toSorted());
  }

  test("a sender that is killed right after each answer still delivers each post, once", async () => {
    const { one, g1, aspectId } = talk;
    for (let round = 0; round < ROUNDS; round += 1) {
      const post = await g1.post("/posts", {
        post: `round ${round}`,
        aspectID: round % 2 === 0 ? "0" : aspectId,
      });
      await one.kill();
      sent.push(guidOf(post));
      await one.start();
    }
    await assertAllThere();
  });

  test("a sender that is killed while a burst goes out delivers each post, once", async () => {
    const { one, g1, g2 } = talk;
    for (let number = 0; number < BURST; number += 1)
      sent.push(
        guidOf(
          await g1.post("/posts", { post: `out ${number}`, aspectID: "0" }),
        ),
      );
    const before = sent.length - BURST;
    await eventually(async () => {
      const there = await getWholeList(g2, "/posts");
      assert.ok(there.length > before, "the burst has begun to arrive");
    });
    await one.kill();
    await one.start();
    await assertAllThere();
  });

  test("a receiver that is killed twice while a burst comes in has each post, once", async () => {
    const { two, g1 } = talk;
    for (let number = 0; number < BURST; number += 1) {
      sent.push(
        guidOf(
          await g1.post("/posts", { post: `in ${number}`, aspectID: "0" }),
        ),
      );
      if (number % 10 === 5) await two.kill();
      if (number % 10 === 9) await two.start();
    }
    await assertAllThere();
  });

  test("comments on what arrived in spite of all that arrive as well, once", async () => {
    const { one, two, g1, g2 } = talk;
    const path = `/posts/${sent[0] ?? ""}`;
    const outgoing = await g1.post(`${path}/comments`, { comment: "from one" });
    await one.kill();
    await one.start();
    const answer = await g2.post(`${path}/comments`, { comment: "from two" });
    await two.kill();
    await two.start();
    const both = guidsOf([outgoing, answer]).toSorted();
    for (const client of [g1, g2])
      await eventually(async () => {
        const list = guidsOf(await client.getList(`${path}/comments`));
        assert.deepEqual(list.toSorted(), both);
      }, WITHIN_MS);
  });
}
