import { AsyncLocalStorage } from "node:async_hooks";
import type { Tx } from "../db.ts";

/** The work of a unit: it awaits only queries of its transaction, and may run again. */
export type Work<T> = (tx: Tx) => Promise<T>;

/** A connection for transactions that several units share. */
export type GroupConnection = {
  begin(): Promise<void>;
  /** @throws {Error} also where the server rolled back instead */
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** Makes a transaction object for one of the units. @param keys of the unit */
  open(keys: ReadonlySet<string>): Tx;
  /** Closes a connection that failed. */
  discard(): void;
};

export type GroupWriterDeps = {
  /** Returns a connection that no other group uses. */
  readonly connect: () => Promise<GroupConnection>;
  /** Takes it back. */
  readonly release: (connection: GroupConnection) => void;
  /** Runs a unit in a transaction of its own. */
  readonly runAlone: <T>(work: Work<T>) => Promise<T>;
  readonly onCommit: (tx: Tx) => void;
};

type Unit = {
  readonly work: Work<unknown>;
  readonly keys: ReadonlySet<string>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
};

const MAX_GROUP = 100;
/** As for SQLite's groups: a group waits for so many turns of the event loop while each adds units. */
const MAX_TURNS = 8;

/**
 * Commits units of work that come at the same time in one transaction, in which they run side by
 * side, so that their queries can be merged. Units with a common key are kept apart. If one of
 * them fails, nothing of the group is stored, and each runs alone: so a unit that is refused
 * harms no other. One group runs at a time, and the next one gathers meanwhile.
 */
export class GroupWriter {
  readonly #deps: GroupWriterDeps;
  #waiting: Unit[] = [];
  #running: Promise<void> | undefined;

  constructor(deps: GroupWriterDeps) {
    this.#deps = deps;
  }

  run<T>(keys: ReadonlySet<string>, work: Work<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({
        // It runs in a group that another may have begun.
        work: AsyncLocalStorage.bind(work),
        keys,
        resolve: resolve as (value: unknown) => void,
        reject,
      });
      this.#running ??= this.#drain();
    });
  }

  /** Waits until all units are committed or have failed. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gather();
      await this.#runGroup(this.#takeApart());
    }
    this.#running = undefined;
  }

  async #gather(): Promise<void> {
    for (let turn = 0; turn < MAX_TURNS; turn++) {
      const before = this.#waiting.length;
      if (before >= MAX_GROUP) return;
      await new Promise<void>((resolve) => setImmediate(resolve));
      if (this.#waiting.length === before) return;
    }
  }

  /** Takes units, in their order, that have no key in common. */
  #takeApart(): Unit[] {
    const held = new Set<string>();
    const [taken, left]: [Unit[], Unit[]] = [[], []];
    for (const unit of this.#waiting) {
      const isFree = taken.length < MAX_GROUP && unit.keys.isDisjointFrom(held);
      (isFree ? taken : left).push(unit);
      if (isFree) for (const key of unit.keys) held.add(key);
    }
    this.#waiting = left;
    return taken;
  }

  async #runGroup(units: readonly Unit[]): Promise<void> {
    const isDone = units.length > 1 && (await this.#tryTogether(units));
    if (isDone) return;
    await Promise.all(
      units.map(({ work, resolve, reject }) =>
        this.#deps.runAlone(work).then(resolve, reject),
      ),
    );
  }

  /** @returns false if nothing was stored, and each unit is to run alone */
  async #tryTogether(units: readonly Unit[]): Promise<boolean> {
    const connection = await this.#deps.connect().catch(() => undefined);
    if (!connection) return false;
    try {
      await connection.begin();
      const txs = units.map(({ keys }) => connection.open(keys));
      const results = await Promise.allSettled(
        units.map(async ({ work }, at) => work(txs[at] as Tx)),
      );
      if (results.some(({ status }) => status === "rejected")) {
        await connection.rollback();
        return false;
      }
      return await this.#commit(connection, units, txs, results);
    } catch {
      // The connection failed before the commit was asked for.
      connection.discard();
      return false;
    } finally {
      this.#deps.release(connection);
    }
  }

  /** A commit without an answer may stand, so its units do not run again. */
  async #commit(
    connection: GroupConnection,
    units: readonly Unit[],
    txs: readonly Tx[],
    results: readonly PromiseSettledResult<unknown>[],
  ): Promise<true> {
    try {
      await connection.commit();
    } catch (error) {
      connection.discard();
      for (const { reject } of units) reject(error);
      return true;
    }
    for (const tx of txs) this.#deps.onCommit(tx);
    for (const [at, { resolve }] of units.entries()) {
      const result = results[at];
      if (result?.status === "fulfilled") resolve(result.value);
    }
    return true;
  }
}
