import assert from "node:assert/strict";
import { test } from "node:test";
import { KithError } from "../../lib/errors.ts";
import { checkLocation, readLocation } from "./post-location.ts";

const VIENNA = { address: "Stephansplatz", lat: "48.208174", lng: "16.373819" };

test("a place is kept with six digits and a tidy address", () => {
  assert.deepEqual(checkLocation(VIENNA), VIENNA);
  const typed = { address: " A\n B ", lat: " -0.00000001", lng: "+180.0" };
  const tidy = { address: "A B", lat: "0", lng: "180" };
  assert.deepEqual(checkLocation(typed), tidy);
  assert.deepEqual(readLocation(typed), tidy);
});

test("where nothing is named there is no place", () => {
  assert.equal(checkLocation({}), undefined);
  assert.equal(checkLocation({ address: " ", lat: "", lng: "" }), undefined);
});

for (const wrong of [
  { address: "an address alone" },
  { lat: "1" },
  { lat: "90.1", lng: "0" },
  { lat: "0", lng: "-180.1" },
  { lat: "north", lng: "0" },
  { lat: "1e1", lng: "0" },
  { lat: "1,5", lng: "0" },
  { lat: "0x1", lng: "0" },
])
  test(`${JSON.stringify(wrong)} is no place`, () => {
    assert.throws(
      () => checkLocation(wrong),
      (error) => error instanceof KithError && error.code === "bad_request",
    );
    assert.equal(readLocation({ lat: "", lng: "", ...wrong }), null);
  });

test("too long an address is refused, and cut where it comes from elsewhere", () => {
  const long = { ...VIENNA, address: "😀".repeat(256) };
  assert.throws(() => checkLocation(long), KithError);
  assert.equal(readLocation(long)?.address, "😀".repeat(255));
});
