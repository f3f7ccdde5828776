import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { createTemplates } from "../../scripts/testing/test-templates.ts";
import { startPostgres } from "../../scripts/testing/test-postgres.ts";
import {
  DATABASE_KINDS,
  type DatabaseKind,
} from "../../packages/server/test/support/server/databases.ts";
import { PROTOCOLS } from "../support/long-run.ts";
import { playGame, type Game, type Result } from "./game.ts";
import { combinations, plan } from "./plan.ts";

// npm run test:crash [-- --rounds=20] [--seed=1] [--database=sqlite|postgres]
//   [--protocols=diaspora|activitypub|activitypub,diaspora] [--at-once=1]

const options = readOptions();
const games = plan(options.rounds, options.seed, options.combinations);
const postgres = process.env["KITH_TEST_DATABASE_URL"]
  ? undefined
  : await startPostgres({ socket: true });
process.env["KITH_TEST_DATABASE_URL"] ??= postgres?.url;
const templates = await createTemplates(process.env["KITH_TEST_DATABASE_URL"]);
const total = {
  rounds: 0,
  faults: [] as string[],
  happened: new Map<string, number>(),
  calls: { done: 0, refused: 0, unknown: 0 },
};
try {
  const waiting = [...games];
  await Promise.all(
    Array.from({ length: options.atOnce }, async () => {
      for (let game = waiting.shift(); game; game = waiting.shift())
        note(game, await playGame(game));
    }),
  );
} finally {
  await templates.remove();
  await postgres?.stop();
}
report();

function note(game: Game, result: Result): void {
  const { database, protocols, rounds, seed } = game;
  const { faults, notes, happened, calls, settledAfterMs } = result;
  total.rounds += rounds;
  total.faults.push(...faults);
  for (const [name, count] of Object.entries(happened))
    total.happened.set(name, (total.happened.get(name) ?? 0) + count);
  for (const name of ["done", "refused", "unknown"] as const)
    total.calls[name] += calls[name];
  const harm = Object.entries(happened).map(([name, n]) => `${name} ${n}`);
  console.log(
    [
      `${total.rounds}/${options.rounds} rounds`,
      `${database}, ${protocols}, seed ${seed}`,
      harm.join(", "),
      `${calls.done} acknowledged, ${calls.unknown} unanswered`,
      `agreed after ${(settledAfterMs / 1000).toFixed(1)} s`,
      faults.length === 0 ? "ok" : `${faults.length} WRONG`,
    ].join("; "),
  );
  for (const line of [...faults, ...notes]) console.log(`  ${line}`);
}

function report(): void {
  const harm = [...total.happened].map(([name, count]) => `${name} ${count}`);
  const { done, unknown } = total.calls;
  console.log(
    `${total.rounds} rounds: ${harm.join(", ")}; ${done} calls acknowledged, ${unknown} unanswered; ${total.faults.length} lost, doubled or undead`,
  );
  if (total.faults.length > 0) process.exitCode = 1;
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      rounds: { type: "string", default: "20" },
      seed: { type: "string", default: "1" },
      database: { type: "string" },
      protocols: { type: "string" },
      "at-once": { type: "string", default: String(availableParallelism()) },
    },
  });
  const databases = DATABASE_KINDS.filter(
    (kind: DatabaseKind) => (values.database ?? kind) === kind,
  );
  const protocols = PROTOCOLS.filter((it) => (values.protocols ?? it) === it);
  const numbers = {
    rounds: Number(values.rounds),
    seed: Number(values.seed),
    atOnce: Number(values["at-once"]),
  };
  const isFine =
    databases.length > 0 &&
    protocols.length > 0 &&
    Object.values(numbers).every((it) => Number.isSafeInteger(it) && it > 0);
  if (!isFine) {
    console.error(
      `Give positive whole numbers, a database (${DATABASE_KINDS.join(", ")}) and protocols (${PROTOCOLS.join(" or ")}).`,
    );
    process.exit(2);
  }
  return { ...numbers, combinations: combinations(databases, protocols) };
}
