import { timestamp, type Timestamp } from "../../lib/time/clock.ts";
import { KithError } from "../../lib/errors.ts";
import type { Tx } from "../../db/db.ts";
import type { Follower } from "../contacts/index.ts";
import { createApplyHostBlock } from "./apply-host-block.ts";
import { blockHost, copyHostBlocks, unblockHost } from "./block-host.ts";
import { listHostBlocks } from "./host-block-store.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import {
  listBlockedAmong,
  listBlockersAmong,
  mayNotify,
} from "../visibility/index.ts";
import type { PersonId, UserId } from "../ids.ts";
import { readEndTime } from "../end-time.ts";
import type { Page } from "../page.ts";
import type { Person } from "../people/index.ts";
import {
  block,
  getPersonToBlock,
  receiveBlock,
  unblock,
  type BlockDeps,
} from "./block.ts";
import {
  deleteDistanceOf,
  deleteIgnore,
  insertBlock,
  insertIgnore,
  isIgnoring,
  listBlockedIds,
  listIgnored,
  listIgnoredAmong,
} from "./distance-store.ts";
import { END_IGNORE } from "./end-ignore.ts";

export type { HostBlock } from "./host-block-store.ts";
export { APPLY_HOST_BLOCK } from "./block-host.ts";
export { createEndIgnore, END_IGNORE } from "./end-ignore.ts";

/** A person whom a user has blocked. */
export type BlockedPerson = {
  readonly person: Person;
  readonly since: Timestamp;
};

/** A person whom a user ignores. */
export type IgnoredPerson = {
  readonly person: Person;
  /** null for good. */
  readonly endsAt: Timestamp | null;
};

/** Blocks and ignores: blocking ends every contact, ignoring only hides. */
export type Blocks = ReturnType<typeof createBlocks>;

export function createBlocks(
  deps: BlockDeps & { readonly jobs: Jobs; readonly handleHost: string },
) {
  const { db, clock, jobs, people } = deps;

  async function withPeople<T extends { readonly personId: PersonId }>(
    rows: readonly T[],
  ): Promise<(T & { readonly person: Person })[]> {
    const found = await people.listById(rows.map(({ personId }) => personId));
    return rows.flatMap((row) => {
      const person = found.get(row.personId);
      return person?.state === "active" ? [{ ...row, person }] : [];
    });
  }

  async function startIgnore(
    tx: Tx,
    by: PersonId,
    of: PersonId,
    endsAt: Timestamp | null,
  ): Promise<void> {
    await insertIgnore(tx, by, of, timestamp(clock.now()), endsAt);
    if (endsAt !== null)
      await jobs.enqueue(
        tx,
        END_IGNORE,
        { by, of, endsAt },
        { runAt: new Date(endsAt) },
      );
  }

  return {
    list: async (personId: PersonId, page: Page): Promise<BlockedPerson[]> =>
      withPeople(await listBlockedIds(db.read, personId, page)),
    /** Returns those of these people whom the person has blocked. */
    listBlockedAmong: (personId: PersonId, ids: readonly PersonId[]) =>
      listBlockedAmong(db.read, personId, ids),
    /** Is a user notified of a person's activity? Not if the person is a silenced stranger. */
    mayNotify: (userId: UserId, writerId: PersonId) =>
      mayNotify(db.read, userId, writerId),
    block: (by: Follower, id: PersonId) => block(deps, by, id),
    unblock: (by: Follower, id: PersonId) => unblock(deps, by, id),
    /** Lists a page of the servers that the person has blocked, newest first. */
    listHosts: (personId: PersonId, page: Page) =>
      listHostBlocks(db.read, personId, page),
    blockHost: (by: Follower, host: string) => blockHost(deps, by, host),
    /** The job that follows a block of a server, and its end. */
    applyHost: createApplyHostBlock(deps),
    unblockHost: (by: Follower, host: string) => unblockHost(deps, by, host),
    /** Copies the blocks of servers to the person to whom a local one has moved. */
    copyHosts: (tx: Tx, from: PersonId, to: Follower) =>
      copyHostBlocks(deps, tx, from, to),
    /** Records that a remote person blocks or unblocks a local user. */
    receive: (blocker: Person, blocked: Follower, isBlocking: boolean) =>
      receiveBlock(deps, blocker, blocked, isBlocking),
    listIgnored: async (
      personId: PersonId,
      page: Page,
    ): Promise<(IgnoredPerson & { readonly since: Timestamp })[]> =>
      withPeople(await listIgnored(db.read, personId, page)),
    /**
     * How the person keeps away from each of these people, or they from it.
     * @returns a function of the id of one of them
     */
    listDistances: async (personId: PersonId, ids: readonly PersonId[]) => {
      const [blocked, blockers, ignored] = await Promise.all([
        listBlockedAmong(db.read, personId, ids),
        listBlockersAmong(db.read, personId, ids),
        listIgnoredAmong(db.read, personId, ids),
      ]);
      const isBlocked = new Set(blocked);
      return (id: PersonId) => {
        const endsAt = ignored.get(id);
        return {
          isBlocked: isBlocked.has(id),
          /** Has it blocked the person? */
          isBlocking: blockers.has(id),
          ignore: endsAt === undefined ? undefined : { endsAt },
        };
      };
    },
    isIgnoring: (personId: PersonId, of: PersonId) =>
      isIgnoring(db.read, personId, of),
    /**
     * Ignores a person, for good or until a time; ignoring again sets that anew.
     * @param until as entered
     * @throws {KithError} `not_found`, `invalid_datetime`, `bad_request` for oneself and for the
     *   past
     */
    ignore: (
      by: Follower,
      id: PersonId,
      until?: string,
    ): Promise<IgnoredPerson> => {
      const endsAt = readEndTime(until, clock.now());
      return db.transaction(async (tx) => {
        const person = await getPersonToBlock(deps, tx, by, id);
        await startIgnore(tx, by.personId, person.id, endsAt);
        return { person, endsAt };
      });
    },
    /** @throws {KithError} `not_found` if the user did not ignore the person */
    unignore: (by: Follower, id: PersonId): Promise<void> =>
      db.transaction(async (tx) => {
        if (!(await deleteIgnore(tx, by.personId, id)))
          throw new KithError("not_found", "Not ignored.");
      }),
    /** Inserts a block without side effects: no local user is notified, and no contact ends. */
    copyBlock: async (tx: Tx, personId: PersonId, blockedId: PersonId) => {
      await insertBlock(tx, personId, blockedId, timestamp(clock.now()));
    },
    /** Does the same for an ignored person. */
    copyIgnore: startIgnore,
    /** Removes a person who has left from every list. */
    removeAllOf: (tx: Tx, personId: PersonId) => deleteDistanceOf(tx, personId),
  };
}
