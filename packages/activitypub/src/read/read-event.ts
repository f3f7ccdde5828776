import { ActivityPubError } from "../errors.ts";
import { isJsonObject } from "../json/json.ts";
import type { JsonObject, JsonValue } from "../json/json-types.ts";
import { readNote } from "./read-note.ts";
import type { Note } from "./read-note.ts";
import type { Attachment } from "./read-parts.ts";
import { readLocations } from "./read-place.ts";
import type { Place } from "./read-place.ts";
import {
  countOf,
  firstOf,
  httpIdOf,
  isTrue,
  linkOf,
  listOf,
  present,
  textOf,
  timeOf,
} from "../values.ts";

/** How people join: `external` and `none` mean that there is nothing to send. */
export type JoinMode = "free" | "restricted" | "invite" | "external" | "none";

/** Whether an event takes place as announced. */
export type EventStatus =
  | "confirmed"
  | "tentative"
  | "cancelled"
  | "postponed"
  | "rescheduled"
  | "moved_online";

/** The members of an event, in addition to those of every post. */
export type EventDetails = {
  type: "Event";
  name: string;
  /** Instants, `YYYY-MM-DDTHH:MM:SS.sssZ`, whatever zone they were written in. */
  startTime: string;
  /** Missing for an open end. Never before the start. */
  endTime?: string;
  /** IANA name of the time zone for display; neither Gancio nor Friendica sends one. */
  timezone?: string;
  /** The start before the event was rescheduled (FEP-8a8e). */
  previousStartTime?: string;
  place?: Place;
  /** The online location, or else the website. */
  onlineUrl?: string;
  isOnline: boolean;
  status: EventStatus;
  /** Missing when the sender does not support joining: Gancio, Friendica. */
  joinMode?: JoinMode;
  externalParticipationUrl?: string;
  /** Missing when there is no limit. */
  maximumAttendees?: number;
  remainingAttendees?: number;
  participantCount?: number;
  /** Markdown: the part of the source that describes the event. Kith sends it, possibly empty. */
  description?: string;
  /** Upper-case keys, from an open list (FEP-8a8e); at most 20 are read. */
  categories: string[];
  /** Whether comments are enabled; missing when the sender does not say. */
  commentsEnabled?: boolean;
  /** The event is not published yet. */
  draft: boolean;
  /** The attachment that is the image of the event. */
  banner?: Attachment;
};

/** A calendar event, as its sender claims it. */
export type CalendarEvent = Omit<Note, "type" | "name"> & EventDetails;

const JOIN_MODES: ReadonlySet<string> = new Set([
  "free",
  "restricted",
  "invite",
  "external",
  "none",
] satisfies JoinMode[]);

const STATUSES: ReadonlyMap<string, EventStatus> = new Map([
  ["confirmed", "confirmed"],
  ["tentative", "tentative"],
  ["cancelled", "cancelled"],
  ["canceled", "cancelled"],
  ["eventscheduled", "confirmed"],
  ["eventtentative", "tentative"],
  ["eventcancelled", "cancelled"],
  ["eventpostponed", "postponed"],
  ["eventrescheduled", "rescheduled"],
  ["eventmovedonline", "moved_online"],
]);

/**
 * Reads an event in the shapes of Mobilizon, Gancio, Friendica, WordPress and FEP-8a8e.
 * @throws {ActivityPubError} `not_an_object` when it is no Event, or has no name or no start
 */
export function readEvent(json: JsonObject): CalendarEvent {
  const note = readNote(json);
  if (note.type !== "Event") {
    throw new ActivityPubError("not_an_object", "Not an Event");
  }
  // Friendica's older events have their title in the summary.
  const name = note.name ?? note.summary;
  const startTime = timeOf(json["startTime"]);
  if (name === undefined || startTime === undefined) {
    throw new ActivityPubError("not_an_object", "No name or no start");
  }
  const { place, onlineUrl } = readLocations(json["location"]);
  const website = note.attachments.find(({ type }) => type === "Link")?.url;
  return {
    ...note,
    ...present<EventDetails>({
      type: "Event",
      name,
      startTime,
      endTime: readEnd(json, startTime),
      timezone: readZone(json["timezone"]),
      previousStartTime: timeOf(json["previousStartTime"]),
      place,
      onlineUrl: onlineUrl ?? website,
      isOnline: isTrue(json["isOnline"]) || onlineUrl !== undefined,
      status: readStatus(json),
      ...readJoining(json),
      description: eventDescriptionOf(note),
      categories: readCategories(json["category"]),
      commentsEnabled: readCommentsEnabled(json),
      draft: isTrue(json["draft"]),
      banner: findBanner(note.attachments),
    }),
  };
}

