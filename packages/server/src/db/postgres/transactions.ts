import {
  CompiledQuery,
  DefaultQueryExecutor,
  Kysely,
  PostgresDialect,
  type DatabaseConnection,
  type Driver,
  type PostgresPool,
} from "kysely";
import { codeOf } from "../../lib/errors.ts";
import type { OnQuery, Tx } from "../db.ts";
import type { Database } from "../schema/schema.ts";

const BEGIN = CompiledQuery.raw("begin");
/** `current transaction is aborted`: another query had failed before. */
const ABORTED = "25P02";
const AFTER_ITS_END = "A query came after the end of its transaction";

/**
 * Transactions whose queries need not await each other. Those of Kysely send one query at a time,
 * and the first one only after the answer to `begin`. Here all are sent as they come, in this order,
 * and PostgreSQL runs them in this order: `begin` costs no time of its own, and queries below one
 * `Promise.all` are sent and answered together.
 */
export class Transactions {
  readonly #dialect: PostgresDialect;
  readonly #driver: Driver;
  readonly #executor: DefaultQueryExecutor;
  readonly #onQuery: OnQuery | undefined;

  constructor(pool: PostgresPool, onQuery: OnQuery | undefined) {
    this.#dialect = new PostgresDialect({ pool });
    this.#driver = this.#dialect.createDriver();
    this.#onQuery = onQuery;
    this.#executor = new DefaultQueryExecutor(
      this.#dialect.createQueryCompiler(),
      this.#dialect.createAdapter(),
      { provideConnection: () => Promise.reject(new Error(AFTER_ITS_END)) },
    );
  }

  /**
   * Commits when `work` is done, and rolls back when it fails. Of queries that were sent together, the
   * error of the one that failed first is thrown, which says whether to try again.
   */
  async run<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    await this.#driver.init();
    const connection = await this.#driver.acquireConnection();
    let isOpen = true;
    let first: unknown;
    const lent = this.#lend(
      connection,
      () => isOpen,
      (error) => (first ??= error),
    );
    try {
      const begun = lent.executeQuery(BEGIN);
      begun.catch(() => {});
      const value = await work(this.#open(lent));
      isOpen = false;
      await begun;
      await this.#driver.commitTransaction(connection);
      return value;
    } catch (error) {
      isOpen = false;
      // If that fails, the connection is closed, and PostgreSQL rolls back.
      await this.#driver.rollbackTransaction(connection).catch(() => {});
      throw codeOf(error) === ABORTED ? (first ?? error) : error;
    } finally {
      await this.#driver.releaseConnection(connection);
    }
  }

  #open(connection: DatabaseConnection): Tx {
    const executor = this.#executor.withConnectionProvider({
      provideConnection: (consumer) => consumer(connection),
    });
    const [dialect, driver] = [this.#dialect, this.#driver];
    const config = { dialect };
    return new Kysely<Database>({ config, dialect, driver, executor }) as Tx;
  }

  /** A query after the end would run in the transaction of somebody else. */
  #lend(
    connection: DatabaseConnection,
    isOpen: () => boolean,
    onError: (error: unknown) => void,
  ): DatabaseConnection {
    const onQuery = this.#onQuery;
    return {
      executeQuery: async (query, options) => {
        if (!isOpen()) throw new Error(AFTER_ITS_END);
        const startedAtMs = performance.now();
        try {
          return await connection.executeQuery(query, options);
        } catch (error) {
          onError(error);
          throw error;
        } finally {
          onQuery?.(performance.now() - startedAtMs, query.sql);
        }
      },
      streamQuery: () => {
        throw new Error("Transactions give whole results");
      },
    };
  }
}
