import { parseArgs } from "node:util";
import { startPostgres } from "../../scripts/testing/test-postgres.ts";
import { findDatabaseFolder } from "../../scripts/testing/test-memory.ts";
import { createTestKeys } from "../../scripts/testing/test-keys.ts";
import {
  DATABASE_KINDS,
  type DatabaseKind,
} from "../../packages/server/test/support/server/databases.ts";
import { judge } from "./judge.ts";
import { playYear, type Month } from "./year.ts";

// npm run test:year [-- --days=365] [--people=1000] [--acts=100] [--arrivals=150] [--seed=1]
//   [--database=sqlite|postgres]

const options = readOptions();
const postgres =
  options.database === "postgres" && !process.env["KITH_TEST_DATABASE_URL"]
    ? await startPostgres({ socket: true })
    : undefined;
if (postgres) process.env["KITH_TEST_DATABASE_URL"] = postgres.url;
// A commit on SQLite waits for the disk, and a killed process loses nothing that is in memory.
process.env["KITH_TEST_DATABASE_FOLDER"] ??= findDatabaseFolder();
const keys = await createTestKeys();
const started = performance.now();
try {
  console.log(
    "day   people   acknowledged   arrived   heap   memory   database   cached media",
  );
  const report = await playYear(options, show);
  const minutes = (performance.now() - started) / 60_000;
  const did = Object.entries(report.did).map(([name, n]) => `${name} ${n}`);
  console.log(`${did.join(", ")}; ${report.delivered} delivered to others`);
  console.log(`seed ${options.seed}, ${minutes.toFixed(1)} minutes`);
  const faults = judge(report);
  for (const fault of faults.slice(0, 100)) console.error(fault);
  console.log(faults.length === 0 ? "All is kept." : `${faults.length} WRONG`);
  if (faults.length > 0) process.exitCode = 1;
} finally {
  keys.remove();
  await postgres?.stop();
}

function show(month: Month): void {
  const columns: [number, number, string][] = [
    [month.day, 3, ""],
    [month.people, 9, ""],
    [month.acknowledged, 15, ""],
    [month.arrived, 10, ""],
    [month.heapMb, 7, ""],
    [month.rssMb, 9, ""],
    [month.databaseMb, 11, ""],
    [month.cacheMb, 15, " MB"],
  ];
  console.log(
    columns
      .map(([n, width, unit]) => String(n).padStart(width) + unit)
      .join(""),
  );
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      days: { type: "string", default: "365" },
      people: { type: "string", default: "1000" },
      acts: { type: "string", default: "100" },
      arrivals: { type: "string", default: "150" },
      seed: { type: "string", default: "1" },
      database: { type: "string", default: "sqlite" },
    },
  });
  const database = DATABASE_KINDS.find((it) => it === values.database);
  if (!database) throw new Error(`There is no database ${values.database}`);
  return {
    database: database satisfies DatabaseKind,
    days: numberOf(values.days),
    people: numberOf(values.people),
    actsPerDay: numberOf(values.acts),
    arrivalsPerDay: numberOf(values.arrivals),
    seed: numberOf(values.seed),
    daysPerMonth: 30,
  };
}

function numberOf(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new Error(`${text} is no number`);
  return Number(text);
}
