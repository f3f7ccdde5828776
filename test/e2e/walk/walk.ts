import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { DatabaseKind } from "../../../packages/server/test/support/server/databases.ts";
import { kindsInTime } from "../../support/long-run.ts";
import { listNotifications } from "./look.ts";
import { STEPS } from "./steps.ts";
import { startServers, type Servers, type WalkProtocol } from "./town.ts";

/** The database for the walk in each run; long runs use both. */
const DATABASES = { diaspora: "postgres", activitypub: "sqlite" } as const;

/** Tests in which three servers with a single protocol go through all steps. */
export function walkOver(protocol: WalkProtocol): void {
  for (const database of kindsInTime(DATABASES[protocol]))
    describe(`three servers over ${protocol} alone, ${database}`, () =>
      walk(database, protocol));
}

/** People on three servers use all features, and check the results on each. */
function walk(database: DatabaseKind, protocol: WalkProtocol): void {
  let town: Servers;

  before(async () => {
    town = await startServers(database, protocol);
  });
  after(() => town.remove());

  for (const step of STEPS[protocol]) test(step.name, () => step.walk(town));

  test("no one was notified twice", async () => {
    const { ann, bob, cid, abe, bea, cat } = town;
    for (const who of [ann, bob, cid, abe, bea, cat]) {
      const notifications = (await listNotifications(who)).filter(
        (one) => !town.changed.has(one.split(" ").at(-1) ?? ""),
      );
      assert.equal(
        new Set(notifications).size,
        notifications.length,
        notifications.join("\n"),
      );
    }
  });

  test("no failure was logged", () => {
    for (const { output } of town.servers)
      assert.doesNotMatch(output, /"level":(?:50|60)/);
  });
}
