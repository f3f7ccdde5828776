import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import path from "node:path";

export type Results = {
  /** The name of the bench; it marks the place of the table in the README. */
  readonly name: string;
  /** Other arguments of the command line. */
  readonly options?: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
};

/** Not committed. */
const JSON_DIR = path.join(import.meta.dirname, "../results");
const README = path.join(import.meta.dirname, "../README.md");

/** Prints the figures, writes them as JSON, and replaces the previous table in the README. */
export function writeResults({
  name,
  options = "",
  head,
  rows,
}: Results): void {
  const table = toTable([head, ...rows]);
  const date = new Date().toISOString().slice(0, 10);
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown"}, Node ${process.version}`;
  // The load by other programs belongs to the figures.
  const load = `load ${(loadavg()[0] ?? NaN).toFixed(1)}`;
  console.log(`${date}, ${machine}\n\n${table}`);
  mkdirSync(JSON_DIR, { recursive: true });
  writeFileSync(
    path.join(JSON_DIR, `${name}.json`),
    `${JSON.stringify({ name, options, date, machine, load, head, rows }, null, 2)}\n`,
  );
  const command = `npm run bench -- ${name}${options}`;
  const origin = `Measured on ${date} by \`${command}\` on ${machine}, ${load}.`;
  replaceFigures(README, name, `${origin}\n\n${table}`);
}

/** Replaces the figures between the marks with this name in a file. */
export function replaceFigures(
  file: string,
  name: string,
  figures: string,
): void {
  const [before, after] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`];
  const text = readFileSync(file, "utf8");
  const begin = text.indexOf(before);
  const end = text.indexOf(after);
  if (begin < 0 || end < begin)
    throw new Error(`${file} has no place for the figures of ${name}`);
  writeFileSync(
    file,
    `${text.slice(0, begin)}${before}\n\n${figures}\n\n${text.slice(end)}`,
  );
}

/** In the layout of the formatter. */
export function toTable(rows: readonly (readonly string[])[]): string {
  const [head = [], ...others] = rows;
  const widths = head.map((_, column) =>
    Math.max(3, ...rows.map((row) => (row[column] ?? "").length)),
  );
  const line = (cells: readonly string[], filler: string): string =>
    `| ${widths.map((width, i) => (cells[i] ?? "").padEnd(width, filler)).join(" | ")} |`;
  return [
    line(head, " "),
    line([], "-"),
    ...others.map((row) => line(row, " ")),
  ].join("\n");
}
