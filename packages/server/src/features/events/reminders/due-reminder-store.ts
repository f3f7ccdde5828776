import { sql } from "kysely";
import type { Tx } from "../../../db/db.ts";
import { timestamp } from "../../../lib/time/clock.ts";
import type { EventId, UserId } from "../../ids.ts";

/**
 * Notes that an event, or an answer to it, was written: the reminders of its owner and of
 * those who are coming are computed again, soon. What was told stays told.
 */
export async function markReminders(
  tx: Tx,
  eventId: EventId,
  now: Date,
): Promise<void> {
  const at = timestamp(now);
  await sql`insert into due_reminders (event_id, user_id, look_at, reminded_until)
    select events.id, people.user_id, ${at}, ${at}
    from events join people on people.id = events.person_id
    where events.id = ${eventId} and people.user_id is not null
      and events.until_at > ${at}
    union
    select events.id, people.user_id, ${at}, ${at}
    from events join participations on participations.event_id = events.id
      join people on people.id = participations.person_id
    where events.id = ${eventId} and people.user_id is not null
      and participations.status <> 'declined' and events.until_at > ${at}
    on conflict (event_id, user_id) do update set look_at = excluded.look_at`.execute(
    tx,
  );
}

/** The same for the coming events of one user. */
export async function markRemindersOf(
  tx: Tx,
  userId: UserId,
  now: Date,
): Promise<void> {
  const at = timestamp(now);
  await sql`insert into due_reminders (event_id, user_id, look_at, reminded_until)
    select events.id, people.user_id, ${at}, ${at}
    from people join events on events.person_id = people.id
    where people.user_id = ${userId} and events.until_at > ${at}
    union
    select events.id, people.user_id, ${at}, ${at}
    from people join participations on participations.person_id = people.id
      join events on events.id = participations.event_id
    where people.user_id = ${userId} and participations.status <> 'declined'
      and events.until_at > ${at}
    on conflict (event_id, user_id) do update set look_at = excluded.look_at`.execute(
    tx,
  );
}
