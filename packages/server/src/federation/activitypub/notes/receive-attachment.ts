import {
  organizersOf,
  readEvent,
  readQuestion,
  type CalendarEvent,
  type EventStatus,
  type Note,
  type Place,
  type Question,
} from "@kith/activitypub";
import type { Db } from "../../../db/db.ts";
import {
  EVENT_LIMITS,
  type Events,
  type ReceivedEvent,
} from "../../../features/events/index.ts";
import type { NewPoll, Polls } from "../../../features/polls/index.ts";
import {
  attachAll,
  type Post,
  type Posts,
  type Received,
  type ReceivedPost,
} from "../../../features/posts/index.ts";
import {
  receivedTimestamp,
  timestamp,
  type Clock,
} from "../../../lib/time/clock.ts";
import {
  dateIn,
  midnightIn,
  readTimeZone,
} from "../../../lib/time/datetime.ts";
import { joinLines } from "../../../lib/lines.ts";
import { storableText } from "../../../lib/well-formed.ts";
import { isOfServer } from "../authority/origins.ts";
import {
  saveRemoteEvent,
  type AnsweredBy,
} from "../records/remote-event-store.ts";
import { derivedGuid } from "../records/uris.ts";
import { readHtml } from "./read-note-text.ts";

export type ReceiveAttachmentDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly events: Events;
  readonly polls: Polls;
  readonly posts: Posts;
};

const MAX_CATEGORY_LENGTH = 64;

/** No event offers this many; each is stored by itself. */
const MAX_OPTIONS = 100;

/** Stores a remote post with the poll or the event that its object is. */
export async function storePostWithAttachment(
  deps: ReceiveAttachmentDeps,
  note: Note,
  post: ReceivedPost,
): Promise<Received<Post>> {
  switch (note.type) {
    case "Question": {
      const poll = toPoll(deps, readQuestion(note.raw));
      const attach = attachAll(deps.polls.attach(poll), post.attach);
      return deps.posts.receive({ ...post, attach });
    }
    case "Event":
      return storeEvent(deps, readEvent(note.raw), post);
    default:
      return deps.posts.receive(post);
  }
}

async function storeEvent(
  deps: ReceiveAttachmentDeps,
  event: CalendarEvent,
  post: ReceivedPost,
): Promise<Received<Post>> {
  if (event.draft) return { kind: "refused", reason: "It is a draft" };
  const received = await deps.events.receivePost(post, toEvent(event));
  if (received.kind !== "refused")
    await rememberHowToAnswer(deps, event, received.value);
  return received;
}

async function rememberHowToAnswer(
  { db }: ReceiveAttachmentDeps,
  event: CalendarEvent,
  { eventId }: Post,
): Promise<void> {
  if (eventId === null) return;
  const answeredBy = readAnsweredBy(event);
  // No one can accept attendees on behalf of another server.
  const organizers = organizersOf(event).filter((uri) =>
    isOfServer(uri, event.id),
  );
  await db.transaction((tx) =>
    saveRemoteEvent(tx, eventId, { answeredBy, organizers }),
  );
}

/**
 * Which answers the server of an event understands: with a join mode it takes Joins, and Friendica
 * and Hubzilla, known by their contexts, take answers to the event itself. Any other, such as
 * Gancio, takes none.
 */
function readAnsweredBy({ joinMode, guid, raw }: CalendarEvent): AnsweredBy {
  if (joinMode === "free" || joinMode === "restricted")
    // A server with Guids and join modes is like ours.
    return guid === undefined ? "join" : "either";
  if (joinMode !== undefined) return "nothing";
  const context = JSON.stringify(raw["@context"] ?? "");
  const isFamily =
    /purl\.org\/(?:macgirvin\/dfrn|zot)/.test(context) ||
    Object.keys(raw).some((name) => name.startsWith("dfrn:"));
  return isFamily ? "attendance" : "nothing";
}

/**
 * Applies the author's changes to the poll or the event of a stored post.
 * @param post the stored one, whose author sent the change
 * @returns whether the text may have changed as well
 */
