import { KithError } from "../../lib/errors.ts";

/**
 * The selected fields of a record; a nested selection is the value of its
 * field.
 */
export type FieldSelection = ReadonlyMap<string, FieldSelection | null>;

const MAX_DEPTH = 10;
const MAX_LENGTH = 4000;

/**
 * Parses a selector such as `ID,Person(ID:Profile(ID:ImageUrl))`: commas on the
 * top level, colons inside parentheses.
 * @throws {KithError} `bad_request` if it is malformed
 */
export function parseFields(selector: string): FieldSelection {
  if (selector.length > MAX_LENGTH) throw broken();
  const reader = { text: selector, at: 0 };
  const selection = readList(reader, ",", 0);
  if (reader.at !== selector.length) throw broken();
  return selection;
}

type Reader = { readonly text: string; at: number };

function readList(
  reader: Reader,
  separator: string,
  depth: number,
): FieldSelection {
  if (depth > MAX_DEPTH) throw broken();
  const selection = new Map<string, FieldSelection | null>();
  for (;;) {
    const name = readName(reader);
    selection.set(name, readNested(reader, depth));
    if (reader.text[reader.at] !== separator) return selection;
    reader.at += 1;
  }
}

function readName(reader: Reader): string {
  const [name = ""] =
    /^\s*[A-Za-z_][A-Za-z0-9_]*\s*/.exec(reader.text.slice(reader.at)) ?? [];
  if (name === "") throw broken();
  reader.at += name.length;
  return name.trim();
}

function readNested(reader: Reader, depth: number): FieldSelection | null {
  if (reader.text[reader.at] !== "(") return null;
  reader.at += 1;
  const nested = readList(reader, ":", depth + 1);
  if (reader.text[reader.at] !== ")") throw broken();
  reader.at += 1;
  return nested;
}

function broken(): KithError {
  return new KithError(
    "bad_request",
    "The parameter fields must be names such as ID,Person(ID:Guid): commas on the top level, colons inside parentheses.",
  );
}

/**
 * Reduces a record, or each record of a list, to the selection. Unknown names
 * are ignored.
 */
export function selectFields(
  value: unknown,
  selection: FieldSelection,
): unknown {
  if (Array.isArray(value))
    return value.map((item) => selectFields(item, selection));
  if (typeof value !== "object" || value === null) return value;
  const record = value as Readonly<Record<string, unknown>>;
  const selected: Record<string, unknown> = {};
  for (const [name, nested] of selection) {
    if (!Object.hasOwn(record, name)) continue;
    const field = record[name];
    selected[name] = nested ? selectFields(field, nested) : field;
  }
  return selected;
}
