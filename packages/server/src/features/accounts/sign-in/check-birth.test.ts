import assert from "node:assert/strict";
import { test } from "node:test";
import { checkBirth } from "./check-birth.ts";

const NOW = new Date("2026-03-01T12:00:00.000Z");
const check = (typed: string, minAge = 16) => checkBirth(typed, minAge, NOW);

test("people are old enough from their birthday on", () => {
  assert.equal(check("2010-03-01"), undefined);
  assert.equal(check(" 2010-03-01 "), undefined);
  assert.equal(check("2010-03-02"), "date_of_birth_too_late");
  assert.equal(check("1900-01-01", 120), undefined);
});

test("people born on a leap day are a year older at the end of February", () => {
  assert.equal(
    checkBirth("2008-02-29", 17, new Date("2025-02-28T00:00:00.000Z")),
    undefined,
  );
});

test("a date must be one, of somebody who may live", () => {
  assert.equal(check(" "), "date_of_birth_blank");
  for (const typed of [
    ...["2010-02-30", "2010-13-01", "0000-00-00", "1899-12-31", "2026-03-02"],
    ...["01.03.2010", "2010-3-1", "2010-03-01T00:00", "+002010-03-01", "x"],
    "2010-03-01[u-ca=hebrew]",
  ])
    assert.equal(check(typed), "date_of_birth_malformed", typed);
});
