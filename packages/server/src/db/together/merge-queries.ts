import { NTH, type SetForm } from "./set-form.ts";

/** A value of a query. */
export type Value = string | number | boolean | null | Uint8Array;
export type Values = Readonly<Record<string, Value>>;
type Row = Readonly<Record<string, unknown>>;

/** A query that several units of work may ask at once. */
export type MergedQuery = {
  /** Its text for one set of values, and their names in order. */
  readonly one: { readonly sql: string; readonly names: readonly string[] };
  /** Its text for several sets of values, or how these become one set of values. */
  readonly set: SetForm | { combine(sets: readonly Values[]): Values };
  /**
   * The column of an answer that equals the value of the same name, which no two units have in
   * common. Undefined for a selection, and for an insert that returns nothing.
   */
  readonly by?: string | undefined;
};

/** Statements of PostgreSQL within one transaction. */
export type Statements = {
  query(sql: string, values: readonly unknown[]): Promise<{ rows: Row[] }>;
  /** Runs a statement that does what `one` would do with each of `each`. */
  queryMerged(
    sql: string,
    values: readonly unknown[],
    one: string,
    each: readonly (readonly Value[])[],
  ): Promise<{ rows: Row[] }>;
};

type Asked = {
  readonly values: Values;
  readonly resolve: (rows: Row[]) => void;
  readonly reject: (error: unknown) => void;
};

export const TRANSACTION_ENDED = "The transaction of the query has ended";

/**
 * Merges the queries that units of one transaction ask in the same turn of the event loop: one
 * statement for each text.
 */
export class QueryMerger {
  readonly #statements: Statements;
  #asked = new Map<MergedQuery, Asked[]>();
  #locks: { readonly keys: readonly string[]; readonly done: Asked }[] = [];
  #isDue = false;
  #hasEnded = false;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** Refuses all queries from now on, also those that are not sent yet. */
  end(): void {
    this.#hasEnded = true;
  }

  ask(query: MergedQuery, values: Values): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      const asked = this.#asked.get(query);
      const one = { values, resolve, reject };
      if (asked) asked.push(one);
      else this.#asked.set(query, [one]);
      this.#flushLater();
    });
  }

  /** Takes advisory locks until the end of the transaction, those of one turn in one order. */
  async lock(keys: readonly string[]): Promise<void> {
    await new Promise<Row[]>((resolve, reject) => {
      this.#locks.push({ keys, done: { values: {}, resolve, reject } });
      this.#flushLater();
    });
  }

  #flushLater(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => this.#flush());
  }

  #flush(): void {
    this.#isDue = false;
    const asked = this.#asked;
    const locks = this.#locks;
    this.#asked = new Map();
    this.#locks = [];
    if (locks.length > 0)
      void settle(
        locks.map(({ done }) => done),
        () => this.#lockAll(locks.flatMap(({ keys }) => keys)),
      );
    for (const [query, those] of asked)
      void settle(those, () => this.#run(query, those));
  }

  async #lockAll(keys: readonly string[]): Promise<Row[][]> {
    if (this.#hasEnded) throw new Error(TRANSACTION_ENDED);
    await this.#statements.query(LOCK, [
      JSON.stringify([...new Set(keys)].sort()),
    ]);
    return [];
  }

  async #run(query: MergedQuery, asked: readonly Asked[]): Promise<Row[][]> {
    if (this.#hasEnded) throw new Error(TRANSACTION_ENDED);
    const { one, set, by } = query;
    const [first] = asked;
    if (first && asked.length === 1) {
      const { rows } = await this.#statements.query(
        one.sql,
        valuesOf(first.values, one.names),
      );
      return [rows];
    }
    const sets = asked.map(({ values }) => values);
    const [sql, given] =
      "combine" in set
        ? [one.sql, valuesOf(set.combine(sets), one.names)]
        : [set.sql, set.names.map((name) => valueOfEach(sets, name))];
    const { rows } = await this.#statements.queryMerged(
      sql,
      given,
      one.sql,
      sets.map((it) => valuesOf(it, one.names)),
    );
    return by === undefined ? byNumber(rows, asked) : byValue(rows, asked, by);
  }
}

const valuesOf = (values: Values, names: readonly string[]): Value[] =>
  names.map((name) => values[name] ?? null);

const valueOfEach = (sets: readonly Values[], name: string): Value[] =>
  sets.map((values) => values[name] ?? null);

const LOCK = `select pg_advisory_xact_lock(hashtextextended(given.value, 0))
  from jsonb_array_elements_text($1::jsonb) as given(value)`;

async function settle(
  asked: readonly Asked[],
  run: () => Promise<Row[][]>,
): Promise<void> {
  try {
    const answers = await run();
    for (const [at, { resolve }] of asked.entries()) resolve(answers[at] ?? []);
  } catch (error) {
    for (const { reject } of asked) reject(error);
  }
}

function byNumber(rows: readonly Row[], asked: readonly Asked[]): Row[][] {
  const answers: Row[][] = asked.map(() => []);
  for (const { [NTH]: nth, ...row } of rows)
    answers[Number(nth) - 1]?.push(row);
  return answers;
}

function byValue(
  rows: readonly Row[],
  asked: readonly Asked[],
  name: string,
): Row[][] {
  const answers = Map.groupBy(rows, (row) => row[name]);
  return asked.map(({ values }) => answers.get(values[name]) ?? []);
}
