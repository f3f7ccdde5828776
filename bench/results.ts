import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

type Row = readonly [what: string, measured: string, target: string];

export type Results = {
  readonly date: string;
  readonly machine: string;
  readonly rows: readonly Row[];
};

const README = path.join(import.meta.dirname, "README.md");
const BEGIN = "<!-- start-up: begin -->";
const END = "<!-- start-up: end -->";

/** Prints the figures, and puts them in the place of the last ones in the README. */
export function writeResults({ date, machine, rows }: Results): void {
  const table = toTable([["", "measured", "target"], ...rows]);
  console.log(`${date}, ${machine}\n\n${table}`);
  const text = readFileSync(README, "utf8");
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  if (begin < 0 || end < begin)
    throw new Error(`${README} has no place for the figures`);
  const figures = `${BEGIN}\n\nMeasured on ${date} by \`npm run bench\` on ${machine}.\n\n${table}\n\n`;
  writeFileSync(README, text.slice(0, begin) + figures + text.slice(end));
}

/** As the formatter lays tables out. */
function toTable(rows: readonly Row[]): string {
  const widths = [0, 1, 2].map((column) =>
    Math.max(3, ...rows.map((row) => (row[column] ?? "").length)),
  );
  const line = (cells: readonly string[], filler: string): string =>
    `| ${widths.map((width, i) => (cells[i] ?? "").padEnd(width, filler)).join(" | ")} |`;
  const [head = [], ...others] = rows;
  return [
    line(head, " "),
    line([], "-"),
    ...others.map((row) => line(row, " ")),
  ].join("\n");
}
