import type { Db, Reader, Tx } from "../../db/db.ts";
import type { PersonId } from "../ids.ts";
import { later, timestamp, type Clock } from "../../lib/time/clock.ts";
import {
  countEarlyTombstonesBefore,
  deleteEarlyTombstonesBefore,
  findTombstone,
  findTombstoneOfUser,
  forgetMentioned,
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
/** No server tries longer to deliver what is deleted already. */
const KEEP_EARLY_MS = 7 * DAY_MS;

/** What was taken back: remembered, so that a repeated message does not bring it back. */
export type Retractions = ReturnType<typeof createRetractions>;

export function createRetractions(deps: { db: Db; clock: Clock }) {
  const { db, clock } = deps;
  return {
    record: (tx: Tx, retraction: Retraction) =>
      insertTombstone(tx, retraction, timestamp(clock.now())),
    /** What is taken back before it comes. The caller knows that the thing would be of that server. */
    recordEarly: (early: EarlyRetraction) =>
      db.transaction((tx) =>
        insertEarlyTombstone(tx, early, timestamp(clock.now())),
      ),
    /** Was this taken back before it came? Once it has come, it may be said again. */
    takeEarly: (tx: Tx, uri: string, personId: PersonId) =>
      takeEarlyTombstone(tx, uri, personId),
    forgetEarly: (tx: Tx) =>
      deleteEarlyTombstonesBefore(
        tx,
        timestamp(later(clock.now(), -KEEP_EARLY_MS)),
      ),
    /** How many are kept a day longer than they should be. */
    countOverdue: () =>
      countEarlyTombstonesBefore(
        db.read,
        timestamp(later(clock.now(), -KEEP_EARLY_MS - DAY_MS)),
      ),
    /** What this author retracted: under the same Guid others may have retracted something, too. */
    find: (thing: RetractedThing, reader: Reader = db.read) =>
      findTombstone(reader, thing),
    /** What somebody here retracted. The Guids that are made here are nobody else's. */
    findOfUser: (kind: RetractedKind, guid: string) =>
      findTombstoneOfUser(db.read, kind, guid),
    /** What was retracted under one Guid, whoever made it; the latest ones. */
    list: (kind: RetractedKind, guid: string, limit: number) =>
      listTombstones(db.read, kind, guid, limit),
    forgetMentioned: (thing: RetractedThing) =>
      db.transaction((tx) => forgetMentioned(tx, thing)),
    isRetracted: (
      reader: Reader,
      thing: Parameters<typeof isRetracted>[1],
    ): Promise<boolean> => isRetracted(reader, thing),
  };
}
