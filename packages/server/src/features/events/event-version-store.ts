import type { Reader, Tx } from "../../db/db.ts";
import { loadJson, storeJson } from "../../db/schema/columns/json-text.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { EventId } from "../ids.ts";
import { fetchPage, type Page } from "../page.ts";
import { MAX_VERSIONS } from "../texts/index.ts";
import type { CalendarEvent, EventDetails, EventStatus } from "./event.ts";

/** An event before a change. */
export type EventVersion = EventDetails & {
  readonly id: number;
  readonly status: EventStatus;
  /** When this version was written. */
  readonly writtenAt: Timestamp;
};

/**
 * Keeps the version of an event that a change replaces; the oldest ones are deleted. Those
 * of an event that only its owner sees are not kept: it may be announced later.
 */
export async function insertEventVersion(
  tx: Tx,
  event: CalendarEvent,
): Promise<void> {
  if (event.audience === "owner") return;
  const { allDay, start, end, summary, description, location } = event;
  const { timeZone, status } = event;
  await tx
    .insertInto("event_versions")
    .values({
      event_id: event.id,
      details: storeJson({
        ...{ allDay, start, end, summary, description, location },
        ...{ timeZone, status },
      }),
      written_at: event.updatedAt,
    })
    .execute();
  const surplus = await byEvent(tx, event.id)
    .select("id")
    .orderBy("id", "desc")
    .offset(MAX_VERSIONS)
    .limit(1)
    .executeTakeFirst();
  if (surplus)
    await tx
      .deleteFrom("event_versions")
      .where("id", "=", surplus.id)
      .execute();
}

/** One page of the previous versions of an event, newest first. */
export async function listEventVersions(
  reader: Reader,
  eventId: EventId,
  page: Page,
): Promise<EventVersion[]> {
  const versions = byEvent(reader, eventId).selectAll();
  const rows = await fetchPage(versions, "event_versions.id", page);
  return rows.map((row) => ({
    id: row.id,
    ...loadJson(row.details),
    writtenAt: row.written_at,
  }));
}

function byEvent(reader: Reader, eventId: EventId) {
  return reader.selectFrom("event_versions").where("event_id", "=", eventId);
}
