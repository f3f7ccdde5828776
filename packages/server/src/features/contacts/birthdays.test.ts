import assert from "node:assert/strict";
import { test } from "node:test";
import type { PersonId } from "../ids.ts";
import { birthdayIn } from "./birthdays.ts";

test("a birthday is on the same day each year, that of 29 February on the last of the month", () => {
  const on = (date: string, year: number) =>
    birthdayIn({ personId: 1 as PersonId, date, hasYear: true }, year);
  assert.equal(on("1990-05-17", 2027), "2027-05-17");
  assert.equal(on("2000-02-29", 2028), "2028-02-29");
  assert.equal(on("2000-02-29", 2027), "2027-02-28");
  assert.equal(on("2000-02-29", 2100), "2100-02-28");
});
