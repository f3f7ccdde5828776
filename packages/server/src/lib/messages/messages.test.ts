import assert from "node:assert/strict";
import { test } from "node:test";
import { describeTime, isLanguage, translate } from "./messages.ts";

const party = {
  summary: "Party",
  start: "now",
  end: "later",
  location: "here",
  repeats: "",
};

test("a message is in the language of the user", () => {
  assert.equal(
    translate("en", "calendars.preambel", party),
    "New event: Party\n\nStart: now\nEnd: later\nLocation: here",
  );
  assert.equal(
    translate("de", "calendars.preambel", party),
    "Neuer Termin: Party\n\nBeginn: now\nEnde: later\nOrt: here",
  );
  assert.equal(translate("de-AT", "calendars.untitled"), "Termin");
  assert.equal(translate("tlh", "calendars.untitled"), "Event");
  assert.equal(translate("constructor", "calendars.untitled"), "Event");
});

test("parts that an event does not have are left out", () => {
  const bare = { ...party, end: "", location: "" };
  assert.equal(
    translate("en", "calendars.preambel", bare),
    "New event: Party\n\nStart: now",
  );
  const nothing = { ...bare, start: "" };
  assert.equal(
    translate("en", "calendars.preambel", nothing),
    "New event: Party",
  );
});

test("a time is shown as the clocks of its zone show it", () => {
  const time = "2026-07-10T22:30:00.000Z";
  const berlin = describeTime("de", time, { timeZone: "Europe/Berlin" });
  assert.match(berlin, /^Samstag, 11\. Juli 2026 .*00:30/);
  const english = describeTime("en", time, { timeZone: "America/New_York" });
  assert.match(english, /^Friday, July 10, 2026 .*6:30\sPM/);
  assert.equal(describeTime("en", time, "day"), "Friday, July 10, 2026");
});

test("languages are known by their codes", () => {
  for (const known of ["en", "de"]) assert.ok(isLanguage(known), known);
  for (const none of ["", "EN", "en-GB", "xx", "toString", "__proto__"])
    assert.ok(!isLanguage(none), none);
});
