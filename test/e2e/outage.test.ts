import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Json } from "../support/api-client.ts";
import {
  guidOf,
  guidsOf,
  startConversation,
  type Conversation,
} from "../support/conversation.ts";
import { eventually } from "../support/kith-process.ts";
import { combinationsInTime, type Combination } from "../support/long-run.ts";

/** It is probed every 15 s after the first minute; the rest is for a slow machine. The back-off alone would take longer. */
const BACK_WITHIN_MS = 60_000;
/** Less than until the next probe, if there were one. */
const SOON_MS = 14_000;
/** The third pause between attempts is 45 s: this is in the middle of it. */
const LONG_OUTAGE_MS = 75_000;

// All run concurrently, because they mostly wait.
describe("a receiver that was down", { concurrency: true }, () => {
  for (const options of combinationsInTime())
    describe(
      `${options.protocols}, ${options.database}`,
      { concurrency: false },
      () => playOutage(options),
    );
});

function playOutage(options: Combination): void {
  let talk: Conversation;

  before(async () => {
    talk = await startConversation(options);
  });
  after(() => talk.remove());

  async function publish(text: string, aspectId: string): Promise<string> {
    return guidOf(
      await talk.g1.post("/posts", { post: text, aspectID: aspectId }),
    );
  }

  test("gets all missed deliveries soon after it is back, in order", async () => {
    const { two, g1, g2, aspectId } = talk;
    const old = await publish("seen, then deleted", "0");
    const known = await publish("seen", aspectId);
    const like = await g1.post(`/posts/${known}/likes/true`);
    await eventually(async () => {
      assert.equal((await g2.getList("/posts")).length, 2);
      const likes = await g2.getList(`/posts/${known}/likes`);
      assert.deepEqual(guidsOf(likes), guidsOf([like]));
    });

    const stoppedAt = performance.now();
    assert.equal(await two.stop(), 0, two.output);

    await nextSecond();
    const missed = [
      await publish("missed, public", "0"),
      await publish("missed, private", aspectId),
    ];
    await nextSecond();
    missed.push(await publish("missed, public again", "0"));
    const passing = await publish("never seen", "0");
    const comments: Json[] = [];
    for (const guid of [known, ...missed]) {
      const path = `/posts/${guid}`;
      comments.push(await g1.post(`${path}/comments`, { comment: "missed" }));
    }
    const firstMissed = `/posts/${missed[0] ?? ""}`;
    const newLike = await g1.post(`${firstMissed}/likes/true`);
    await g1.delete(`/likes/${guidOf(like)}`);
    await g1.delete(`/posts/${old}`);
    await g1.delete(`/posts/${passing}`);
    const backAt = stoppedAt + LONG_OUTAGE_MS;
    await eventually(async () => {
      assert.ok(performance.now() > backAt, "the outage lasts");
    }, LONG_OUTAGE_MS + 1_000);

    await two.start();
    await eventually(async () => {
      const there = guidsOf(await g2.getList("/posts"));
      assert.deepEqual(there.toSorted(), [known, ...missed].toSorted());
      for (const [index, guid] of [known, ...missed].entries()) {
        const list = await g2.getList(`/posts/${guid}/comments`);
        assert.deepEqual(guidsOf(list), [guidOf(comments[index])]);
      }
      const likes = await g2.getList(`${firstMissed}/likes`);
      assert.deepEqual(guidsOf(likes), guidsOf([newLike]));
      assert.deepEqual(await g2.getList(`/posts/${known}/likes`), []);
    }, BACK_WITHIN_MS);
    for (const guid of [old, passing])
      assert.equal((await g2.call("GET", `/posts/${guid}`)).status, 404);
    const inOrder = guidsOf(await g1.getList("/posts"));
    const publicOnes = inOrder.filter((guid) => guid !== missed[1]);
    const stream = guidsOf(await g2.getList("/posts"));
    assert.deepEqual(
      stream.filter((guid) => guid !== missed[1]),
      publicOnes,
    );
  });

  test("and later ones arrive at once", async () => {
    const { g2 } = talk;
    const guid = await publish("after", "0");
    await eventually(() => g2.getRecord(`/posts/${guid}`), SOON_MS);
  });
}

/** diaspora* gives whole seconds, without an order within them. */
async function nextSecond(): Promise<void> {
  const second = wholeSecond();
  await eventually(async () => assert.notEqual(wholeSecond(), second));
}

function wholeSecond(): number {
  return Math.floor(Date.now() / 1000);
}
