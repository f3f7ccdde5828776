import { sql, type CompiledQuery, type RawBuilder, type SqlBool } from "kysely";
import type { DialectName, Reader } from "./db.ts";
import { isOneOf } from "./dialect.ts";
import { NodeSqliteAdapter } from "./sqlite/sqlite-dialect.ts";

/** What can stand in a query in the place of a value. */
export type SqlInput = string | number | boolean | null | Uint8Array;

/** For a query that is prepared: where it has to be written in two ways. */
export function dialectOf(reader: Reader): DialectName {
  const { adapter } = reader.getExecutor();
  return adapter instanceof NodeSqliteAdapter ? "sqlite" : "postgres";
}

/** For a query that is prepared: is the column one of the numbers in `list`, a JSON list? */
export function isListed(
  reader: Reader,
  column: string,
  list: string,
): RawBuilder<SqlBool> {
  return isOneOf(dialectOf(reader), column, list, "bigint");
}

/** The same of texts. */
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

/** What takes the place of a value until there is one. */
export class Place {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

type Prepared<Row> = {
  readonly query: CompiledQuery<Row>;
  readonly parameters: readonly Place[];
};

/** Texts, names, and places of parameters as SQLite and PostgreSQL write them. */
const TOKENS = /'[^']*'|"[^"]*"|\?|\$\d+/g;

/**
 * Writes the values that are known already into the query. SQLite (3.51 at the
 * latest) plans a query anew each time a value is bound that it can compare with the
 * condition of a partial index, at many times the price of running it; and the plan
 * that PostgreSQL keeps can use a partial index for what stands in the query alone.
 */
export function writeConstants(
  { sql, parameters }: Pick<CompiledQuery, "sql" | "parameters">,
  dialect: DialectName,
): { readonly sql: string; readonly parameters: readonly Place[] } {
  const places: Place[] = [];
  let next = 0;
  const written = sql.replace(TOKENS, (token) => {
    const isPlace = dialect === "sqlite" ? token === "?" : token[0] === "$";
    if (!isPlace) return token;
    const number = dialect === "sqlite" ? next++ : Number(token.slice(1)) - 1;
    const value = parameters[number];
    if (!(value instanceof Place)) return literal(value, dialect);
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
 * A query whose text is built once for each database. Building one costs more
 * than SQLite takes to answer it, so what runs for every message is prepared.
 * @param build writes the query; `value` gives what stands for a value, which
 *   may not decide how the query is written: never give null where it means `is null`
 */
export function prepareQuery<Values extends Record<string, SqlInput>, Row>(
  build: (
    reader: Reader,
    value: <Name extends keyof Values & string>(name: Name) => Values[Name],
  ) => CompiledQuery<Row>,
): PreparedQuery<Values, Row> {
  // Transactions come and go; what they have in common with their database is the adapter.
  const prepared = new WeakMap<object, Prepared<Row>>();
  const prepare = (reader: Reader): Prepared<Row> => {
    const query = build(
      reader,
      <Name extends keyof Values & string>(name: Name) =>
        new Place(name) as unknown as Values[Name],
    );
    const { sql, parameters } = writeConstants(query, dialectOf(reader));
    return { query: { ...query, sql }, parameters };
  };
  return async (reader, values) => {
    const { adapter, plugins } = reader.getExecutor();
    // Whoever looks on or changes queries gets to see each of them.
    if (plugins.length > 0) {
      const query = build(reader, (name) => values[name]);
      return (await reader.executeQuery<Row>(query)).rows;
    }
    let known = prepared.get(adapter);
    if (!known) prepared.set(adapter, (known = prepare(reader)));
    const parameters = known.parameters.map(({ name }) => values[name]);
    const { sql } = known.query;
    if (adapter instanceof NodeSqliteAdapter)
      return adapter.rows<Row>(sql, parameters);
    const query = { ...known.query, parameters };
    return (await reader.executeQuery<Row>(query)).rows;
  };
}
