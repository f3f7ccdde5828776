import type { Reader, Tx } from "../../../db/db.ts";
import type { EventId } from "../../../features/ids.ts";

/**
 * How a remote event is answered: by Join and Leave (Mobilizon), by an Accept,
 * TentativeAccept or Reject of the event (Friendica, Hubzilla), by the more
 * specific of both (Kith), or not at all.
 */
export type AnsweredBy = "attendance" | "either" | "join" | "nothing";

export type RemoteEvent = {
  readonly answeredBy: AnsweredBy;
  /** Actor ids of the organizers who may accept participants. */
  readonly organizers: readonly string[];
};

/** Saves how an event is answered, according to its server. */
export async function saveRemoteEvent(
  tx: Tx,
  eventId: EventId,
  { answeredBy, organizers }: RemoteEvent,
): Promise<void> {
  const columns = {
    answered_by: answeredBy,
    organizers: JSON.stringify(organizers),
  };
  await tx
    .insertInto("remote_events")
    .values({ event_id: eventId, ...columns })
    .onConflict((conflict) => conflict.column("event_id").doUpdateSet(columns))
    .execute();
}

export async function findRemoteEvent(
  reader: Reader,
  eventId: EventId,
): Promise<RemoteEvent | undefined> {
  const row = await reader
    .selectFrom("remote_events")
    .selectAll()
    .where("event_id", "=", eventId)
    .executeTakeFirst();
  return (
    row && {
      answeredBy: row.answered_by as AnsweredBy,
      organizers: JSON.parse(row.organizers) as string[],
    }
  );
}
