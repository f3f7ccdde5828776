import type { InsertedRow } from "./read-insert.ts";
import type { StatementWrite } from "./read-statement.ts";

type Value = string | number | null;

/** A change of a table that a transaction committed. */
export type TableWrite = {
  readonly table: string;
  /** The names of an inserted row; undefined if any row may have changed. */
  readonly row?: Readonly<Record<string, Value>>;
};

/** The writes of a transaction; undefined if it may have written anything. */
export type Writes = readonly TableWrite[] | undefined;

/** A transaction with more of them changes too much to name. */
const MAX_WRITES = 1_000;

/** Collects what the statements of a transaction write. */
export class WriteCollector {
  #writes: TableWrite[] = [];
  #hasAnything = false;

  note(
    statement: readonly StatementWrite[],
    parameters: readonly unknown[],
  ): void {
    for (const { table, rows } of statement) {
      if (this.#writes.length >= MAX_WRITES) this.#hasAnything = true;
      if (this.#hasAnything) return;
      if (!rows) this.#writes.push({ table });
      else for (const row of rows) this.#noteRow(table, row, parameters);
    }
  }

  #noteRow(
    table: string,
    row: InsertedRow,
    parameters: readonly unknown[],
  ): void {
    const names: Record<string, Value> = {};
    for (const [name, source] of row) {
      const value =
        "constant" in source ? source.constant : parameters[source.parameter];
      if (value === undefined || !isValue(value)) this.#hasAnything = true;
      else names[name] = value;
    }
    this.#writes.push({ table, row: names });
  }

  /** Ends the transaction. */
  take(): Writes {
    const writes = this.#hasAnything ? undefined : this.#writes;
    this.#writes = [];
    this.#hasAnything = false;
    return writes;
  }
}

const isValue = (value: unknown): value is Value =>
  value === null || typeof value === "string" || typeof value === "number";
