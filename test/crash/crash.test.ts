import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { DATABASE_KINDS } from "../../packages/server/test/support/server/databases.ts";
import { PROTOCOLS } from "../support/long-run.ts";
import { playGame } from "./game.ts";
import { combinations, plan } from "./plan.ts";

const ROUNDS = 20;
const SEED = Number(process.env["KITH_CRASH_SEED"] ?? Date.now() % 1_000_000);

// Two at a time: they mostly wait for processes.
const [apart, together] = [PROTOCOLS.slice(0, 2), PROTOCOLS.slice(2)];
const games = [
  ...plan(ROUNDS - 4, SEED, combinations(DATABASE_KINDS, apart)),
  ...plan(4, SEED + 100, combinations(["postgres"], together)),
];

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
