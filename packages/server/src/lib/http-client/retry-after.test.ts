import assert from "node:assert/strict";
import { test } from "node:test";
import { readRetryAfter } from "./retry-after.ts";

const DAY = 24 * 3_600_000;
const NOW = new Date("2026-11-06T08:49:37.000Z");

test("Retry-After is read as seconds and as a date in all three forms", () => {
  for (const [text, ms] of [
    ["0", 0],
    ["120", 120_000],
    [" 120 ", 120_000],
    ["Fri, 06 Nov 2026 08:50:37 GMT", 60_000],
    ["Friday, 06-Nov-26 08:50:37 GMT", 60_000],
    ["Fri Nov  6 08:50:37 2026", 60_000],
    ["Fri, 06 Nov 2026 08:48:37 GMT", 0],
  ] as const)
    assert.equal(readRetryAfter(text, NOW), ms, text);
});

test("an absurd time is cut to a day, and an unreadable one counts for nothing", () => {
  assert.equal(readRetryAfter(undefined, NOW), 0);
  for (const text of [
    "86401",
    "31536000",
    "9".repeat(400),
    "Fri, 31 Dec 9999 23:59:59 GMT",
  ])
    assert.equal(readRetryAfter(text, NOW), DAY, text);
  for (const text of [
    "",
    "soon",
    "-5",
    "1.5",
    "1e9",
    "0x10",
    "Infinity",
    "120, 240",
    "wait 9999",
    "2999",
    "2999-01-01",
    "2999-01-01T00:00:00Z",
    "Fri, 99 Nov 2026 08:50:37 GMT",
  ])
    assert.equal(readRetryAfter(text, NOW), text === "2999" ? 2_999_000 : 0);
});
