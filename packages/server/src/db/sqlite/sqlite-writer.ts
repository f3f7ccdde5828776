import { AsyncLocalStorage } from "node:async_hooks";
import type { DatabaseSync } from "node:sqlite";
import { gatherUnits } from "../together/gather-units.ts";
import { DeferredWrites } from "../together/deferred-writes.ts";

type Unit = {
  work: () => Promise<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
};
type Settle = () => void;

const MAX_GROUP = 200;

export type SqliteWriterDeps = {
  readonly database: DatabaseSync;
  /** Resolves once everything committed so far survives a power cut. */
  readonly flush: () => Promise<void>;
  /** The next group waits for it. */
  readonly afterCommit: () => void | Promise<void>;
  /** The commit failed, or may stand without surviving a power cut. */
  readonly afterFailure?: () => void;
};

/**
 * Runs units of work sequentially and commits them in groups: one outer
 * transaction, a savepoint for each unit that arrived meanwhile, and the
 * results after the outer commit is flushed to the disk. The group shares the
 * flush, during which others may read, and a page that several units change is
 * written once.
 *
 * A unit must await only its own queries: a network request here would block
 * every writer.
 */
export class SqliteWriter {
  readonly deferred = new DeferredWrites();
  readonly #deps: SqliteWriterDeps;
  readonly #database: DatabaseSync;
  readonly #savepoint: () => void;
  readonly #release: () => void;
  #waiting: Unit[] = [];
  #running: Promise<void> | undefined;

  constructor(deps: SqliteWriterDeps) {
    const { database } = deps;
    this.#deps = deps;
    this.#database = database;
    const savepoint = database.prepare("savepoint unit");
    const release = database.prepare("release unit");
    // The last row ID may be beyond 2^53: FTS5 writes rows of its own, also within a savepoint.
    savepoint.setReadBigInts(true);
    release.setReadBigInts(true);
    this.#savepoint = () => void savepoint.run();
    this.#release = () => void release.run();
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({
        // It runs in a group that another may have begun: its log lines, its
        // jobs and its part of a trace must name the one who asked.
        work: AsyncLocalStorage.bind(work),
        resolve: resolve as (value: unknown) => void,
        reject,
      });
      this.#running ??= this.#drain();
    });
  }

  /** Waits until all enqueued units are committed or have failed. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      await gatherUnits(() => this.#waiting.length, MAX_GROUP);
      await this.#commitGroup(this.#waiting.splice(0, MAX_GROUP));
    }
    this.#running = undefined;
  }

  async #commitGroup(units: Unit[]): Promise<void> {
    const settled: Settle[] = [];
    try {
      this.#database.exec("begin immediate");
      for (const unit of units) settled.push(await this.#runUnit(unit));
      await this.deferred.write();
      this.#database.exec("commit");
      await this.#deps.flush();
    } catch (error) {
      // Nothing of the group is certain to be durable, so every unit fails.
      this.#rollBack();
      this.deferred.dropAll();
      for (const unit of units) unit.reject(error);
      await notify(this.#deps.afterFailure);
      return;
    }
    for (const settle of settled) settle();
    await notify(this.#deps.afterCommit);
  }

  #rollBack(): void {
    try {
      if (this.#database.isTransaction) this.#database.exec("rollback");
    } catch {
      // The next group fails to begin then, and its units are rejected.
    }
  }

  async #runUnit(unit: Unit): Promise<Settle> {
    this.#savepoint();
    try {
      const value = await unit.work();
      this.#release();
      this.deferred.keep();
      return () => unit.resolve(value);
    } catch (error) {
      // After a full disk SQLite may have rolled everything back itself.
      if (!this.#database.isTransaction) throw error;
      this.#database.exec("rollback to unit; release unit");
      this.deferred.drop();
      return () => unit.reject(error);
    }
  }
}

/** The next group must run, whatever a listener does. */
async function notify(
  listener: SqliteWriterDeps["afterCommit"] | undefined,
): Promise<void> {
  try {
    await listener?.();
  } catch (error) {
    process.emitWarning(
      error instanceof Error ? error : new Error(String(error)),
    );
  }
}
