import { AsyncLocalStorage } from "node:async_hooks";
import { codeOf } from "../../lib/errors.ts";
import type { Tx } from "../db.ts";
import { gatherUnits } from "./gather-units.ts";

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
  /** Returns the connection of the groups, of which one runs at a time. */
  readonly connect: () => Promise<GroupConnection>;
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

/**
 * Commits units of work that come at the same time in one transaction, in which they run side by
 * side, so that their queries can be merged. Units with a common key are kept apart. If one of
 * them fails, nothing of the group is stored; it runs alone, and the others once more together, or alone, too: so a
 * unit that is refused harms no other. One group runs at a time, and the next one gathers meanwhile.
 */
export class GroupWriter {
  readonly #deps: GroupWriterDeps;
  #waiting: Unit[] = [];
  #running: Promise<void> | undefined;
  #arrived: (() => void) | undefined;
  /** Units that run alone, beside the groups. */
  readonly #alone = new Map<Unit, Promise<void>>();

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
      this.#arrived?.();
      this.#running ??= this.#drain();
    });
  }

  #nextArrival(): Promise<void> {
    return new Promise((resolve) => (this.#arrived = resolve));
  }

  /** Waits until all units are committed or have failed. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
    await Promise.all(this.#alone.values());
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      await gatherUnits(() => this.#waiting.length, MAX_GROUP);
      const units = this.#takeApart();
      if (units.length > 0) await this.#runGroup(units);
      // All that wait have a key in common with one that runs alone.
      else await Promise.race([...this.#alone.values(), this.#nextArrival()]);
    }
    this.#running = undefined;
  }

  /** Takes units, in their order, that have no key in common with each other or those that run alone. */
  #takeApart(): Unit[] {
    const held = new Set(
      [...this.#alone.keys()].flatMap(({ keys }) => [...keys]),
    );
    const [taken, left]: [Unit[], Unit[]] = [[], []];
    for (const unit of this.#waiting) {
      const isFree = taken.length < MAX_GROUP && unit.keys.isDisjointFrom(held);
      (isFree ? taken : left).push(unit);
      if (isFree) for (const key of unit.keys) held.add(key);
    }
    this.#waiting = left;
    return taken;
  }

  /** Those that did not fail are tried together once more. */
  async #runGroup(units: readonly Unit[], isAgain = false): Promise<void> {
    const failed = units.length > 1 ? await this.#tryTogether(units) : units;
    if (failed.length === 0) return;
    const others = units.filter((unit) => !failed.includes(unit));
    for (const unit of isAgain ? units : failed) this.#runAlone(unit);
    if (!isAgain && others.length > 0) await this.#runGroup(others, true);
  }

  /** The groups that follow do not wait for it: it may wait for a lock. */
  #runAlone(unit: Unit): void {
    const run = this.#deps
      .runAlone(unit.work)
      .then(unit.resolve, unit.reject)
      .finally(() => this.#alone.delete(unit));
    this.#alone.set(unit, run);
  }

  /**
   * @returns the units that failed, if nothing was stored: all of them if the connection
   *   did; none if all is committed, or may be
   */
  async #tryTogether(units: readonly Unit[]): Promise<readonly Unit[]> {
    const connection = await this.#deps.connect().catch(() => undefined);
    if (!connection) return units;
    try {
      await connection.begin();
      const txs = units.map(({ keys }) => connection.open(keys));
      const results = await Promise.allSettled(
        units.map(async ({ work }, at) => work(txs[at] as Tx)),
      );
      const failed = units.filter((_, at) => hasFailed(results[at]));
      if (results.some(({ status }) => status === "rejected")) {
        await connection.rollback();
        return failed.length > 0 ? failed : units;
      }
      await this.#commit(connection, units, txs, results);
      return [];
    } catch {
      // The connection failed before the commit was asked for.
      connection.discard();
      return units;
    }
  }

  /** A commit without an answer may stand, so its units do not run again. */
  async #commit(
    connection: GroupConnection,
    units: readonly Unit[],
    txs: readonly Tx[],
    results: readonly PromiseSettledResult<unknown>[],
  ): Promise<void> {
    try {
      await connection.commit();
    } catch (error) {
      connection.discard();
      for (const { reject } of units) reject(error);
      return;
    }
    for (const tx of txs) this.#deps.onCommit(tx);
    for (const [at, { resolve }] of units.entries()) {
      const result = results[at];
      if (result?.status === "fulfilled") resolve(result.value);
    }
  }
}

/** In a transaction in which a statement of another unit has failed, PostgreSQL refuses all others. */
const ABORTED = "25P02";

function hasFailed(result: PromiseSettledResult<unknown> | undefined): boolean {
  return result?.status === "rejected" && codeOf(result.reason) !== ABORTED;
}
