import { inOneLine } from "./in-one-line.ts";
import type { Write } from "./usage.ts";

type Field = string | number;

/**
 * Starts a table with its header, so that an empty list is recognizable as one.
 */
export function startTable(
  write: Write,
  columns: readonly string[],
): (fields: readonly Field[]) => void {
  const row = (fields: readonly Field[]): void =>
    write(fields.map(inOneLine).join("\t"));
  row(columns);
  return row;
}
