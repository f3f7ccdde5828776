import { readInsert, type InsertedRow } from "./read-insert.ts";
import { isShown, UNSHOWN_COLUMNS } from "./shown-tables.ts";

/** The writes of a statement to one table. */
export type StatementWrite = {
  readonly table: string;
  /** Undefined if the statement does not say which rows it changes. */
  readonly rows: readonly InsertedRow[] | undefined;
};

/** Changes of rows: all but locks (`for update`) and the second half of an upsert. */
const CHANGES =
  /(?<!\b(?:do|for|key) )\b(?:(?:insert(?: or \w+)?|replace|merge) into|update(?: or \w+)?|(delete) from|truncate(?: table)?) "?(\w+)"?/gi;
const DEFINITION = /^ ?(?:create|alter|drop|reindex)\b/i;
/** A definition may change anything. */
const ANY_TABLE = "*";

/**
 * Reads off the text of a statement which tables it changes, and which rows if it inserts
 * values that it gives. It errs on the side of more: any text that looks like a change counts
 * as one. Tables that no cache shows are left out.
 */
export function readStatement(text: string): readonly StatementWrite[] {
  const sql = text.replaceAll(/\s+/g, " ");
  if (DEFINITION.test(sql)) return [{ table: ANY_TABLE, rows: undefined }];
  const changes = [...sql.matchAll(CHANGES)].map(
    ([, deletion, table = ""]) => ({
      table: table.toLowerCase(),
      kind: deletion === undefined ? ("other" as const) : ("delete" as const),
    }),
  );
  const shown = changes.filter(({ table, kind }) => isShown(table, kind));
  if (shown.length === 0) return [];
  if (changes.length === 1 && isUpdateOfUnshown(sql)) return [];
  const rows = changes.length === 1 ? readInsert(sql) : undefined;
  if (rows?.length === 0) return [];
  return shown.map(({ table }) => ({ table, rows }));
}

const UPDATE = /^ ?update "(\w+)" set /i;
const ASSIGNMENT = /^"(\w+)" = (?:\?|\$\d+|null)$/i;

function isUpdateOfUnshown(sql: string): boolean {
  const [start = "", table = ""] = UPDATE.exec(sql) ?? [];
  const unshown = UNSHOWN_COLUMNS.get(table);
  const assignments = sql.slice(start.length, sql.indexOf(" where "));
  return (
    unshown !== undefined &&
    assignments
      .split(",")
      .every((it) => unshown.includes(ASSIGNMENT.exec(it.trim())?.[1] ?? ""))
  );
}
