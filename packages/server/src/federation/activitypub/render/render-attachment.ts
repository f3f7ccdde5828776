import {
  buildEvent,
  buildNote,
  buildQuestion,
  EVENT_NAME_LENGTH,
  type JsonObject,
  type NoteInput,
} from "@kith/activitypub";
import type { Accounts } from "../../../features/accounts/index.ts";
import {
  overInstant,
  startInstant,
  type CalendarEvent,
  type Events,
} from "../../../features/events/index.ts";
import type { Participations } from "../../../features/participations/index.ts";
import type { Person } from "../../../features/people/index.ts";
import {
  hasEnded,
  type Poll,
  type Polls,
} from "../../../features/polls/index.ts";
import type { Post } from "../../../features/posts/index.ts";
import { joinLines } from "../../../lib/markdown/lines.ts";
import {
  timestamp,
  type Clock,
  type Timestamp,
} from "../../../lib/time/clock.ts";
import { midnightIn } from "../../../lib/time/datetime.ts";
import { describeTime } from "../../../lib/messages/messages.ts";
import { loadAttachedEvent } from "../../outbound/load/load-post.ts";
import { withPoll, withQuestion } from "../../outbound/post-text.ts";

export type RenderObjectDeps = {
  readonly accounts: Accounts;
  readonly clock: Clock;
  readonly events: Events;
  readonly participations: Participations;
  readonly polls: Polls;
};

/** What a post takes along over ActivityPub, where an object is one thing alone. */
export type Attachment =
  | { readonly kind: "nothing" }
  | { readonly kind: "poll"; readonly poll: Poll }
  | {
      readonly kind: "event";
      readonly event: CalendarEvent;
      readonly locale: string;
    };

/**
 * What a post is sent as, and its text: with an event an Event, with a poll a
 * Question; where it has both, the poll is written out.
 */
export async function loadAttachment(
  deps: RenderObjectDeps,
  post: Post,
  author: Person,
): Promise<{ load: Attachment; text: string }> {
  const poll = await deps.polls.find({ postId: post.id });
  const event = await loadAttachedEvent(deps, post, author);
  if (event && author.userId !== null) {
    const { locale } = await deps.accounts.getSettings(author.userId);
    const text = withDescription(withPoll(post.text, poll), event);
    return { load: { kind: "event", event, locale }, text };
  }
  return poll
    ? { load: { kind: "poll", poll }, text: withQuestion(post.text, poll) }
    : { load: { kind: "nothing" }, text: post.text };
}

/** Mobilizon and Gancio take the content for the description. */
function withDescription(text: string, { description }: CalendarEvent): string {
  return [text, description].filter((part) => part !== "").join("\n\n");
}

/** Builds the object of a post with what it takes along. */
export async function buildObject(
  deps: RenderObjectDeps,
  note: NoteInput,
  load: Attachment,
  postId: Post["id"],
): Promise<JsonObject> {
  switch (load.kind) {
    case "nothing":
      return buildNote(note);
    case "poll":
      return renderQuestion(deps, note, load.poll, postId);
    case "event":
      return renderEvent(deps, note, load.event, load.locale);
  }
}

async function renderQuestion(
  { polls, clock }: RenderObjectDeps,
  note: NoteInput,
  poll: Poll,
  postId: Post["id"],
): Promise<JsonObject> {
  const result = (await polls.listResults([postId], null)).get(postId);
  const { type: _, ...rest } = note;
  const { endsAt } = poll;
  return buildQuestion(rest, {
    multiple: poll.multiple,
    options: poll.answers.map(({ id, text }) => ({
      name: text,
      votes: result?.votes.get(id) ?? 0,
    })),
    votersCount: result?.voters ?? 0,
    ...(endsAt !== null && { endTime: endsAt }),
    ...(endsAt !== null &&
      hasEnded(poll, timestamp(clock.now())) && { closed: endsAt }),
  });
}

async function renderEvent(
  { participations }: RenderObjectDeps,
  { type: _, attachments = [], ...note }: NoteInput,
  event: CalendarEvent,
  locale: string,
): Promise<JsonObject> {
  const [banner, ...others] = attachments;
  const { allDay, end, timeZone, location, status, sequence, capacity } = event;
  const coming = await participations.countComing(event.id);
  return buildEvent({
    ...note,
    // Peers take what is later than `published` for an edit.
    ...(sequence > 0 && { updated: event.updatedAt }),
    name: nameOf(event),
    summary: inOneLine(event, locale),
    startTime: startOf(event),
    // The end tells a whole day from a moment at midnight.
    ...((allDay || end !== null) && { endTime: endOf(event) }),
    timezone: timeZone,
    description: event.description,
    ...(location !== "" && { place: placeOf(location) }),
    status,
    joinMode: "free",
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

/** There is no word for a whole day: it begins and ends at midnight where it takes place. */
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

/** Of an event Mastodon shows name, this and a link. */
function inOneLine(event: CalendarEvent, locale: string): string {
  const { allDay, end, timeZone, location } = event;
  const inWords = (start: string) =>
    describeTime(
      locale,
      startInstant({ allDay, start }),
      allDay ? "day" : { timeZone },
    );
  const times = [inWords(event.start)];
  if (end !== null && end !== event.start) times.push(inWords(end));
  const place = joinLines(location, ", ");
  return [times.join(" – "), ...(place === "" ? [] : [place])].join(" · ");
}
