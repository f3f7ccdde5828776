import { NAMED_INSERTS } from "./shown-tables.ts";

/** A value of an inserted row: a parameter by its number, or one written into the statement. */
type Source =
  | { readonly parameter: number }
  | { readonly constant: string | number | null };

/** The columns that name the row. */
export type InsertedRow = readonly (readonly [name: string, Source])[];

const HEAD =
  /^ ?insert (?:or ignore )?into "?(\w+)"? ?\(([^()]*)\) ?(values|select) /i;
const UPSERT = /\bon conflict ?\(([^()]*)\) do update\b/i;
const ANY_UPSERT = /\bdo update\b/i;
const PARAMETER = /^(?:\?|\$(\d+))(?:::\w+)?$/;
/** A list as one parameter, of which `value` is one. */
const LIST =
  /\bjsonb?_(?:each|array_elements_text)\(\s*(?:cast\(\s*)?(\?|\$\d+)/i;

/**
 * Reads, from a statement whose white space is single spaces, the names of the rows that a statement inserts, from `values` or from a `select` of
 * given values. Where a row is made for each of a list, its name is the JSON text of the list.
 * @returns undefined unless the table has names, and the statement says all of them; no rows if
 *   an insert into the table concerns nothing
 */
export function readInsert(sql: string): readonly InsertedRow[] | undefined {
  const head = HEAD.exec(sql);
  const [start = "", table = "", columnList = "", form = ""] = head ?? [];
  const names = NAMED_INSERTS.get(table.toLowerCase());
  if (!names || hasQuotedMark(sql) || !isOfNamedRows(sql, names))
    return undefined;
  if (names.length === 0) return [];
  const columns = columnList
    .split(",")
    .map((column) => column.trim().replaceAll('"', ""));
  const lists =
    form.toLowerCase() === "values"
      ? readTuples(sql, start.length)
      : [readList(sql, start.length, true)];
  const rows: InsertedRow[] = [];
  for (const { parts } of lists) {
    const row = readRow(sql, names, columns, parts);
    if (!row) return undefined;
    rows.push(row);
  }
  return rows.length === 0 ? undefined : rows;
}

/** Does a constant contain a sign that would be taken for a parameter? */
function hasQuotedMark(sql: string): boolean {
  return sql.split("'").some((part, at) => at % 2 === 1 && /[?$]/.test(part));
}

/** An upsert changes the named row alone if its names decide about the conflict. */
function isOfNamedRows(sql: string, names: readonly string[]): boolean {
  if (!ANY_UPSERT.test(sql)) return true;
  const target = UPSERT.exec(sql)?.[1];
  if (target === undefined || names.length === 0) return false;
  const columns = target.split(",").map((it) => it.trim().replaceAll('"', ""));
  return names.every((name) => columns.includes(name));
}

type Part = { readonly text: string; readonly at: number };

function readRow(
  sql: string,
  names: readonly string[],
  columns: readonly string[],
  parts: readonly Part[],
): InsertedRow | undefined {
  if (parts.length !== columns.length) return undefined;
  const row = names.map((name): readonly [string, Source | undefined] => {
    const part = parts[columns.indexOf(name)];
    // A column that is left out is null.
    return [name, part ? readSource(sql, part) : { constant: null }];
  });
  return row.every((it): it is readonly [string, Source] => it[1] !== undefined)
    ? row
    : undefined;
}

function readSource(sql: string, { text, at }: Part): Source | undefined {
  if (text === "value") {
    const list = LIST.exec(sql);
    const mark = list?.[1];
    if (!list || mark === undefined) return undefined;
    const end = list.index + list[0].length;
    return { parameter: numberOf(sql, mark, end - mark.length) };
  }
  const mark = PARAMETER.exec(text)?.[0];
  if (mark !== undefined) return { parameter: numberOf(sql, mark, at) };
  if (text.toLowerCase() === "null") return { constant: null };
  if (/^-?\d+$/.test(text)) return { constant: Number(text) };
  const word = /^'([^']*)'$/.exec(text)?.[1];
  return word === undefined ? undefined : { constant: word };
}

/** The number of a parameter: `?` are counted, `$1` is numbered. */
function numberOf(sql: string, mark: string, at: number): number {
  const written = /\d+/.exec(mark)?.[0];
  return written === undefined
    ? sql.slice(0, at).split("?").length - 1
    : Number(written) - 1;
}

function readTuples(sql: string, from: number): { parts: readonly Part[] }[] {
  const tuples: { parts: readonly Part[] }[] = [];
  let at = from;
  for (;;) {
    while (/[\s,]/.test(sql[at] ?? "")) at += 1;
    if (sql[at] !== "(") return tuples;
    const { parts, end } = readList(sql, at + 1, false);
    tuples.push({ parts });
    at = end + 1;
  }
}

/** Reads expressions between commas, up to the end of the parenthesis, or up to `from`. */
function readList(
  sql: string,
  from: number,
  isSelect: boolean,
): { readonly parts: readonly Part[]; readonly end: number } {
  const parts: Part[] = [];
  let depth = 0;
  let start = from;
  let at = from;
  const close = (): void => {
    const raw = sql.slice(start, at);
    const text = raw.trim();
    parts.push({ text, at: start + raw.indexOf(text) });
    start = at + 1;
  };
  for (; at < sql.length; at += 1) {
    const sign = sql[at];
    if (sign === "(") depth += 1;
    else if (sign === ")" && depth > 0) depth -= 1;
    else if (depth > 0) continue;
    else if (sign === ")") break;
    else if (sign === ",") close();
    else if (isSelect && sql.slice(at, at + 6).toLowerCase() === " from ")
      break;
  }
  close();
  return { parts, end: at };
}
