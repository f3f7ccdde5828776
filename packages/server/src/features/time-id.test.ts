import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  insertWithTimeId,
  nextRange,
  TIME_ID_KIND,
  timeIdRange,
  type TimeIdKind,
  type TimeIdRange,
} from "./time-id.ts";

const NOW = new Date("2026-03-01T12:00:00.567Z");
const kinds = Object.keys(TIME_ID_KIND) as TimeIdKind[];
const rangeOf = (kind: TimeIdKind, at: string, guid = "g", now = NOW) =>
  timeIdRange(kind, new Date(at), guid, now);

test("an id is the hundredth of a second, the kind, and a counter", () => {
  const { first, end } = rangeOf("comment", "2026-03-01T11:59:59.123Z");
  const hundredths = Math.floor(Date.parse("2026-03-01T11:59:59.123Z") / 10);
  assert.equal(first, hundredths * 4096 + 1024);
  assert.equal(end - first, 1024);
});

test("the kinds never share a number", () => {
  const times = fc.date({
    min: new Date(0),
    max: NOW,
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(times, fc.string(), (at, guid) => {
      const ranges = kinds.map((kind) => timeIdRange(kind, at, guid, NOW));
      for (const [n, { first }] of ranges.entries())
        assert.ok(n === 0 || (ranges[n - 1]?.end ?? 0) <= first);
    }),
  );
});

test("of whole seconds the time in a Guid counts, where it is of that second", () => {
  const at = "2026-03-01T11:59:59.000Z";
  const ms = Date.parse(at);
  const timed = (sinceMs: number, version = "7") =>
    `${(ms + sinceMs).toString(16).padStart(12, "0")}${version}abc8${"0".repeat(15)}`;
  const hundredth = (guid: string) =>
    (rangeOf("comment", at, guid).first - 1024) / 4096 - ms / 10;
  assert.deepEqual(
    [0, 9, 10, 120, 999].map((sinceMs) => hundredth(timed(sinceMs))),
    [0, 0, 1, 12, 99],
  );
  // A time of another second, or none: any hundredth within the second.
  const others = [timed(-1), timed(1000), timed(120, "4"), "no uuid"];
  for (const guid of others) {
    assert.ok(hundredth(guid) >= 0 && hundredth(guid) < 100);
    assert.equal(hundredth(guid), hundredth(guid));
  }
  assert.notEqual(hundredth(timed(120, "4")), 12);
});

test("later things have higher ids, and all are exact as JSON numbers", () => {
  const times = fc.integer({ min: 1, max: Date.UTC(2600, 0) });
  fc.assert(
    fc.property(times, times, (one, two) => {
      const now = new Date(Date.UTC(2600, 1));
      const [early, late] = [Math.min(one, two), Math.max(one, two) + 1000];
      const before = timeIdRange("event", new Date(early), "a", now);
      const after = timeIdRange("post", new Date(late), "b", now);
      assert.ok(before.end <= after.first);
      assert.ok(Number.isSafeInteger(after.end));
    }),
  );
});

test("a whole second is spread over its hundredths by the Guid, always alike", () => {
  const at = "2026-03-01T11:00:00.000Z";
  const start = Date.parse(at) / 10;
  const seen = new Set<number>();
  for (let n = 0; n < 500; n++) {
    const { first } = rangeOf("post", at, `guid${n}`);
    assert.equal(rangeOf("post", at, `guid${n}`).first, first);
    const hundredths = Math.floor(first / 4096);
    assert.ok(hundredths >= start && hundredths < start + 100);
    seen.add(hundredths);
  }
  assert.ok(seen.size > 60);
});

test("no id is in the future or before 1970", () => {
  const newest = Math.floor(NOW.getTime() / 10) * 4096;
  const second = new Date("2026-03-01T12:00:00.000Z");
  for (const at of ["2026-03-01T12:00:01.000Z", "9999-12-31T00:00:00.001Z"])
    assert.equal(rangeOf("post", at).first, newest);
  for (let n = 0; n < 200; n++) {
    const { first } = timeIdRange("post", second, `g${n}`, second);
    assert.equal(first, Math.floor(second.getTime() / 10) * 4096);
  }
  for (const at of ["1969-12-31T23:59:59.999Z", "0001-01-01T00:00:00.001Z"])
    assert.equal(rangeOf("post", at).first, 4096);
});

test("a full hundredth goes on in the next one", async () => {
  const start = rangeOf("comment", "2026-03-01T11:59:59.120Z");
  const taken = new Set<number>();
  const free = ({ first, end }: TimeIdRange) => {
    const inside = [...taken].filter((id) => id >= first && id < end);
    return Math.max(first - 1, ...inside) + 1;
  };
  const isFull = async (range: TimeIdRange) => free(range) >= range.end;
  const insert = async (range: TimeIdRange) => {
    const id = free(range);
    if (id >= range.end) return undefined;
    taken.add(id);
    return id;
  };
  const ids: number[] = [];
  for (let n = 0; n < 1030; n++)
    ids.push(await insertWithTimeId("comment", start, insert, isFull));
  assert.equal(ids[0], start.first);
  assert.equal(ids[1023], start.end - 1);
  assert.equal(ids[1024], nextRange("comment", start).first);
  assert.deepEqual(
    ids,
    ids.toSorted((a, b) => a - b),
  );
});

test("an id that somebody else has just taken is tried again", async () => {
  const start = rangeOf("post", "2026-03-01T11:59:59.120Z");
  let tries = 0;
  const id = await insertWithTimeId(
    "post",
    start,
    async ({ first }) => {
      assert.equal(first, start.first);
      tries += 1;
      return tries === 3 ? first + 2 : undefined;
    },
    async () => false,
  );
  assert.equal(id, start.first + 2);
  assert.equal(tries, 3);
});
