import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { forEachDatabase } from "../../../test/support/server/databases.ts";
import { openSender, type Sender } from "./sender.fixture.ts";

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

describe("delivery", () => {
  forEachDatabase((kind) => {
    let sender: Sender;
    beforeEach(async () => {
      sender = await openSender(kind);
    });
    afterEach(() => sender.close());

    test("posts the document, signed at the moment of sending, and forgets the job", async () => {
      await sender.put("<post/>");
      await sender.settle();
      const [received] = sender.peer.received;
      assert.equal(received?.body, "<post/>");
      assert.equal(received.path, "/receive/public");
      assert.equal(received.headers["content-type"], "text/plain");
      assert.equal(received.headers["x-signed"], "POST");
      assert.deepEqual(await sender.jobs(), []);
      assert.deepEqual(await sender.hosts(), []);
    });

    for (const status of [200, 201, 202, 204])
      test(`${status} is a success`, async () => {
        sender.answer(status);
        await sender.put("one");
        await sender.settle();
        assert.deepEqual(await sender.jobs(), []);
      });

    test("a success is one however long its answer is", async () => {
      sender.peer.act((response) => {
        response.writeHead(200).end(Buffer.alloc(300_000));
      });
      await sender.put("one");
      await sender.settle();
      assert.deepEqual(await sender.jobs(), []);
      assert.equal(sender.peer.received.length, 1);
    });

    test("queued messages of a suspended person are not sent, except for retractions", async () => {
      await sender.put("a post");
      await sender.put("its end", { evenSuspended: true });
      sender.suspended.add(1);
      await sender.settle();
      const bodies = () => sender.peer.received.map(({ body }) => body);
      assert.deepEqual(bodies(), ["its end"]);
      const [job] = await sender.jobs();
      assert.equal(job?.state, "dead");
      assert.equal(job.last_error, "Its sender is suspended");
      sender.suspended.delete(1);
      await sender.put("another post");
      await sender.settle();
      assert.deepEqual(bodies(), ["its end", "another post"]);
    });

    test("an answer that is final ends the job, which stays to be seen", async () => {
      sender.answer(410);
      await sender.put("one");
      await sender.settle();
      const [job] = await sender.jobs();
      assert.equal(job?.state, "dead");
      assert.equal(job.last_error, "Answered 410");
      const [host] = await sender.hosts();
      assert.equal(host?.failing_since, null, "the host is well");
      assert.equal(host.held_until, null);
    });

    for (const status of [301, 401, 408, 429])
      test(`${status} is tried again, and says nothing against the host`, async () => {
        sender.answer(status);
        await sender.put("one");
        await sender.settle();
        const pause = await sender.pauseOf("one");
        assert.ok(pause >= 4 * SECOND && pause <= 6 * SECOND, `${pause} ms`);
        assert.deepEqual(await sender.hosts(), []);
      });

    test("an answer that is worth one more attempt gets it after its pause, and whatever came between", async () => {
      // No probe that would let it go earlier.
      sender.answer(429);
      await sender.put("one");
      await sender.settle();
      sender.clock.advance(await sender.pauseOf("one"));
      sender.answer(402);
      await sender.settle();
      assert.equal(await sender.pauseOf("one"), HOUR);
      sender.clock.advance(HOUR);
      await sender.settle();
      const [job] = await sender.jobs();
      assert.equal(job?.state, "dead");
      assert.equal(job.last_error, "Answered 402");
      assert.equal(sender.peer.countOf("one"), 3);
    });

    test("the pauses grow as the schedule says, and end with a dead job", async () => {
      sender.answer(429);
      await sender.put("one");
      const pauses: number[] = [];
      for (let attempt = 1; attempt <= 16; attempt += 1) {
        await sender.settle();
        pauses.push(await sender.pauseOf("one"));
        sender.clock.advance(pauses.at(-1) ?? 0);
      }
      const bases = [5, 15, 45, 120, 300, 900, 3_600, 10_800, 28_800];
      for (const [index, pause] of pauses.entries()) {
        const base = (bases[index] ?? 86_400) * SECOND;
        assert.ok(pause >= base * 0.8 && pause <= base * 1.2, `${index}`);
      }
      await sender.settle();
      assert.equal(sender.peer.received.length, 17);
      assert.equal((await sender.jobs())[0]?.state, "dead");
    });

    test("Retry-After is heeded, in seconds and as a date, up to a day", async () => {
      const inTwoHours = new Date(sender.clock.now().getTime() + 2 * HOUR);
      for (const [text, least, most] of [
        ["3600", HOUR, HOUR],
        [inTwoHours.toUTCString(), 2 * HOUR - SECOND, 2 * HOUR],
        ["31536000", 24 * HOUR, 24 * HOUR],
        ["0", 4 * SECOND, 6 * SECOND],
        ["soon", 4 * SECOND, 6 * SECOND],
      ] as const) {
        sender.answer(503, { "retry-after": text });
        await sender.put(text, { lane: text });
        await sender.settle();
        const pause = await sender.pauseOf(text);
        assert.ok(pause >= least && pause <= most, `${text}: ${pause} ms`);
      }
    });

    test("waiting deliveries go out in order once the host is back, after one probe", async () => {
      sender.peer.goDown();
      for (const body of ["one", "two", "three"]) await sender.put(body);
      await sender.settle();
      const [host] = await sender.hosts();
      assert.equal(host?.host, sender.peer.origin);
      assert.equal(host.failures, 1, "the lane waits behind its head");

      for (let probe = 0; probe < 5; probe += 1) {
        sender.clock.advance(15 * SECOND);
        await sender.settle();
      }
      assert.equal(sender.peer.received.length, 0);
      sender.peer.comeBack();
      sender.clock.advance(15 * SECOND);
      await sender.settle();
      assert.deepEqual(
        sender.peer.received.map(({ body }) => body),
        ["one", "two", "three"],
      );
      assert.deepEqual(await sender.hosts(), []);
      sender.clock.advance(15 * SECOND);
      await sender.settle();
      assert.deepEqual(await sender.jobs(), [], "and the probes have ended");
    });

    test("a host that answers, but takes nothing, gets each delivery in its own time, and every attempt counts", async () => {
      sender.answer(500);
      await sender.put("one");
      await sender.settle();
      for (let probe = 0; probe < 40; probe += 1) {
        sender.clock.advance(15 * SECOND);
        await sender.settle();
      }
      const delivery = (await sender.jobs()).find(
        ({ kind }) => kind === "deliver",
      );
      assert.equal(delivery?.state, "ready");
      const came = sender.peer.received.length;
      assert.equal(delivery.attempts, came);
      // Its own in ten minutes, and some as probes.
      assert.ok(came >= 5 && came <= 9, `${came} attempts`);

      sender.clock.advance(11 * 24 * HOUR);
      await sender.settle();
      const later = (await sender.jobs()).find(
        ({ kind }) => kind === "deliver",
      );
      assert.equal(later?.state, "dead", "but after its time it ends");
    });

    test("a sign of life lets one delivery try, and the others follow it", async () => {
      sender.peer.goDown();
      for (const body of ["one", "two", "three"])
        await sender.put(body, { lane: body });
      await sender.settle();
      sender.peer.comeBack();
      await sender.noteSignOfLife();
      await sender.settle();
      assert.equal(sender.peer.received.length, 3);
      assert.equal(sender.peer.visits, 0, "no probe was needed");
    });

    test("one knocker for each host, however often it comes and goes", async () => {
      for (let round = 0; round < 3; round += 1) {
        sender.peer.goDown();
        await Promise.all(
          ["a", "b", "c"].map((lane) => sender.put(`${round}`, { lane })),
        );
        await sender.settle();
        sender.peer.comeBack();
        await sender.noteSignOfLife();
        await sender.settle();
      }
      const probes = (await sender.jobs()).filter(
        ({ kind, state }) => kind === "probe-host" && state !== "dead",
      );
      assert.equal(probes.length, 1);
    });

    test("an address that our rules forbid is given up at once", async () => {
      await sender.put("one", { url: "ftp://127.0.0.1/receive/public" });
      await sender.settle();
      assert.equal((await sender.jobs())[0]?.state, "dead");
      assert.deepEqual(await sender.hosts(), []);
    });
  });
});
