import { sql, type RawBuilder } from "kysely";
import type { Tx } from "../../../db/db.ts";
import { timestamp } from "../../../lib/time/clock.ts";
import type { EventId, PersonId, UserId } from "../../ids.ts";

/**
 * The reminders that are computed again: those of all whom an event concerns, of one person
 * there, or of all coming events of a user.
 */
export type MarkedReminders =
  | {
      readonly eventId: EventId;
      /** Absent: everybody whom it concerns. */
      readonly personId?: PersonId | undefined;
    }
  | { readonly userId: UserId };

/**
 * Notes that an event, an answer to it, or a choice was written: the reminders that depend on
 * it are computed again, soon. None is given a second time.
 */
export async function markReminders(
  tx: Tx,
  marked: MarkedReminders,
  now: Date,
): Promise<void> {
  const at = timestamp(now);
  const which = conditionOf(marked);
  await sql`insert into due_reminders (event_id, user_id, look_at, reminded_until)
    select events.id, people.user_id, ${at}, ${at}
    from events join people on people.id = events.person_id
    where ${which} and people.user_id is not null and events.until_at > ${at}
    union
    select events.id, people.user_id, ${at}, ${at}
    from events join participations on participations.event_id = events.id
      join people on people.id = participations.person_id
    where ${which} and people.user_id is not null and events.until_at > ${at}
      and participations.status <> 'declined'
      and coalesce(participations.reply, '') <> 'pending'
    union
    select events.id, people.user_id, ${at}, ${at}
    from events join event_reminders on event_reminders.event_id = events.id
      join people on people.user_id = event_reminders.user_id
    where ${which} and events.until_at > ${at}
    on conflict (event_id, user_id) do update set look_at = excluded.look_at`.execute(
    tx,
  );
}

function conditionOf(marked: MarkedReminders): RawBuilder<unknown> {
  if ("userId" in marked) return sql`people.user_id = ${marked.userId}`;
  const { eventId, personId } = marked;
  return personId === undefined
    ? sql`events.id = ${eventId}`
    : sql`events.id = ${eventId} and people.id = ${personId}`;
}
