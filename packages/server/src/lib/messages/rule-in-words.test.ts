import assert from "node:assert/strict";
import { test } from "node:test";
import {
  readSimpleRule,
  writeSimpleRule,
} from "../icalendar/series/simple-rule.ts";
import { ruleInWords } from "./rule-in-words.ts";

const EVENT = {
  ...{ allDay: false, timeZone: "Europe/Berlin" },
  start: "2027-03-10T18:00:00.000Z",
};

const CASES: [rule: string, english: string, german: string][] = [
  ["FREQ=DAILY", "every day", "jeden Tag"],
  [
    "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE",
    "every 2 weeks on Monday and Wednesday",
    "alle 2 Wochen am Montag und Mittwoch",
  ],
  [
    "FREQ=MONTHLY;BYDAY=-1FR;COUNT=6",
    "every month on the last Friday, 6 times",
    "jeden Monat am letzten Freitag, 6-mal",
  ],
  // The end of the day by the clock of the event.
  [
    "FREQ=YEARLY;UNTIL=20300310T225959Z",
    "every year, until March 10, 2030",
    "jedes Jahr, bis 10. März 2030",
  ],
];

test("rules that people make are said in a sentence, and are written as they were read", () => {
  for (const [rule, english, german] of CASES) {
    assert.equal(ruleInWords("en", rule, EVENT), english);
    assert.equal(ruleInWords("de", rule, EVENT), german);
    const simple = readSimpleRule(rule, EVENT);
    assert.ok(simple, rule);
    assert.equal(writeSimpleRule(simple, EVENT), rule);
  }
});

test("more parts of a rule are known if they say no more than the start", () => {
  for (const rule of [
    "FREQ=MONTHLY;BYMONTHDAY=10",
    "FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=10;WKST=MO",
  ])
    assert.ok(readSimpleRule(rule, EVENT), rule);
  for (const rule of [
    "FREQ=MONTHLY;BYMONTHDAY=11",
    "FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1",
    "FREQ=WEEKLY;BYDAY=1MO",
    "FREQ=DAILY;BYDAY=MO",
    "FREQ=YEARLY;BYWEEKNO=3",
    "FREQ=WEEKLY;WKST=SU",
  ]) {
    assert.equal(readSimpleRule(rule, EVENT), undefined, rule);
    assert.match(ruleInWords("en", rule, EVENT), /calendar programs/);
  }
});

test("days end series of days", () => {
  const days = { ...EVENT, allDay: true, start: "2027-03-10" };
  const rule = "FREQ=DAILY;UNTIL=20270315";
  const simple = readSimpleRule(rule, days);
  assert.equal(simple?.until, "2027-03-15");
  assert.equal(simple && writeSimpleRule(simple, days), rule);
});
