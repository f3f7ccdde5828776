import { sql, type CompiledQuery, type RawBuilder, type SqlBool } from "kysely";
import { mayReadOld } from "../lib/caching/old-reads.ts";
import type { DialectName, Reader } from "./db.ts";
import { isOneOf } from "./dialect.ts";
import { mergerOf } from "./together/shared-unit.ts";
import type { MergedQuery } from "./together/merge-queries.ts";
import { writeSetForm, type ValueType } from "./together/set-form.ts";
import { NodeSqliteAdapter } from "./sqlite/sqlite-dialect.ts";

/** The type of a bound value. */
export type SqlInput = string | number | boolean | null | Uint8Array;

/** For prepared queries that differ between the dialects. */
export function dialectOf(reader: Reader): DialectName {
  const { adapter } = reader.getExecutor();
  return adapter instanceof NodeSqliteAdapter ? "sqlite" : "postgres";
}

/**
 * For prepared queries: is the column one of the numbers in `list`, a JSON
 * array?
 */
export function isListed(
  reader: Reader,
  column: string,
  list: string,
): RawBuilder<SqlBool> {
  return isOneOf(dialectOf(reader), column, list, "bigint");
}

/** The same for texts. */
export function isListedText(
  reader: Reader,
  column: string,
  list: string,
): RawBuilder<SqlBool> {
  return isOneOf(dialectOf(reader), column, list);
}

/** Is the id in this column beyond the one up to which a list was read? */
export function isAfter(column: string, id: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} > ${id}`;
}

/** Runs a query that was built before, with these values. @returns its rows */
export type PreparedQuery<Values, Row> = (
  reader: Reader,
  values: Values,
) => Promise<Row[]>;

/** A placeholder for a value. */
export class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * How a query is asked once for several callers, by readers and in a shared transaction
 * (`Db.together`): by the types of its values, or, of a query without an answer that takes a
 * list, by one list for all.
 */
export type Together<Values> =
  | {
      readonly types: Readonly<Record<keyof Values & string, ValueType>>;
      /** For an insert that returns rows: the value that distinguishes them, also a column of theirs. */
      readonly by?: keyof Values & string;
    }
  | { combine(sets: readonly Values[]): Values };

type Prepared<Row> = {
  readonly query: CompiledQuery<Row>;
  readonly parameters: readonly Placeholder[];
  readonly merged: MergedQuery | undefined;
};

/**
 * Strings, identifiers, and placeholders as SQLite and PostgreSQL write them.
 */
const TOKENS = /'[^']*'|"[^"]*"|\?|\$\d+/g;

/**
 * Inlines the values that are constant. SQLite (up to 3.53) replans a query
 * each time a value is bound that it can compare with the condition of a
 * partial index, at many times the cost of running it; and a cached plan of
 * PostgreSQL uses a partial index only for constants in the query.
 */
export function writeConstants(
  { sql, parameters }: Pick<CompiledQuery, "sql" | "parameters">,
  dialect: DialectName,
): { readonly sql: string; readonly parameters: readonly Placeholder[] } {
  const places: Placeholder[] = [];
  let next = 0;
  const written = sql.replace(TOKENS, (token) => {
    const isPlace = dialect === "sqlite" ? token === "?" : token[0] === "$";
    if (!isPlace) return token;
    const number = dialect === "sqlite" ? next++ : Number(token.slice(1)) - 1;
    const value = parameters[number];
    if (!(value instanceof Placeholder)) return literal(value, dialect);
    places.push(value);
    return dialect === "sqlite" ? "?" : `$${places.length}`;
  });
  return { sql: written, parameters: places };
}

function literal(value: unknown, dialect: DialectName): string {
  if (value === null || typeof value === "number") return String(value);
  if (typeof value === "string") return `'${value.replaceAll("'", "''")}'`;
  if (typeof value === "boolean")
    return dialect === "sqlite" ? String(Number(value)) : String(value);
  throw new TypeError(`A ${typeof value} cannot be written into a query`);
}

/**
 * A query whose text is built once for each database. Building it costs more
 * than running it on SQLite, so queries that run for every message are
 * prepared.
 * @param build writes the query; `value` gives the placeholder of a value,
 *   which may not decide how the query is written: never give null where it
 *   means `is null`
 * @param together if PostgreSQL is to be asked once for all who ask it in one turn of the event loop
 */
export function prepareQuery<Values extends Record<string, SqlInput>, Row>(
  build: (
    reader: Reader,
    value: <Name extends keyof Values & string>(name: Name) => Values[Name],
  ) => CompiledQuery<Row>,
  together?: Together<Values>,
): PreparedQuery<Values, Row> {
  // Transactions are short-lived; the adapter is common to all of a database.
  const prepared = new WeakMap<object, Prepared<Row>>();
  const prepare = (reader: Reader): Prepared<Row> => {
    const query = build(
      reader,
      <Name extends keyof Values & string>(name: Name) =>
        new Placeholder(name) as unknown as Values[Name],
    );
    const dialect = dialectOf(reader);
    const { sql, parameters } = writeConstants(query, dialect);
    const merged =
      together && dialect === "postgres"
        ? mergedQuery(sql, parameters, together)
        : undefined;
    return { query: { ...query, sql }, parameters, merged };
  };
  return async (reader, values) => {
    const { adapter, plugins } = reader.getExecutor();
    // Plugins must see every query.
    if (plugins.length > 0) {
      const query = build(reader, (name) => values[name]);
      return (await reader.executeQuery<Row>(query)).rows;
    }
    let known = prepared.get(adapter);
    if (!known) prepared.set(adapter, (known = prepare(reader)));
    const merger = known.merged && mergerOf(reader);
    // Reads that may be old are asked elsewhere than all others.
    if (merger && known.merged && !mayReadOld())
      return (await merger.ask(known.merged, values)) as Row[];
    const parameters = known.parameters.map(({ name }) => values[name]);
    const { sql } = known.query;
    if (adapter instanceof NodeSqliteAdapter)
      return adapter.rows<Row>(sql, parameters);
    const query = { ...known.query, parameters };
    return (await reader.executeQuery<Row>(query)).rows;
  };
}

function mergedQuery<Values extends Record<string, SqlInput>>(
  sql: string,
  parameters: readonly Placeholder[],
  together: Together<Values>,
): MergedQuery {
  const one = { sql, names: parameters.map(({ name }) => name) };
  if ("combine" in together) return { one, set: together };
  const { types, by } = together;
  return { one, set: writeSetForm(one, types), by };
}
