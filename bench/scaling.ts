import path from "node:path";
import { loadOf, MEASURED, needsOf } from "./kit/growth-model.ts";
import { replaceFigures, toTable } from "./kit/results.ts";

const FILE = path.join(import.meta.dirname, "../docs/scaling.md");
const SIZES = [1_000, 10_000, 100_000, 1_000_000, 10_000_000];

/** Computes the tables of docs/scaling.md. It measures nothing. */
export function benchScaling(): Promise<void> {
  const write = (name: string, rows: readonly (readonly string[])[]): void => {
    const table = toTable(rows);
    console.log(`${table}\n`);
    replaceFigures(
      FILE,
      name,
      `Computed by \`npm run bench -- scaling\`.\n\n${table}`,
    );
  };
  write("scaling-load", [
    [
      ...["accounts", "followed elsewhere", "received", "delivered"],
      ...["written", "pages built", "streams", "database, a year"],
      "media, a year",
    ],
    ...SIZES.map((people) => {
      const load = loadOf(people);
      return [
        ...[count(people), count(load.followed), rate(load.received)],
        ...[rate(load.delivered), rate(load.written), rate(load.built)],
        ...[count(load.streams), size(load.database), size(load.media)],
      ];
    }),
  ]);
  write("scaling-needs", [
    [
      ...["accounts", "database", "Kith", "of the database", "processes"],
      ...["memory of Kith", "the most for"],
    ],
    ...SIZES.flatMap((people) =>
      (["sqlite", "postgres"] as const).flatMap((kind) => {
        const needs = needsOf(people, MEASURED[kind]);
        // One file has one process.
        if (kind === "sqlite" && needs.processes > 1) return [];
        return [
          [
            ...[count(people), kind === "sqlite" ? "SQLite" : "PostgreSQL"],
            ...[cores(needs.kith), cores(needs.database)],
            ...[count(needs.processes), size(needs.memoryMb / 1_000)],
            needs.most,
          ],
        ];
      }),
    ),
  ]);
  return Promise.resolve();
}

const count = (value: number): string =>
  Number(value.toPrecision(2)).toLocaleString("en");
const rate = (value: number): string => `${count(value)}/s`;
const size = (gigabytes: number): string => `${count(gigabytes)} GB`;
const cores = (value: number): string => value.toFixed(2);
