import assert from "node:assert/strict";
import { test } from "node:test";
import { addMonths, readMonth, weeksOf } from "./month.ts";

test("a month is read as it is written, and nothing else is", () => {
  assert.equal(readMonth("2027-02"), "2027-02");
  for (const odd of ["2027-13", "2027-2", "0000-01", "9999-12", "x", ""])
    assert.equal(readMonth(odd), undefined, odd);
  assert.equal(readMonth(undefined), undefined);
});

test("months go on across years", () => {
  assert.equal(addMonths("2026-12", 1), "2027-01");
  assert.equal(addMonths("2027-01", -1), "2026-12");
  assert.equal(addMonths("9998-12", 1), "9999-01");
});

test("weeks are whole, and begin as the language does", () => {
  const german = weeksOf("2027-02", "de");
  assert.equal(german.length, 4, "a February that begins on a Monday");
  assert.equal(german[0]?.[0], "2027-02-01");
  assert.equal(german.at(-1)?.at(-1), "2027-02-28");
  const english = weeksOf("2027-02", "en");
  assert.equal(english.length, 5);
  assert.equal(english[0]?.[0], "2027-01-31");
  assert.equal(english.at(-1)?.at(-1), "2027-03-06");
  for (const week of [...german, ...english]) assert.equal(week.length, 7);
  assert.equal(weeksOf("2026-08", "de").length, 6);
});