/** The description of an event apart from the text of its post, when it ends the Markdown source. */
export function eventDescriptionOf({ raw, source }: Note): string | undefined {
  const description = raw["description"];
  return source?.mediaType === "text/markdown" &&
    typeof description === "string" &&
    source.content.endsWith(description)
    ? description
    : undefined;
}

const MAX_CATEGORIES = 20;

function readCategories(value: JsonValue | undefined): string[] {
  const found = listOf(value, MAX_CATEGORIES).flatMap(
    (item) => textOf(item, 255) ?? [],
  );
  return [...new Set(found)];
}

function readEnd(json: JsonObject, startTime: string): string | undefined {
  // FEP-8a8e requires an end, and marks one that is made up.
  if (firstOf(json["displayEndTime"]) === false) return undefined;
  const endTime = timeOf(json["endTime"]);
  return endTime !== undefined && endTime >= startTime ? endTime : undefined;
}

function readZone(value: JsonValue | undefined): string | undefined {
  const zone = textOf(value, 64);
  return zone !== undefined && /^[A-Za-z][A-Za-z0-9_+/-]*$/.test(zone)
    ? zone
    : undefined;
}

/** Reads the term of iCalendar, which cannot say "postponed", and that of schema.org, which can; either can say "cancelled". */
function readStatus(json: JsonObject): EventStatus {
  const word = statusOf(json["status"]) ?? statusOf(json["ical:status"]);
  const finer = statusOf(json["eventStatus"]);
  if (word === undefined || word === "cancelled") {
    return word ?? finer ?? "confirmed";
  }
  const saysMore = finer !== undefined && !ROUGH.has(finer);
  return saysMore ? finer : word;
}

const ROUGH: ReadonlySet<EventStatus> = new Set(["confirmed", "tentative"]);

function statusOf(value: JsonValue | undefined): EventStatus | undefined {
  const text = textOf(value, 255)?.toLowerCase() ?? "";
  return STATUSES.get(text.replace(/^.*[/:#]/, ""));
}

function readJoining(json: JsonObject) {
  const mode = textOf(json["joinMode"], 64)?.toLowerCase() ?? "";
  const external = firstOf(json["externalParticipationUrl"]);
  return {
    joinMode: JOIN_MODES.has(mode) ? (mode as JoinMode) : undefined,
    externalParticipationUrl:
      external === undefined ? undefined : linkOf(external)?.url,
    // Mobilizon writes 0 and null for "no limit".
    maximumAttendees: countOf(json["maximumAttendeeCapacity"]) || undefined,
    remainingAttendees: countOf(json["remainingAttendeeCapacity"]),
    participantCount:
      countOf(json["participantCount"]) ?? attendeesOf(json["attendees"]),
  };
}

function attendeesOf(value: JsonValue | undefined): number | undefined {
  return isJsonObject(value) ? countOf(value["totalItems"]) : undefined;
}

function readCommentsEnabled(json: JsonObject): boolean | undefined {
  if (textOf(json["repliesModerationOption"]) === "closed") return false;
  const enabled = firstOf(json["commentsEnabled"]);
  return typeof enabled === "boolean" ? enabled : undefined;
}

function findBanner(attachments: Attachment[]): Attachment | undefined {
  const pictures = attachments.filter(
    ({ type, mediaType }) =>
      type === "Image" || (mediaType?.startsWith("image/") ?? false),
  );
  return pictures.find(({ name }) => name === "Banner") ?? pictures[0];
}

/**
 * The actors who decide on a Join: the actor to whom the event is attributed, and its creator if different (Mobilizon's
 * groups).
 */
export function organizersOf(event: CalendarEvent): string[] {
  const actor = httpIdOf(event.raw["actor"]);
  const both =
    actor === undefined ? [event.attributedTo] : [event.attributedTo, actor];
  return [...new Set(both)];
}
