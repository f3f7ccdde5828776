import { inOneLine } from "./in-one-line.ts";
import type { Write } from "./usage.ts";

type Field = string | number;

/** Writes a list with what its columns mean above it, so that an empty one says something, too. */
export function startTable(
  write: Write,
  columns: readonly string[],
): (fields: readonly Field[]) => void {
  const row = (fields: readonly Field[]): void =>
    write(fields.map(inOneLine).join("\t"));
  row(columns);
  return row;
}
