import type { CalendarEvent as EventEntity } from "@kith/diaspora";
import {
  EVENT_LIMITS,
  type ReceivedEvent,
} from "../../../features/events/index.ts";
import type { Timestamp } from "../../../lib/time/clock.ts";
import { parseDatetime, readTimeZone } from "../../../lib/time/datetime.ts";
import { storableText } from "../../../lib/well-formed.ts";
import { hostOf } from "../render/wire-values.ts";

/**
 * Reads the event of a post.
 * @param editedAt time of the edit, if known
 * @returns undefined if its times cannot be stored
 */
export function readEventEntity(
  entity: EventEntity,
  editedAt: Timestamp | undefined,
): ReceivedEvent | undefined {
  const { allDay, guid } = entity;
  const start = parseDatetime(entity.start);
  const end = parseDatetime(entity.end ?? "");
  if (!start) return undefined;
  const isInOrder = end !== undefined && end.instant >= start.instant;
  const endOfIt = isInOrder ? end : undefined;
  return {
    guid,
    editedAt,
    uid: `${guid}@${hostOf(entity.author)}`,
    allDay,
    start: allDay ? start.date : start.instant,
    end: (allDay ? endOfIt?.date : endOfIt?.instant) ?? null,
    summary: storableText(entity.summary),
    description: storableText(entity.description ?? ""),
    location: shorten(entity.location?.address ?? ""),
    timeZone: readTimeZone(entity.timezone ?? "") ?? "UTC",
  };
}

/** The protocol does not limit the length of an address. */
function shorten(address: string): string {
  return [...storableText(address)].slice(0, EVENT_LIMITS.location).join("");
}
