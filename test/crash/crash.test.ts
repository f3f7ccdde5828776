import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { DATABASE_KINDS } from "../../packages/server/test/support/server/databases.ts";
import { IS_LONG_RUN } from "../../packages/server/test/support/scenes/long-run.ts";
import { PROTOCOLS } from "../support/long-run.ts";
import { playGame } from "./game.ts";
import { combinations, plan } from "./plan.ts";

/** Each protocol and each database once; `npm run test:crash` plays all combinations, as `.ci/run` does. */
const ROUNDS_IN_A_GAME = IS_LONG_RUN ? 5 : 2;
const SEED = Number(process.env["KITH_CRASH_SEED"] ?? Date.now() % 1_000_000);

// Two at a time: they mostly wait for processes.
const [apart, together] = [PROTOCOLS.slice(0, 2), PROTOCOLS.slice(2)];
const some = [
  ...combinations(["sqlite"], apart),
  ...combinations(["postgres"], together),
];
const all = IS_LONG_RUN ? combinations(DATABASE_KINDS, PROTOCOLS) : some;
const games = plan(all.length * ROUNDS_IN_A_GAME, SEED, all, ROUNDS_IN_A_GAME);

describe("acknowledged data exists once on both servers", () => {
  describe("after any faults", { concurrency: 2 }, () => {
    for (const game of games) {
      const { database, protocols, rounds, seed } = game;
      test(`${rounds} rounds over ${protocols}, ${database} (seed ${seed})`, async () => {
        const { faults, notes, calls } = await playGame(game);
        assert.deepEqual(faults, [], notes.join("\n"));
        assert.ok(calls.done > rounds, "people were answered");
      });
    }
  });
});
