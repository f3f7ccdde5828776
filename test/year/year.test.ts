import assert from "node:assert/strict";
import { test } from "node:test";
import { IS_LONG_RUN } from "../../packages/server/test/support/scenes/long-run.ts";
import { judge } from "./judge.ts";
import { playYear, type Month } from "./year.ts";

test("a server that is kept for a while keeps what it acknowledged, and nothing that was deleted", async () => {
  const daysPerMonth = IS_LONG_RUN ? 30 : 8;
  const report = await playYear({
    ...{ database: "sqlite", days: daysPerMonth, daysPerMonth },
    ...{ people: 16, seed: 7, actsPerDay: 12, arrivalsPerDay: 8 },
  });
  assert.deepEqual(judge(report), []);
  assert.deepEqual(report.did, {
    "host blocked": 1,
    "account suspended": 1,
    "suspension lifted": 1,
    "host forgiven": 1,
    restart: 1,
    "backup by command": 2,
    "machine lost and restored": 2,
    "backup verified": 1,
  });
  const last = report.months.at(-1);
  assert.ok(last && last.acknowledged > 50 && last.arrived > 30);
  assert.ok(report.delivered > 0);
});

test("lost and undead things, growing memory and a full disk are noticed", () => {
  const month = (day: number, heapMb: number, cacheMb: number): Month => ({
    ...{ day, heapMb, cacheMb, people: 1, acknowledged: 1, arrived: 1 },
    ...{ rssMb: 200, databaseMb: 1 },
  });
  const months = [
    ...[month(30, 40, 1), month(60, 50, 1), month(90, 60, 64)],
    ...[month(120, 91, 64), month(150, 80, 65)],
  ];
  const faults = judge({
    ...{ months, did: {}, delivered: 0, faults: ["post 1 is lost"] },
  });
  assert.deepEqual(faults, [
    "post 1 is lost",
    "day 150: 65 MB of cached media",
    "day 120: 91 MB of live memory",
  ]);
});
