import type { Db, Reader, Tx } from "../../db/db.ts";
import { lockNames } from "../../db/lock-names.ts";
import type { PersonId } from "../ids.ts";
import { later, timestamp, type Clock } from "../../lib/time/clock.ts";
import {
  countEarlyTombstonesBefore,
  deleteEarlyTombstonesBefore,
  findTombstone,
  findTombstoneOfUser,
  forgetMentioned,
  hasTombstone,
  insertEarlyTombstone,
  insertTombstone,
  isRetracted,
  listTombstones,
  takeEarlyTombstone,
  type EarlyRetraction,
  type RetractedThing,
} from "./retraction-store.ts";
import type { RetractedKind, Retraction } from "./retraction.ts";

export type { RetractedKind, RetractionDetails } from "./retraction.ts";
export type { RetractedThing } from "./retraction-store.ts";

const DAY_MS = 24 * 3_600_000;
/** No server keeps retrying the delivery of a deleted thing for longer. */
const KEEP_EARLY_MS = 7 * DAY_MS;

/** Tombstones: a repeated message must not bring a retracted thing back. */
export type Retractions = ReturnType<typeof createRetractions>;

export function createRetractions(deps: { db: Db; clock: Clock }) {
  const { db, clock } = deps;
  return {
    record: (tx: Tx, retraction: Retraction) =>
      insertTombstone(tx, retraction, timestamp(clock.now())),
    /**
     * Records a retraction that arrives before its thing. The caller has checked that the
     * thing would be of that server.
     * @param isHere asked once nobody can be storing a thing of this URI any more
     * @returns false if the thing has arrived meanwhile: nothing is recorded
     */
    recordEarly: (
      early: EarlyRetraction,
      isHere: (tx: Tx) => Promise<boolean>,
    ): Promise<boolean> =>
      db.transaction(async (tx) => {
        await lockNames(tx, db.dialect, [early.uri]);
        if (await isHere(tx)) return false;
        await insertEarlyTombstone(tx, early, timestamp(clock.now()));
        return true;
      }),
    /**
     * Was this retracted before it arrived? Uses the tombstone up: the thing may be
     * retracted again once it has arrived.
     */
    takeEarly: (tx: Tx, uri: string, personId: PersonId) =>
      takeEarlyTombstone(tx, uri, personId),
    forgetEarly: (tx: Tx) =>
      deleteEarlyTombstonesBefore(
        tx,
        timestamp(later(clock.now(), -KEEP_EARLY_MS)),
      ),
    /** The number kept for a day longer than they should be. */
    countOverdue: () =>
      countEarlyTombstonesBefore(
        db.read,
        timestamp(later(clock.now(), -KEEP_EARLY_MS - DAY_MS)),
      ),
    /** A retraction by this author: others may have retracted something under the same Guid. */
    find: (thing: RetractedThing, reader: Reader = db.read) =>
      findTombstone(reader, thing),
    /** A retraction by a local person. Guids created here are unique. */
    findOfUser: (kind: RetractedKind, guid: string) =>
      findTombstoneOfUser(db.read, kind, guid),
    /** The retractions under one Guid by any author; the latest ones. */
    list: (kind: RetractedKind, guid: string, limit: number) =>
      listTombstones(db.read, kind, guid, limit),
    forgetMentioned: (thing: RetractedThing) =>
      db.transaction((tx) => forgetMentioned(tx, thing)),
    /** Is it known here that something of this URI, of whatever kind, was retracted? */
    isGone: (uri: string) => hasTombstone(db.read, uri),
    isRetracted: (
      reader: Reader,
      thing: Parameters<typeof isRetracted>[1],
    ): Promise<boolean> => isRetracted(reader, thing),
  };
}
