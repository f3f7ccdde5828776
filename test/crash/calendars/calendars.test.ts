import assert from "node:assert/strict";
import { test } from "node:test";
import {
  forDatabasesInTime,
  IS_LONG_RUN,
} from "../../../packages/server/test/support/scenes/long-run.ts";
import { playCalendars } from "./game.ts";
import { CalendarRecord } from "./record.ts";

/** `npm run test:long` plays for a minute. */
const SECONDS = IS_LONG_RUN ? 60 : 12;
const SEED = Number(process.env["KITH_CRASH_SEED"] ?? Date.now() % 1_000_000);

forDatabasesInTime((database) => {
  test(`two programs and a page edit one calendar under fire (seed ${SEED})`, async (t) => {
    const seconds = SECONDS;
    const game = { database, seconds, seed: SEED };
    const { faults, kills, events, endings } = await playCalendars(game);
    t.diagnostic(
      `${kills} kills; ${events} events; ${JSON.stringify(endings)}`,
    );
    assert.deepEqual(faults, []);
    assert.ok(kills >= 2, `${kills} kills`);
    assert.ok(endings.done > 10, "people were answered");
  });
});

test("the record finds what is lost, doubled, back, or older", async () => {
  const record = new CalendarRecord();
  const done = async () => "done" as const;
  const fail = () => Promise.reject(new Error("away"));
  await record.note("item1", "item1 a", done);
  await record.note("item1", "item1 b", done);
  await record.note("item2", "item2 a", done);
  await record.note("item2", undefined, done);
  await assert.rejects(record.note("item3", "item3 a", fail));
  assert.deepEqual(record.judge(["item1 b"]), []);
  assert.deepEqual(record.judge(["item1 b", "item3 a"]), []);
  for (const [summaries, fault] of [
    [[], "item1 is lost"],
    [["item1 b", "item1 b"], "item1 is there 2 times"],
    [["item1 a"], "item1 says “item1 a” again after “item1 b”"],
    [["item1 c"], "item1 says what nobody wrote: item1 c"],
    [["item1 b", "item2 a"], "item2 is back: item2 a"],
    [["item1 b", "item9 a"], "nobody made item9"],
  ] as const)
    assert.deepEqual(record.judge(summaries), [fault]);
});
