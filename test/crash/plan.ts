import type { DatabaseKind } from "../../packages/server/test/support/server/databases.ts";
import type { Game } from "./game.ts";
import type { GameOptions } from "./town.ts";

/** Rounds with the same two servers, so that faults accumulate. */
const ROUNDS_IN_A_GAME = 5;

export function combinations(
  databases: readonly DatabaseKind[],
  protocols: readonly string[],
): GameOptions[] {
  return protocols.flatMap((those) =>
    databases.map((database) => ({ database, protocols: those })),
  );
}

/** Games with this total number of rounds, cycling through all combinations. */
export function plan(
  rounds: number,
  seed: number,
  options: readonly GameOptions[],
  roundsInAGame = ROUNDS_IN_A_GAME,
): Game[] {
  const games: Game[] = [];
  for (let left = rounds; left > 0; left -= roundsInAGame) {
    const chosen = options[games.length % options.length];
    if (!chosen) throw new Error("There is no combination to play");
    const number = Math.min(left, roundsInAGame);
    games.push({ ...chosen, rounds: number, seed: seed + games.length });
  }
  return games;
}
