import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import type { LeasedJob } from "../job.ts";
import {
  MAX_PER_HOST,
  ConcurrencyLimiter,
  type Run,
} from "./concurrency-limiter.ts";

const LIMITS = { active: 10, unproven: 3, running: 20, slowAfterMs: 1_000 };

describe("slots", () => {
  let slots: ConcurrencyLimiter;
  let ids: number;
  beforeEach(() => {
    slots = new ConcurrencyLimiter(LIMITS);
    ids = 0;
  });

  const job = (host: string | null): LeasedJob => ({
    ...{
      id: (ids += 1),
      lease: 1,
      kind: "note",
      payload: {},
      documentId: null,
    },
    ...{ lane: null, host, attempts: 1, unsettledLeases: 1, createdAt: "" },
    requestId: null,
  });
  const times = (count: number, host: string): string[] =>
    Array.from({ length: count }, () => host);
  const due = (...hosts: string[]) => hosts.map((host) => job(host));
  const start = (host: string, atMs: number): Run => {
    const [one] = slots.choose([job(host)]);
    assert.ok(one, `${host} may start`);
    return slots.take(one, atMs);
  };
  const answer = (host: string, ...laps: [number, number]): void => {
    const one = start(host, laps[0]);
    slots.release(one, laps[1]);
  };

  test("hosts that are not known share few slots, and leave the others to the known", () => {
    const strangers = due("a", "b", "c", "d", "e");
    assert.equal(slots.choose(strangers).length, LIMITS.unproven);
    answer("known", 0, 100);
    for (const host of ["a", "b", "c"]) start(host, 100);
    assert.deepEqual(slots.wanted(), { only: ["known"] });
    const chosen = slots.choose(due("d", "known", "known", "e"));
    assert.deepEqual(
      chosen.map(({ host }) => host),
      ["known", "known"],
    );
  });

  test("one that waits long gives its slot to others, and its host is known for it", () => {
    answer("slow", 0, 100);
    for (let count = 0; count < MAX_PER_HOST; count += 1) start("slow", 100);
    answer("quick", 100, 200);
    assert.equal(slots.free(), 2);
    assert.equal(slots.releaseSlowSlots(1_099), false);
    assert.equal(slots.releaseSlowSlots(1_100), true);
    assert.equal(slots.free(), LIMITS.active);
    assert.deepEqual(slots.wanted(), { allBut: ["slow"] });
    assert.equal(slots.choose(due("slow")).length, 0, "it has enough");
    assert.equal(slots.choose(due(...times(9, "quick"))).length, 8);
  });

  test("of a silent host two begin at once, more once these only wait, eight in all", () => {
    for (let count = 2; count <= MAX_PER_HOST; count += 2) {
      start("silent", count * 1_000);
      start("silent", count * 1_000);
      assert.deepEqual(slots.choose(due("silent")), []);
      assert.deepEqual(slots.wanted(), { allBut: ["silent"] });
      slots.releaseSlowSlots(count * 1_000 + 1_000);
    }
    assert.deepEqual(slots.choose(due("silent")), []);
    assert.equal(slots.free(), LIMITS.active);
  });

  test("a slow host is unproven until it is quick again", () => {
    answer("host", 0, 5_000);
    assert.equal(slots.choose(due(...times(5, "host"))).length, 2);
    answer("host", 5_000, 5_100);
    assert.equal(slots.choose(due(...times(5, "host"))).length, 5);
  });

  test("waiting runs are limited all the same", () => {
    for (let host = 0; host < LIMITS.running; host += 1) {
      start(`silent ${host}`, host * 1_000);
      slots.releaseSlowSlots((host + 1) * 1_000);
    }
    assert.equal(slots.free(), 0);
    assert.equal(slots.wanted(), undefined);
    assert.deepEqual(slots.choose(due("any")), []);
  });

  test("however many hosts answer quickly, one that goes on doing so stays known", () => {
    for (let count = 0; count < 25_000; count += 1) {
      if (count % 5_000 === 0) answer("usual", count, count + 1);
      answer(`host ${count}`, count, count + 1);
    }
    assert.equal(slots.choose(due(...times(5, "usual"))).length, 5);
    assert.equal(slots.choose(due(...times(5, "host 0"))).length, 2);
  });

  test("jobs without a host are nobody's fault", () => {
    for (const host of ["a", "b", "c"]) start(host, 0);
    assert.equal(slots.choose([job(null), job(null)]).length, 2);
  });
});
