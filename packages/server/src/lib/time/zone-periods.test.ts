import assert from "node:assert/strict";
import { test } from "node:test";
import { areSamePeriods, keptOnClock, periodsOf } from "./zone-periods.ts";

const from = new Date("2027-01-01T00:00:00Z");
const until = new Date("2029-01-01T00:00:00Z");
const HOUR_MS = 3_600_000;

test("periods begin with each change of clocks", () => {
  assert.deepEqual(periodsOf("Europe/Berlin", from, until).offsets, [
    ["2027-01-01T00:00:00.000Z", HOUR_MS],
    ["2027-03-28T01:00:00.000Z", 2 * HOUR_MS],
    ["2027-10-31T01:00:00.000Z", HOUR_MS],
    ["2028-03-26T01:00:00.000Z", 2 * HOUR_MS],
    ["2028-10-29T01:00:00.000Z", HOUR_MS],
  ]);
  assert.equal(periodsOf("UTC", from, until).offsets.length, 1);
  assert.equal(periodsOf("Asia/Tokyo", from, until).offsets.length, 1);
  // In the south they begin the other way round.
  const [, first] = periodsOf("Australia/Sydney", from, until).offsets;
  assert.deepEqual(first, ["2027-04-03T16:00:00.000Z", 10 * HOUR_MS]);
});

test("periods are compared as far as both are known", () => {
  const long = periodsOf("Europe/Berlin", from, until);
  const later = periodsOf("Europe/Berlin", new Date("2027-06-01"), until);
  const at = "2027-07-01T00:00:00.000Z";
  assert.ok(areSamePeriods(long, later, at));
  const other = { ...long, offsets: long.offsets.slice(0, 2) };
  assert.ok(!areSamePeriods(long, other, at));
  assert.ok(!areSamePeriods(long, other, "2028-01-01T00:00:00.000Z"));
  const past = { ...long, until: "2027-10-01T00:00:00.000Z" };
  assert.ok(areSamePeriods(past, other, at));
});

test("an event keeps its local time when the offset of its zone changes", () => {
  const now = periodsOf("Europe/Berlin", from, until);
  // As if there had been no summer time.
  const before = { ...now, offsets: now.offsets.slice(0, 1) };
  const keep = (instant: string) =>
    keptOnClock(before, "Europe/Berlin", instant);
  assert.equal(keep("2027-02-01T09:00:00.000Z"), "2027-02-01T09:00:00.000Z");
  assert.equal(keep("2027-07-01T09:00:00.000Z"), "2027-07-01T08:00:00.000Z");
  // Before and after the periods nothing is known.
  for (const at of ["2026-07-01T09:00:00.000Z", "2031-07-01T09:00:00.000Z"])
    assert.equal(keep(at), at);
});
