import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { forEachDatabase } from "../../../test/support/server/databases.ts";
import { MAX_PER_HOST } from "../../jobs/worker/concurrency-limiter.ts";
import {
  FAILURES_UNTIL_HELD,
  GIVE_UP_PROBING_AFTER_MS,
  GONE_FOR_MS,
  HELD_MS,
} from "./schedule.ts";
import { openSender, type Sender } from "./sender.fixture.ts";

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const LANES = Array.from({ length: 12 }, (_, index) => `lane ${index}`);

describe("the breaker of a host", () => {
  forEachDatabase((kind) => {
    let sender: Sender;
    beforeEach(async () => {
      sender = await openSender(kind);
    });
    afterEach(() => sender.close());

    const deliveries = async () =>
      (await sender.jobs()).filter((job) => job.kind === "deliver");
    const attempts = async () =>
      (await deliveries()).reduce((sum, job) => sum + job.attempts, 0);
    const breakIt = async (): Promise<void> => {
      sender.peer.goDown();
      await sender.dispatch("held", LANES);
      await sender.settle();
      const [host] = await sender.hosts();
      assert.ok(host && host.failures >= FAILURES_UNTIL_HELD);
    };
    const probe = async (): Promise<void> => {
      sender.clock.advance(15 * SECOND);
      await sender.settle();
    };

    test("holds all that waits after some failures in a row, and what is put in later", async () => {
      await breakIt();
      const tried = await attempts();
      await sender.dispatch("later", LANES);
      for (let time = 0; time < 8; time += 1) await probe();
      // Each that failed before the breaker opened may still come in its own time, once.
      const came = (await attempts()) - tried;
      assert.ok(came < FAILURES_UNTIL_HELD, `${came} besides the probe`);
      const waiting = await deliveries();
      assert.equal(waiting.length, 2 * LANES.length);
      const soonest = sender.clock.now().getTime() + HELD_MS / 2;
      for (const { run_at, state } of waiting)
        assert.ok(state === "ready" && Date.parse(run_at) > soonest, run_at);
    });

    test("lets one try when somebody opens, and then all, in order", async () => {
      await breakIt();
      await sender.dispatch("later", LANES);
      sender.peer.comeBack();
      await probe();
      assert.equal(sender.peer.countOf("held"), LANES.length);
      assert.equal(sender.peer.countOf("later"), LANES.length);
      assert.deepEqual(await deliveries(), []);
      assert.deepEqual(await sender.hosts(), []);
    });

    test("stays as it is where the host opens and takes nothing", async () => {
      await breakIt();
      sender.peer.comeBack();
      sender.answer(500);
      for (let time = 0; time < 8; time += 1) await probe();
      // One that failed before the breaker opened may still come in its own time.
      const came = sender.peer.received.length;
      assert.ok(came >= 8 && came <= 8 + FAILURES_UNTIL_HELD, `${came} came`);
      assert.equal((await deliveries()).length, LANES.length);
      sender.answer(202);
      await probe();
      assert.deepEqual(await deliveries(), []);
    });

    test("is remembered over a restart, and closed by a sign of life", async () => {
      await breakIt();
      const tried = await attempts();
      await sender.restart();
      await sender.dispatch("later", ["lane 0"]);
      await sender.settle();
      assert.equal(await attempts(), tried);
      sender.peer.comeBack();
      await sender.noteSignOfLife();
      await sender.settle();
      assert.equal(sender.peer.visits, 0, "no probe was needed");
      assert.equal(sender.peer.received.length, LANES.length + 1);
    });

    test("ends what is older than its time, though it was not tried", async () => {
      await breakIt();
      const days = 12;
      const before = await attempts();
      for (let day = 0; day < days; day += 1) {
        sender.clock.advance(HELD_MS + HOUR);
        await sender.settle();
      }
      for (const { state } of await deliveries()) assert.equal(state, "dead");
      const tries = (await attempts()) - before;
      assert.ok(tries <= days * MAX_PER_HOST, `${tries} in ${days} days`);
    });

    test("nothing is kept for a host that was silent for a month, until it gives a sign of life", async () => {
      await breakIt();
      sender.clock.advance(GIVE_UP_PROBING_AFTER_MS + HOUR);
      await sender.settle();
      const before = (await sender.jobs()).length;
      await sender.dispatch("lost", LANES);
      assert.equal((await sender.jobs()).length, before);
      sender.peer.comeBack();
      await sender.noteSignOfLife();
      await sender.dispatch("sent again", LANES);
      await sender.settle();
      assert.equal(sender.peer.countOf("sent again"), LANES.length);
      assert.equal(sender.peer.countOf("lost"), 0);
      assert.deepEqual(await sender.hosts(), []);
    });

    test("one that says when to come back gets nothing before, from no lane", async () => {
      for (const status of [429, 503]) {
        sender.answer(status, { "retry-after": "600" });
        await sender.put(`first ${status}`, { lane: "one" });
        await sender.settle();
        const came = sender.peer.received.length;
        await sender.dispatch(`second ${status}`, ["two", "three"]);
        sender.answer(202);
        sender.clock.advance(599 * SECOND);
        await sender.settle();
        assert.equal(sender.peer.received.length, came);
        sender.clock.advance(SECOND);
        await sender.settle();
        assert.equal(sender.peer.countOf(`second ${status}`), 2);
        assert.deepEqual(await deliveries(), []);
        assert.deepEqual(await sender.hosts(), []);
      }
    });

    test("is not opened by deliveries to somebody who only claims to live there", async () => {
      const url = `${sender.peer.origin}/receive/users/mallory`;
      for (const [status, headers] of [
        [500, {}],
        [503, { "retry-after": "600" }],
      ] as const) {
        sender.answer(status, headers);
        for (const lane of LANES) {
          const body = `claimed ${status} ${lane}`;
          await sender.put(body, { lane: body, url, isHostClaimed: true });
        }
        await sender.settle();
        assert.deepEqual(await sender.hosts(), []);
        const least = status === 503 ? 600 * SECOND : 4 * SECOND;
        const pause = await sender.pauseOf(`claimed ${status} lane 0`);
        assert.ok(pause >= least, `they wait all the same: ${pause} ms`);
      }
      sender.answer(202);
      await sender.dispatch("to somebody who does", ["real"]);
      await sender.settle();
      assert.equal(sender.peer.countOf("to somebody who does"), 1);
    });

    test("an accepted delivery meanwhile does not end the pause that a host asked for", async () => {
      const came = Promise.withResolvers<() => void>();
      sender.peer.act((response) =>
        came.resolve(() => response.writeHead(202).end()),
      );
      await sender.put("on its way", { lane: "slow" });
      const settled = sender.settle();
      const answer = await came.promise;
      await sender.onRetryAfter(600 * SECOND);
      answer();
      await settled;
      const [host] = await sender.hosts();
      assert.ok(host?.held_until, "it is still left alone");
    });

    test("an inbox that is gone gets nothing more, other inboxes of its host do, and inbound activity restores it", async () => {
      const gone = `${sender.peer.origin}/gone`;
      sender.peer.act((response, { path }) =>
        response.writeHead(path === "/gone" ? 410 : 202).end(),
      );
      await sender.dispatch("one", ["gone"], gone);
      await sender.settle();
      assert.equal((await sender.gone()).length, 1);
      const before = (await sender.jobs()).length;
      await sender.dispatch("two", ["gone"], gone);
      assert.equal((await sender.jobs()).length, before);
      await sender.dispatch("two", ["other"]);
      await sender.settle();
      assert.equal(sender.peer.countOf("two"), 1);

      sender.answer(202);
      await sender.noteSignOfLife();
      assert.deepEqual(await sender.gone(), []);
      assert.deepEqual(await sender.hosts(), []);
      await sender.dispatch("three", ["gone"], gone);
      await sender.settle();
      assert.equal(sender.peer.countOf("three"), 1);
    });

    test("an inbox that is gone is asked again after a month", async () => {
      sender.answer(410);
      await sender.dispatch("one", ["gone"]);
      await sender.settle();
      sender.clock.advance(GONE_FOR_MS + HOUR);
      sender.answer(202);
      await sender.dispatch("two", ["gone"]);
      await sender.settle();
      assert.equal(sender.peer.countOf("two"), 1);
    });
  });
});
