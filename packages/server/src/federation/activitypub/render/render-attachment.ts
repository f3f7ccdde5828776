import {
  buildEvent,
  buildNote,
  buildQuestion,
  EVENT_NAME_LENGTH,
  type JsonObject,
  type NoteInput,
} from "@kith/activitypub";
import { laterOf } from "../../../features/edit-times.ts";
import {
  overInstant,
  startInstant,
  type CalendarEvent,
} from "../../../features/events/index.ts";
import { hasEnded, type Poll } from "../../../features/polls/index.ts";
import { joinLines } from "../../../lib/lines.ts";
import {
  describeTime,
  supportedLanguage,
} from "../../../lib/messages/messages.ts";
import { ruleInWords } from "../../../lib/messages/rule-in-words.ts";
import { timestamp, type Timestamp } from "../../../lib/time/clock.ts";
import { midnightIn } from "../../../lib/time/datetime.ts";
import type { AttachedEvent, PostContent } from "../../outbound/content.ts";
import type { RenderContext } from "./note-parts.ts";

/** Builds the object of a post: an Event if it has an event, a Question if it has a poll alone. */
export function buildObject(
  context: RenderContext,
  note: NoteInput,
  content: PostContent,
): JsonObject {
  const { event, poll } = content;
  if (event) return renderEvent(note, event, content.coming);
  return poll
    ? renderQuestion(context, note, poll, content.pollResult)
    : buildNote(note);
}

function renderQuestion(
  { now }: RenderContext,
  { type: _, ...note }: NoteInput,
  poll: Poll,
  result: PostContent["pollResult"],
): JsonObject {
  const { endsAt } = poll;
  return buildQuestion(note, {
    multiple: poll.multiple,
    options: poll.answers.map(({ id, text }) => ({
      name: text,
      votes: result?.votes === null ? null : (result?.votes.get(id) ?? 0),
    })),
    votersCount: result?.voters ?? 0,
    ...(endsAt !== null && { endTime: endsAt }),
    ...(endsAt !== null &&
      hasEnded(poll, timestamp(now)) && { closed: endsAt }),
  });
}

function renderEvent(
  { type: _, attachments = [], updated = "", ...note }: NoteInput,
  event: AttachedEvent,
  coming: number,
): JsonObject {
  const [banner, ...others] = attachments;
  const { allDay, end, timeZone, location, status, sequence, capacity } = event;
  const editedAt = laterOf(updated, sequence > 0 ? event.updatedAt : "");
  return buildEvent({
    ...note,
    // Peers take an `updated` later than `published` for an edit.
    ...(editedAt !== "" && { updated: editedAt }),
    name: nameOf(event),
    summary: inOneLine(event),
    startTime: startOf(event),
    // The end distinguishes a whole day from a moment at midnight.
    ...((allDay || end !== null) && { endTime: endOf(event) }),
    timezone: timeZone,
    description: event.description,
    ...(location !== "" && { place: placeOf(location) }),
    status,
    joinMode: event.needsApproval ? "restricted" : "free",
    participantCount: coming,
    ...(capacity !== null && {
      maximumAttendees: capacity,
      remainingAttendees: Math.max(0, capacity - coming),
    }),
    commentsEnabled: true,
    onlineUrl: note.url,
    ...(banner && { banner }),
    attachments: others,
  });
}

/** Mobilizon refuses events with a shorter or a longer name. */
function nameOf({ summary }: CalendarEvent): string {
  const { min, max } = EVENT_NAME_LENGTH;
  const letters = [...summary];
  return letters.length > max
    ? `${letters.slice(0, max - 1).join("")}…`
    : summary.padEnd(min, ".");
}

/**
 * There is no property for a whole day: it begins and ends at midnight in the event's time zone.
 */
function startOf({ allDay, start, timeZone }: CalendarEvent): Timestamp {
  return allDay ? midnightIn(timeZone, start) : start;
}

function endOf({ allDay, start, end, timeZone }: CalendarEvent): Timestamp {
  if (!allDay) return end ?? start;
  const over = overInstant({ allDay, start, end });
  return midnightIn(timeZone, over.slice(0, "YYYY-MM-DD".length));
}

function placeOf(location: string): { name: string; address: string } {
  const address = joinLines(location, ", ");
  const [name = address] = address.split(", ");
  return { name, address };
}

/** Of an event Mastodon shows the name, this summary and a link. */
function inOneLine(event: AttachedEvent): string {
  const { allDay, end, timeZone, location, locale, recurrence } = event;
  const inWords = (start: string) =>
    describeTime(
      locale,
      startInstant({ allDay, start }),
      allDay ? "day" : { timeZone },
    );
  const times = [inWords(event.start)];
  if (end !== null && end !== event.start) times.push(inWords(end));
  const place = joinLines(location, ", ");
  const repeats = recurrence
    ? [ruleInWords(supportedLanguage(locale), recurrence.rule, event)]
    : [];
  const where = place === "" ? [] : [place];
  return [times.join(" – "), ...repeats, ...where].join(" · ");
}
