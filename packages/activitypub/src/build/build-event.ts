import { buildAttachment, buildNote } from "./build-note.ts";
import type { AttachmentInput, NoteInput } from "./build-note.ts";
import { membersOf, unlessEmpty } from "./build-parts.ts";
import type { JsonObject, JsonValue } from "../json/json-types.ts";
import type { EventStatus, JoinMode } from "../read/read-event.ts";
import { zonedTime } from "../zoned-time.ts";

/** The lengths that Mobilizon accepts for the name of an event, in characters: check them at input. */
export const EVENT_NAME_LENGTH = { min: 3, max: 200 } as const;

/** The members of an event, in addition to those of every post. */
export type EventInput = Omit<
  NoteInput,
  "type" | "name" | "summary" | "inReplyTo" | "attachments"
> & {
  name: string;
  /** One plain line with date and place: Mastodon shows nothing else of an event, and GoToSocial hides events without it. */
  summary: string;
  /** Instants. */
  startTime: string;
  endTime?: string;
  /** IANA name of the time zone for display. */
  timezone?: string;
  /** The page of the event, or its online location. */
  onlineUrl?: string;
  isOnline?: boolean;
  status?: EventStatus;
  joinMode: JoinMode;
  externalParticipationUrl?: string;
  /** Markdown: the part of the content that describes the event, apart from the text of its post. */
  description?: string;
  maximumAttendees?: number;
  remainingAttendees?: number;
  participantCount?: number;
  categories?: string[];
  commentsEnabled?: boolean;
  /** Its `name` is the alternative text, as in any attachment. Sent first, under the name that Mobilizon looks for. */
  banner?: AttachmentInput;
  attachments?: AttachmentInput[];
};

/** The terms of iCalendar and of FEP-8a8e for each status; iCalendar has only three. */
const STATUS_WORDS: Record<EventStatus, [ical: string, schema: string]> = {
  confirmed: ["CONFIRMED", "EventScheduled"],
  tentative: ["TENTATIVE", "EventTentative"],
  cancelled: ["CANCELLED", "EventCancelled"],
  postponed: ["TENTATIVE", "EventPostponed"],
  rescheduled: ["CONFIRMED", "EventRescheduled"],
  moved_online: ["CONFIRMED", "EventMovedOnline"],
};

/**
 * Builds an event, without `@context`, in a form that Mobilizon, Gancio, Friendica and the WordPress bridge all read:
 * one Place, a media type for every attachment, times with the offset of their zone.
 */
export function buildEvent(event: EventInput): JsonObject {
  const { banner, attachments = [], onlineUrl } = event;
  const [status, eventStatus] = STATUS_WORDS[event.status ?? "confirmed"];
  const { type: _, ...note } = buildNote({ ...event, attachments: [] });
  return {
    ...note,
    ...membersOf({
      type: "Event",
      startTime: zonedTime(event.startTime, event.timezone),
      endTime:
        event.endTime === undefined
          ? undefined
          : zonedTime(event.endTime, event.timezone),
      timezone: event.timezone,
      isOnline: event.isOnline ?? false,
      status,
      eventStatus,
      joinMode: event.joinMode,
      externalParticipationUrl: event.externalParticipationUrl,
      maximumAttendeeCapacity: event.maximumAttendees,
      remainingAttendeeCapacity: event.remainingAttendees,
      participantCount: event.participantCount,
      description: event.description,
      category: categoryOf(event.categories),
      commentsEnabled: event.commentsEnabled,
      inLanguage: event.language,
      attachment: [
        ...(banner ? [buildBanner(banner)] : []),
        ...attachments.map(buildAttachment),
        ...(onlineUrl === undefined ? [] : [buildWebsite(onlineUrl)]),
      ],
    }),
  };
}

/** Mobilizon knows a single category, not a list. */
function categoryOf(categories: readonly string[] = []): JsonValue | undefined {
  return categories.length < 2 ? categories[0] : [...categories];
}

/** The description is in the member that Mastodon and GoToSocial read first. */
function buildBanner(banner: AttachmentInput): JsonObject {
  const { summary: _, ...named } = buildAttachment({
    ...banner,
    name: "Banner",
  });
  return membersOf({ ...named, summary: unlessEmpty(banner.name) });
}

/** Mobilizon finds the page of an event by exactly this name. */
function buildWebsite(url: string): JsonObject {
  return buildAttachment({
    type: "Link",
    mediaType: "text/html",
    url,
    name: "Website",
  });
}
