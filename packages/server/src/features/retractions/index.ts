import type { Db, Reader, Tx } from "../../db/db.ts";
import { timestamp, type Clock } from "../../lib/clock.ts";
import type { PersonId } from "../ids.ts";
import {
  findTombstone,
  forgetMentioned,
  insertEarlyTombstone,
  insertTombstone,
  isRetracted,
  type RetractedKind,
  type Retraction,
} from "./retraction-store.ts";

export type { RetractedKind, RetractionDetails } from "./retraction-store.ts";

/** What was taken back: remembered, so that a repeated message does not bring it back. */
export type Retractions = ReturnType<typeof createRetractions>;

export function createRetractions(deps: { db: Db; clock: Clock }) {
  const { db, clock } = deps;
  return {
    record: (tx: Tx, retraction: Retraction) =>
      insertTombstone(tx, retraction, timestamp(clock.now())),
    recordEarly: (uri: string, personId: PersonId) =>
      db.transaction((tx) =>
        insertEarlyTombstone(tx, uri, personId, timestamp(clock.now())),
      ),
    find: (kind: RetractedKind, guid: string, reader: Reader = db.read) =>
      findTombstone(reader, kind, guid),
    forgetMentioned: (kind: RetractedKind, guid: string) =>
      db.transaction((tx) => forgetMentioned(tx, kind, guid)),
    isRetracted: (
      reader: Reader,
      thing: Parameters<typeof isRetracted>[1],
    ): Promise<boolean> => isRetracted(reader, thing),
  };
}