export async function receiveAttachmentChange(
  deps: ReceiveAttachmentDeps,
  note: Note,
  post: Post,
): Promise<boolean> {
  const { clock, events, polls } = deps;
  const changedAt = receivedTimestamp(note.updated, clock.now());
  // Without a newer time only the counts have changed (Mastodon, GoToSocial).
  const isEdit = note.updated !== undefined && changedAt > post.updatedAt;
  switch (note.type) {
    case "Question": {
      const poll = toPoll(deps, readQuestion(note.raw));
      await polls.receiveCounts(post.id, poll, isEdit);
      return isEdit;
    }
    case "Event": {
      if (post.eventId === null) return true;
      const event = readEvent(note.raw);
      const key = { id: post.eventId };
      const change = toEvent(event);
      await events.receiveChange(key, post.personId, change, changedAt);
      await rememberHowToAnswer(deps, event, post);
      return true;
    }
    case "Note":
      if (isEdit) await polls.receiveRemoval(post.id);
      return true;
    default:
      return true;
  }
}

function toPoll({ clock }: ReceiveAttachmentDeps, question: Question): NewPoll {
  const { id, endTime, closed, closedAt, votersCount } = question;
  const now = timestamp(clock.now());
  const over = closed ? receivedTimestamp(closedAt, clock.now()) : undefined;
  return {
    guid: derivedGuid("poll", id),
    // The question is in the text of its post.
    question: "",
    multiple: question.multiple,
    endsAt: over ?? endTime ?? null,
    hidesTotals: question.options.every(({ votes }) => votes === null),
    reportedVoters: votersCount ?? null,
    answers: question.options.slice(0, MAX_OPTIONS).map(({ name, votes }) => ({
      guid: derivedGuid("poll-answer", `${id}:${name}:${now}`),
      text: storableText(name),
      reportedVotes: votes ?? 0,
    })),
  };
}

const STATUSES: Readonly<
  Record<EventStatus, NonNullable<ReceivedEvent["status"]>>
> = {
  cancelled: "cancelled",
  confirmed: "confirmed",
  moved_online: "confirmed",
  postponed: "postponed",
  rescheduled: "confirmed",
  tentative: "tentative",
};

/** The event that an object describes, in our terms. */
export function toEvent(event: CalendarEvent): ReceivedEvent {
  const guid = derivedGuid("event", event.id);
  const description =
    event.description ??
    (event.mediaType === undefined ? readHtml(event.content) : event.content);
  return {
    guid,
    uid: `${guid}@${new URL(event.id).host}`,
    ...readSchedule(event),
    summary: shorten(event.name.replace(/\s+/g, " "), EVENT_LIMITS.summary),
    description: shorten(description, EVENT_LIMITS.description),
    location: shorten(readLocation(event), EVENT_LIMITS.location),
    status: STATUSES[event.status],
    capacity: event.maximumAttendees ?? null,
    needsApproval: event.joinMode === "restricted",
    categories: event.categories
      .map((one) => shorten(joinLines(one, " "), MAX_CATEGORY_LENGTH))
      .filter((one) => one !== ""),
  };
}

function readSchedule({ startTime, endTime, timezone }: CalendarEvent) {
  const timeZone = readTimeZone(timezone ?? "") ?? "UTC";
  const startDate = dateIn(timeZone, startTime);
  const isMidnight = (time: string) =>
    midnightIn(timeZone, dateIn(timeZone, time)) === time;
  const allDay =
    timezone !== undefined &&
    isMidnight(startTime) &&
    (endTime === undefined || (endTime > startTime && isMidnight(endTime)));
  if (!allDay)
    return { allDay, timeZone, start: startTime, end: endTime ?? null };
  if (endTime === undefined)
    return { allDay, timeZone, start: startDate, end: null };
  const last = timestamp(new Date(Date.parse(endTime) - 1));
  const lastDate = dateIn(timeZone, last);
  const end = lastDate === startDate ? null : lastDate;
  return { allDay, timeZone, start: startDate, end };
}

function readLocation({ place, isOnline, onlineUrl }: CalendarEvent): string {
  const written = place ? writePlace(place) : "";
  return written === "" && isOnline && onlineUrl !== undefined
    ? onlineUrl
    : written;
}

/** A place as one text, each part once. */
function writePlace(place: Place): string {
  const { name, address, street, postalCode, locality, region } = place;
  const town = [postalCode, locality].filter(Boolean).join(" ");
  const parts = [name, address, street, town, region, place.country];
  return parts
    .flatMap((part) => part?.trim() || [])
    .filter((part, at, all) => all.indexOf(part) === at)
    .filter((part) => !address?.startsWith(`${part}, `))
    .join(", ");
}

function shorten(text: string, max: number): string {
  return [...storableText(text).trim()].slice(0, max).join("");
}
