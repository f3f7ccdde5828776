import { setTimeout as sleep } from "node:timers/promises";
import { randomNumbers } from "../e2e/walk/random-acts.ts";
import { eventually, type KithProcess } from "../support/kith-process.ts";
import { runKith } from "../support/kith-command.ts";
import { chooseFault } from "./faults.ts";
import { Ledger, type Outcome } from "./ledger.ts";
import { play } from "./load.ts";
import { describeReceived } from "./received.ts";
import type { Player } from "./player.ts";
import { judgeLists } from "./talks.ts";
import {
  startServers,
  lookAround,
  type GameOptions,
  type Servers,
} from "./town.ts";

export type Game = GameOptions & {
  readonly rounds: number;
  /** The same seed makes the same choices; the concurrent activity differs each time. */
  readonly seed: number;
};

export type Result = {
  /** Lost, duplicated or resurrected data, in words; empty if there is none. */
  readonly faults: readonly string[];
  /** On failure, the pending jobs of each server, and its log. */
  readonly notes: readonly string[];
  /** How often each fault occurred. */
  readonly happened: Readonly<Record<string, number>>;
  readonly calls: Readonly<Record<Outcome, number>>;
  /** The time until both servers agreed after the last round. */
  readonly settledAfterMs: number;
};

const BEFORE_FAULT_MS = { least: 200, most: 1_500 };
const DOWN_MS = 800;
/** A deferred message is retried after 5, 20, 50, 110 and 230 seconds. */
const SETTLED_WITHIN_MS = 240_000;

/**
 * People on two servers post, reply and retract, while faults hit one of the servers
 * or both again and again. At the end each of them sees acknowledged data once, and no
 * retracted data.
 */
export async function playGame(game: Game): Promise<Result> {
  const town = await startServers(game);
  try {
    return await playIn(town, game);
  } finally {
    await town.remove();
  }
}

async function playIn(town: Servers, { rounds, seed }: Game): Promise<Result> {
  const random = randomNumbers(seed);
  const ledger = new Ledger();
  const happened: Record<string, number> = {};
  let isOver = false;
  const players = town.citizens.map((citizen, index): Player => ({
    citizen,
    ledger,
    random: randomNumbers(seed * 1_000 + index),
    posts: new Map(),
    comments: new Map(),
  }));
  const playing = players.map((player) => play(player, () => isOver));
  try {
    for (let round = 0; round < rounds; round += 1) {
      const { least, most } = BEFORE_FAULT_MS;
      await sleep(least + random() * (most - least));
      const server = random() < 0.5 ? town.one : town.two;
      const fault = chooseFault(town.database, random);
      happened[fault.name] = (happened[fault.name] ?? 0) + 1;
      await fault.befall(server, random, town);
      await sleep(random() * DOWN_MS);
      await raise([town.one, town.two]);
    }
  } finally {
    isOver = true;
    await Promise.all(playing);
  }
  await raise([town.one, town.two]);
  return { ...(await settle(town, ledger)), happened, calls: ledger.counts };
}

/** As a process supervisor does. */
async function raise(servers: readonly KithProcess[]): Promise<void> {
  for (const server of servers) if (!server.isRunning) await server.start();
}

/** Waits until there is no deviation, or until it is clearly permanent. */
async function settle(
  town: Servers,
  ledger: Ledger,
): Promise<Pick<Result, "faults" | "notes" | "settledAfterMs">> {
  const startedAt = performance.now();
  let faults: string[] = [];
  const notes: string[] = [];
  try {
    await eventually(async () => {
      faults = await listFaults(town, ledger);
      if (faults.length > 0) throw new Error("Not yet");
    }, SETTLED_WITHIN_MS);
  } catch (error) {
    if (faults.length === 0) throw error;
    for (const server of [town.one, town.two]) {
      const { settings, output } = server;
      const { output: queue } = await runKith(["queue", "list"], settings);
      notes.push(
        `in the queue: ${queue.trim()}`,
        `received: ${await describeReceived(server)}`,
        `logged: ${output.trim()}`,
      );
    }
  }
  return { faults, notes, settledAfterMs: performance.now() - startedAt };
}

async function listFaults(town: Servers, ledger: Ledger): Promise<string[]> {
  const views = await Promise.all(
    town.citizens.map(
      async (citizen) => [citizen.who.name, await lookAround(citizen)] as const,
    ),
  );
  const seenBy = new Map(views);
  const lists = await Promise.all(
    town.citizens.map((citizen) =>
      judgeLists(citizen, seenBy.get(citizen.who.name) ?? new Map()),
    ),
  );
  return [
    ...lists.flat(),
    ...ledger.texts.flatMap((text) => ledger.judge(text, seenBy)),
    ...views.flatMap(([name, seen]) =>
      ledger
        .listUnknown(seen)
        .map((text) => `${name} sees “${text}”, which nobody wrote`),
    ),
  ];
}
