import assert from "node:assert/strict";
import { test } from "node:test";
import { toText } from "./html.ts";
import { timeView } from "./time-view.ts";

const NOW = new Date("2024-06-15T12:00:00.000Z");

const words = (at: string) =>
  />([^<]*)<\/time/.exec(toText(timeView(at, NOW)))?.[1]?.trim();

test("a time says how long ago it was, later its day", () => {
  assert.equal(words("2024-06-15T11:59:30.000Z"), "now");
  assert.equal(words("2024-06-15T11:55:00.000Z"), "5 minutes ago");
  assert.equal(words("2024-06-15T09:00:00.000Z"), "3 hours ago");
  assert.equal(words("2024-06-14T11:00:00.000Z"), "yesterday");
  assert.equal(words("2024-05-01T12:00:00.000Z"), "May 1, 2024");
});

test("a clock that was ahead makes no future", () => {
  assert.equal(words("2024-06-15T12:00:09.000Z"), "now");
});

test("machines read the exact time", () => {
  const at = "2024-06-15T11:55:00.123Z";
  assert.match(
    toText(timeView(at, NOW)),
    /datetime="2024-06-15T11:55:00\.123Z"/,
  );
});
