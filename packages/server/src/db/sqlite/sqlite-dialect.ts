import type { DatabaseSync, StatementSync } from "node:sqlite";
import {
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
} from "kysely";

import type { OnQuery } from "../db.ts";
import { createLruCache } from "../../lib/caching/lru-cache.ts";
import { WriteCollector } from "../writes/collect-writes.ts";
import {
  readStatement,
  type StatementWrite,
} from "../writes/read-statement.ts";

type SqlValue = null | number | bigint | string | Uint8Array;

const MAX_STATEMENTS = 500;
/**
 * SQLite (up to 3.53) uses the limit for planning, and therefore replans at
 * each binding: home timelines take half as much processor time again. A sum is
 * evaluated only when the query runs.
 */
const LIMIT = "limit ?";
const HIDDEN = "limit ? + 0";

/**
 * A statement, and whether it returns rows: asking the statement each time
 * costs as much as a small query.
 */
type Prepared = {
  readonly statement: StatementSync;
  readonly hasRows: boolean;
  readonly writes: readonly StatementWrite[];
};

/** It yields a row without columns for each page, and `run` takes only the first step. */
const YIELDS = /^\s*pragma incremental_vacuum/i;

type ChooseConnection = (sql: string) => SqliteConnection;

/**
 * Kysely over `node:sqlite`. Calls are synchronous, so no pool is needed: one
 * connection serves all, and the write queue makes the transactions
 * (`sqlite-writer.ts`).
 */
export class NodeSqliteDialect implements Dialect {
  readonly #connection: NodeSqliteConnection;
  /** @param choose selects the connection for each query */
  constructor(choose: ChooseConnection, onQuery?: OnQuery) {
    this.#connection = new NodeSqliteConnection(choose, onQuery);
  }
  createDriver(): Driver {
    return new NodeSqliteDriver(this.#connection);
  }
  createQueryCompiler(): SqliteQueryCompiler {
    return new SqliteQueryCompiler();
  }
  createAdapter(): SqliteAdapter {
    return new NodeSqliteAdapter(this.#connection);
  }
  createIntrospector<T>(db: Kysely<T>): SqliteIntrospector {
    return new SqliteIntrospector(db);
  }
}

/** Exposes the connection to prepared queries. */
export class NodeSqliteAdapter extends SqliteAdapter {
  readonly #connection: NodeSqliteConnection;
  constructor(connection: NodeSqliteConnection) {
    super();
    this.#connection = connection;
  }
  rows<R>(sql: string, values: readonly unknown[]): R[] {
    return this.#connection.run<R>(sql, values).rows;
  }
}

class NodeSqliteDriver implements Driver {
  readonly #connection: NodeSqliteConnection;
  constructor(connection: NodeSqliteConnection) {
    this.#connection = connection;
  }
  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }
  async beginTransaction(): Promise<void> {
    throw new Error("On SQLite transactions go through Db.transaction");
  }
  async commitTransaction(): Promise<void> {}
  async rollbackTransaction(): Promise<void> {}
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
}

class NodeSqliteConnection implements DatabaseConnection {
  readonly #choose: ChooseConnection;
  readonly #onQuery: OnQuery | undefined;
  constructor(choose: ChooseConnection, onQuery: OnQuery | undefined) {
    this.#choose = choose;
    this.#onQuery = onQuery;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.run<R>(query.sql, query.parameters);
  }

  run<R>(sql: string, parameters: readonly unknown[]): QueryResult<R> {
    if (!this.#onQuery) return this.#run<R>(sql, parameters);
    const startedAtMs = performance.now();
    try {
      return this.#run<R>(sql, parameters);
    } finally {
      this.#onQuery(performance.now() - startedAtMs, sql);
    }
  }

  #run<R>(sql: string, parameters: readonly unknown[]): QueryResult<R> {
    const connection = this.#choose(sql);
    const { statement, hasRows, writes } = connection.prepare(sql);
    const values = parameters.map(sqlValue);
    if (writes.length > 0) connection.writes.note(writes, values);
    if (hasRows) return { rows: statement.all(...values) as R[] };
    const { changes, lastInsertRowid } = statement.run(...values);
    return {
      rows: [],
      numAffectedRows: BigInt(changes),
      insertId: BigInt(lastInsertRowid),
    };
  }

  async *streamQuery<R>(
    query: CompiledQuery,
  ): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query);
  }
}

/** A connection with its cache of prepared statements. */
export class SqliteConnection {
  readonly database: DatabaseSync;
  /** Of the transaction that runs on it. */
  readonly writes = new WriteCollector();
  readonly #statements = createLruCache<string, Prepared>({
    max: MAX_STATEMENTS,
  });
  constructor(database: DatabaseSync) {
    this.database = database;
  }

  /** Preparing costs more than most of our queries, so statements are kept. */
  prepare(sql: string): Prepared {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.database.prepare(sql.replaceAll(LIMIT, HIDDEN));
    const hasRows = statement.columns().length > 0 || YIELDS.test(sql);
    const prepared = { statement, hasRows, writes: readStatement(sql) };
    // A result of `run` names the last row ID, which may be one of FTS5's own, beyond 2^53.
    if (!prepared.hasRows) statement.setReadBigInts(true);
    this.#statements.set(sql, prepared);
    return prepared;
  }
}

function sqlValue(value: unknown): SqlValue {
  if (value === undefined) return null;
  if (typeof value === "boolean") return value ? 1 : 0;
  return value as SqlValue;
}
