import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { DatabaseKind } from "../../../packages/server/test/support/server/databases.ts";
import { kindsInTime } from "../../support/long-run.ts";
import { listTold } from "./look.ts";
import { STEPS } from "./steps.ts";
import { buildTown, type Town, type WalkProtocol } from "./town.ts";

/** The database on which the walk is gone in each run; in long ones on both. */
const DATABASES = { diaspora: "postgres", activitypub: "sqlite" } as const;

/** Tests that let three servers which speak one protocol alone go the whole walk. */
export function walkOver(protocol: WalkProtocol): void {
  for (const database of kindsInTime(DATABASES[protocol]))
    describe(`three servers over ${protocol} alone, ${database}`, () =>
      walk(database, protocol));
}

/** People on three servers do everything that people do, and look at it from each. */
function walk(database: DatabaseKind, protocol: WalkProtocol): void {
  let town: Town;

  before(async () => {
    town = await buildTown(database, protocol);
  });
  after(() => town.remove());

  for (const step of STEPS[protocol]) test(step.name, () => step.walk(town));

  test("nobody was told of anything twice", async () => {
    const { ann, bob, cid, abe, bea, cat } = town;
    for (const who of [ann, bob, cid, abe, bea, cat]) {
      const told = (await listTold(who)).filter(
        (one) => !town.changed.has(one.split(" ").at(-1) ?? ""),
      );
      assert.equal(new Set(told).size, told.length, told.join("\n"));
    }
  });

  test("nothing was logged as failed", () => {
    for (const { output } of town.servers)
      assert.doesNotMatch(output, /"level":(?:50|60)/);
  });
}
