import { buildAttachment, buildNote } from "./build-note.ts";
import type { AttachmentInput, NoteInput } from "./build-note.ts";
import { membersOf, unlessEmpty } from "./build-parts.ts";
import type { JsonObject, JsonValue } from "../json/json-types.ts";
import type { EventStatus, JoinMode } from "../read/read-event.ts";
import { zonedTime } from "../zoned-time.ts";

/** What Mobilizon takes as the name of an event, in characters: check it where people type it. */
export const EVENT_NAME_LENGTH = { min: 3, max: 200 } as const;

/** What an event of ours says, beside what every post says. */
export type EventInput = Omit<
  NoteInput,
  "type" | "name" | "summary" | "inReplyTo" | "attachments"
> & {
  name: string;
  /** One plain line with date and place: of an event Mastodon shows nothing else, and GoToSocial hides one without. */
  summary: string;
  /** Instants. */
  startTime: string;
  endTime?: string;
  /** IANA name: the zone in which the times are meant. */
  timezone?: string;
  /** The page of the event, or where it takes place. */
  onlineUrl?: string;
  isOnline?: boolean;
  status?: EventStatus;
  joinMode: JoinMode;
  externalParticipationUrl?: string;
  /** Markdown: what the content says of the event beside the words of its post. */
  description?: string;
  maximumAttendees?: number;
  remainingAttendees?: number;
  participantCount?: number;
  categories?: string[];
  commentsEnabled?: boolean;
  /** Its `name` is the description, as anywhere. Sent as the first attachment, under the name by which Mobilizon knows it. */
  banner?: AttachmentInput;
  attachments?: AttachmentInput[];
};

/** iCalendar's word and FEP-8a8e's for each status; iCalendar has three. */
const STATUS_WORDS: Record<EventStatus, [ical: string, schema: string]> = {
  confirmed: ["CONFIRMED", "EventScheduled"],
  tentative: ["TENTATIVE", "EventTentative"],
  cancelled: ["CANCELLED", "EventCancelled"],
  postponed: ["TENTATIVE", "EventPostponed"],
  rescheduled: ["CONFIRMED", "EventRescheduled"],
  moved_online: ["CONFIRMED", "EventMovedOnline"],
};

/**
 * Builds an event, without `@context`, in the one shape that Mobilizon, Gancio, Friendica and the WordPress bridge all
 * read: one Place, every attachment with a media type, times with the offset of their zone.
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

/** Mobilizon knows one, and no lists. */
function categoryOf(categories: readonly string[] = []): JsonValue | undefined {
  return categories.length < 2 ? categories[0] : [...categories];
}

/** The description stands where Mastodon and GoToSocial look first. */
function buildBanner(banner: AttachmentInput): JsonObject {
  const { summary: _, ...named } = buildAttachment({
    ...banner,
    name: "Banner",
  });
  return membersOf({ ...named, summary: unlessEmpty(banner.name) });
}

/** Mobilizon finds the page of an event by this very name. */
function buildWebsite(url: string): JsonObject {
  return buildAttachment({
    type: "Link",
    mediaType: "text/html",
    url,
    name: "Website",
  });
}
