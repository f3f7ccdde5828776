import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { MAX_TURN_AHEAD_MS, FairOrder } from "./fair-order.ts";

const NOW = Date.parse("2026-01-01T00:00:00.000Z");

describe("turns", () => {
  test("of many each next one is later, none further than is looked for", () => {
    const turns = new FairOrder().take(1, 10_000, NOW);
    assert.equal(turns.length, 10_000);
    assert.equal(turns[0], NOW);
    assert.deepEqual(
      turns,
      turns.toSorted((a, b) => a - b),
    );
    assert.equal(turns.at(-1), NOW + MAX_TURN_AHEAD_MS);
  });

  test("one of another sender comes long before the last of many", () => {
    const turns = new FairOrder();
    const many = turns.take(1, 1_000, NOW);
    const [one = NaN] = turns.take(2, 1, NOW + 10);
    const before = many.filter((turn) => turn <= one);
    assert.ok(before.length <= 3, `${before.length} go first`);
  });

  test("many of two senders alternate, though one was first", () => {
    const turns = new FairOrder();
    const first = turns.take(1, 1_000, NOW);
    const second = turns.take(2, 1_000, NOW + 100);
    const middle = second[500] ?? NaN;
    const before = first.filter((turn) => turn < middle);
    assert.ok(before.length <= 550, `${before.length} go first`);
  });

  test("more of the same sender stand behind its last ones, a few do not", () => {
    const turns = new FairOrder();
    const last = turns.take(1, 1_000, NOW).at(-1) ?? NaN;
    const [more = NaN] = turns.take(1, 1_000, NOW + 1);
    assert.ok(more >= last);
    const [reply = NaN] = turns.take(1, 2, NOW + 2);
    assert.equal(reply, NOW + 2);
  });

  test("however many senders there are, what the last ones sent is remembered", () => {
    const turns = new FairOrder();
    const ends = new Map<number, number>();
    for (let sender = 0; sender <= 10_000; sender += 1)
      ends.set(sender, turns.take(sender, 100, NOW).at(-1) ?? NaN);
    for (const sender of [9_000, 10_000]) {
      const [more = NaN] = turns.take(sender, 100, NOW);
      assert.equal(more, ends.get(sender));
    }
  });
});
