import type { Db, Tx } from "../../db/db.ts";
import { lockKey } from "../../db/dialect.ts";
import { recurringKind, type JobHandler } from "../../jobs/job.ts";
import { KithError } from "../../lib/errors.ts";
import { later, timestamp, type Clock } from "../../lib/time/clock.ts";
import type { UserId } from "../ids.ts";
import {
  deleteSomeActs,
  findNthNewest,
  findRules,
  insertNewcomerAct,
  type NewcomerAct,
  type NewcomerRules,
} from "./newcomer-store.ts";

const DAY_MS = 86_400_000;
const FORGET_EVERY_MS = 6 * 3_600_000;
const AT_ONCE = 500;

/** A new account may not write links yet. */
export class LinkRefused extends KithError {
  constructor() {
    super("bad_request", "New accounts here cannot write links yet.");
    this.name = "LinkRefused";
  }
}

/** The job that deletes acts older than a day. */
export const FORGET_NEWCOMER_ACTS = recurringKind("forget-newcomer-acts");

type Deps = { readonly db: Db; readonly clock: Clock };

/** The handler of {@link FORGET_NEWCOMER_ACTS}. */
export function createForgetNewcomerActs({
  db,
  clock,
}: Deps): JobHandler<Record<string, never>> {
  return async (_payload, { signal }) => {
    const before = timestamp(later(clock.now(), -DAY_MS));
    for (let isMore = true; isMore && !signal.aborted;)
      isMore = await db.transaction(
        async (tx) => (await deleteSomeActs(tx, { before }, AT_ONCE)) > 0,
      );
    return { kind: "again", afterMs: FORGET_EVERY_MS };
  };
}

/** The key of the lock under which the acts of a new account are counted. */
export const newcomerKey = (userId: UserId): string => `newcomer:${userId}`;

/** The limits for new accounts, counted in the database: all processes agree. */
export type Newcomers = ReturnType<typeof createNewcomers>;

export function createNewcomers({ db, clock }: Deps) {
  const findNewUntil = async (tx: Tx, userId: UserId) => {
    const rules = await findRules(tx, userId);
    if (!rules) return undefined;
    const until = later(new Date(rules.since), rules.days * DAY_MS);
    return clock.now() < until ? { rules, until } : undefined;
  };

  async function count(
    tx: Tx,
    userId: UserId,
    kind: NewcomerAct,
    { until, max }: { readonly until: Date; readonly max: number },
  ): Promise<void> {
    if (max === 0) return;
    await lockKey(tx, db.dialect, newcomerKey(userId));
    const now = clock.now();
    const after = timestamp(later(now, -DAY_MS));
    const first = await findNthNewest(tx, userId, kind, after, max);
    if (first !== undefined) {
      const free = later(new Date(first), DAY_MS);
      const ms = Math.min(free.getTime(), until.getTime()) - now.getTime();
      throw new KithError("too_many_requests", `A new account: ${kind}.`, {
        retryAfterS: Math.max(1, Math.ceil(ms / 1000)),
      });
    }
    await insertNewcomerAct(tx, userId, kind, timestamp(now));
  }

  const refuseLink = ({ mayLink }: NewcomerRules, link: string | undefined) => {
    if (!mayLink && link !== undefined) throw new LinkRefused();
  };

  return {
    /**
     * Counts a post, reshare, comment or message.
     * @param link the first link of its text
     * @throws {KithError} `too_many_requests` with the time of the next one, or `LinkRefused`
     */
    admitWriting: async (
      tx: Tx,
      { userId }: { readonly userId: UserId },
      link?: string,
    ): Promise<void> => {
      const found = await findNewUntil(tx, userId);
      if (!found) return;
      refuseLink(found.rules, link);
      const max = found.rules.writings;
      await count(tx, userId, "write", { until: found.until, max });
    },
    /** The same for a changed text, which counts as none. @param before its first link so far */
    admitEdit: async (
      tx: Tx,
      { userId }: { readonly userId: UserId },
      link: string | undefined,
      before: string | undefined,
    ): Promise<void> => {
      if (link === undefined || link === before) return;
      const found = await findNewUntil(tx, userId);
      if (found) refuseLink(found.rules, link);
    },
    /** Counts a person who is followed anew. @throws {KithError} `too_many_requests` */
    admitFollow: async (
      tx: Tx,
      { userId }: { readonly userId: UserId },
    ): Promise<void> => {
      const found = await findNewUntil(tx, userId);
      if (!found) return;
      const max = found.rules.follows;
      await count(tx, userId, "follow", { until: found.until, max });
    },
    /** Deletes acts of a deleted account. @returns true if more are left */
    removeSomeOf: (userId: UserId, limit: number) =>
      db.transaction(
        async (tx) => (await deleteSomeActs(tx, { userId }, limit)) > 0,
      ),
  };
}
