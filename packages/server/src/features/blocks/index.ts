import { timestamp } from "../../lib/time/clock.ts";
import { KithError } from "../../lib/errors.ts";
import type { Tx } from "../../db/db.ts";
import type { Follower } from "../contacts/index.ts";
import { listBlockedAmong, mayNotify } from "../visibility/index.ts";
import type { PersonId, UserId } from "../ids.ts";
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
  listBlockedIds,
  listIgnoredIds,
} from "./distance-store.ts";

/** Blocks and ignores: blocking ends every contact, ignoring only hides. */
export type Blocks = ReturnType<typeof createBlocks>;

export function createBlocks(deps: BlockDeps) {
  const { db, clock, people } = deps;

  async function inOrder(ids: readonly PersonId[]): Promise<Person[]> {
    const found = await people.listById(ids);
    return ids.flatMap((id) => {
      const person = found.get(id);
      return person?.state === "active" ? [person] : [];
    });
  }

  return {
    list: async (personId: PersonId, page: Page): Promise<Person[]> =>
      inOrder(await listBlockedIds(db.read, personId, page)),
    /** Returns those of these people whom the person has blocked. */
    listBlockedAmong: (personId: PersonId, ids: readonly PersonId[]) =>
      listBlockedAmong(db.read, personId, ids),
    /** Is a user notified of a person's activity? Not if the person is a silenced stranger. */
    mayNotify: (userId: UserId, writerId: PersonId) =>
      mayNotify(db.read, userId, writerId),
    block: (by: Follower, id: PersonId) => block(deps, by, id),
    unblock: (by: Follower, id: PersonId) => unblock(deps, by, id),
    /** Records that a remote person blocks or unblocks a local user. */
    receive: (blocker: Person, blocked: Follower, isBlocking: boolean) =>
      receiveBlock(deps, blocker, blocked, isBlocking),
    listIgnored: async (personId: PersonId, page: Page): Promise<Person[]> =>
      inOrder(await listIgnoredIds(db.read, personId, page)),
    /** @throws {KithError} `not_found`, or `bad_request` for oneself */
    ignore: (by: Follower, id: PersonId): Promise<Person> =>
      db.transaction(async (tx) => {
        const other = await getPersonToBlock(deps, tx, by, id);
        const now = timestamp(clock.now());
        await insertIgnore(tx, by.personId, other.id, now);
        return other;
      }),
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
    copyIgnore: (tx: Tx, personId: PersonId, ignoredId: PersonId) =>
      insertIgnore(tx, personId, ignoredId, timestamp(clock.now())),
    /** Removes a person who has left from every list. */
    removeAllOf: (tx: Tx, personId: PersonId) => deleteDistanceOf(tx, personId),
  };
}
