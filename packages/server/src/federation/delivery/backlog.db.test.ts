import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { forEachDatabase } from "../../../test/support/server/databases.ts";
import { FAILURES_UNTIL_HELD } from "./schedule.ts";
import { openSender, type Sender } from "./sender.fixture.ts";

const SECOND = 1_000;
const LANES = 10;
const BACKLOG = 300;

describe("a backlog", () => {
  forEachDatabase((kind) => {
    let sender: Sender;
    beforeEach(async () => {
      sender = await openSender(kind);
    });
    afterEach(() => sender.close());

    const put = async (from: number, to: number): Promise<void> => {
      for (let count = from; count < to; count += 1)
        await sender.put(`text ${count}`, { lane: `lane ${count % LANES}` });
    };
    const deliveries = async () =>
      (await sender.jobs()).filter((job) => job.kind === "deliver");
    const attempts = async () =>
      (await deliveries()).reduce((sum, job) => sum + job.attempts, 0);

    /** The host was down while "one" was tried; it is up, and refuses "other". */
    const recoverFromFailures = async (): Promise<void> => {
      sender.peer.goDown();
      await sender.put("one");
      for (let pause = 0; pause < 6; pause += 1) {
        await sender.settle();
        sender.clock.advance(7 * SECOND);
      }
      sender.peer.comeBack();
      sender.peer.act((response, { body }) =>
        response.writeHead(body === "other" ? 404 : 202).end(),
      );
    };

    test("to a host that cannot be reached is put off, and the worker rests", async () => {
      sender.peer.goDown();
      await put(0, BACKLOG / 2);
      await sender.settle();
      const tried = await attempts();
      assert.ok(
        tried >= FAILURES_UNTIL_HELD && tried <= LANES,
        "each lane waits behind its head, and after some failures all do",
      );
      // What comes later waits, too, and nobody looks at it.
      await put(BACKLOG / 2, BACKLOG);
      await sender.settle();
      assert.equal(await attempts(), tried);
      const now = sender.clock.now().toISOString();
      const waiting = await deliveries();
      assert.equal(waiting.length, BACKLOG);
      for (const { state, run_at } of waiting)
        assert.ok(state === "ready" && run_at > now, `${state} at ${run_at}`);
    });

    test("is worked off while more comes in, each lane in its order, when the host is back", async () => {
      sender.peer.goDown();
      await put(0, BACKLOG / 2);
      for (let round = 0; round < 5; round += 1) {
        const settled = sender.settle();
        const from = BACKLOG / 2 + round * 10;
        await Promise.all([settled, put(from, from + 10)]);
        sender.clock.advance(7 * SECOND);
      }
      sender.peer.comeBack();
      sender.clock.advance(15 * SECOND);
      const settled = sender.settle();
      await Promise.all([settled, put(BACKLOG / 2 + 50, BACKLOG)]);
      await sender.settle();
      assert.deepEqual(await deliveries(), []);
      assert.equal(sender.peer.received.length, BACKLOG);
      for (let lane = 0; lane < LANES; lane += 1) {
        const came = sender.peer.received
          .map(({ body }) => Number(body.slice("text ".length)))
          .filter((count) => count % LANES === lane);
        assert.deepEqual(
          came,
          came.toSorted((a, b) => a - b),
        );
      }
    });

    test("a host that fails over one and refuses others gets none of them without end", async () => {
      sender.peer.act((response, { body }) =>
        response.writeHead(body === "poison" ? 500 : 404).end(),
      );
      for (const body of ["poison", "gone", "gone, too", "gone as well"])
        await sender.put(body, { lane: body });
      await sender.settle();
      assert.equal(sender.peer.received.length, 4, "each was tried once");
      sender.clock.advance(7 * SECOND);
      await sender.settle();
      const { length } = sender.peer.received;
      assert.ok(length >= 8, "and once more in its time");
      // A probe while the first ones have failed again lets one more go, out of turn.
      assert.ok(length <= 9, `${length} instead of 8`);
      assert.equal(await attempts(), length);
    });

    test("a host that refuses after a longer failure gets what waits for it", async () => {
      await recoverFromFailures();
      await sender.put("other", { lane: "another lane" });
      await sender.settle();
      assert.equal(sender.peer.countOf("other"), 1);
      assert.equal(sender.peer.countOf("one"), 1);
      assert.deepEqual(await sender.hosts(), []);
    });

    test("a probe that ends after a delivery releases nothing again", async () => {
      await recoverFromFailures();
      const isOver = async () => {
        const left = await deliveries();
        return left.length === 1 && left[0]?.attempts === 1;
      };
      sender.peer.actOnVisits((response) => {
        const answer = async () => {
          while (!(await isOver())) await setTimeout(5);
          response.writeHead(200).end();
        };
        void answer();
      });
      await sender.put("other", { lane: "another lane" });
      await sender.settle();
      assert.equal(sender.peer.visits, 1);
      assert.equal(sender.peer.countOf("other"), 1);
      assert.equal(sender.peer.countOf("one"), 1);
      assert.deepEqual(await sender.hosts(), []);
    });
  });
});
