import type { Db, Tx } from "../../db/db.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import { newGuid } from "../../lib/guids.ts";
import type { Accounts } from "../accounts/index.ts";
import type {
  Audience,
  Audiences,
  ResolvedAudience,
} from "../audiences/index.ts";
import type { Calendars } from "../calendars/index.ts";
import type { Facts } from "../facts.ts";
import { notFoundIfGone } from "../gone-meanwhile.ts";
import type { AspectId, CalendarId } from "../ids.ts";
import type { Indexing } from "../indexing/index.ts";
import { refuseMoved } from "../moved.ts";
import type { Author, Posts } from "../posts/index.ts";
import { keepRefusal } from "../spam-rules/index.ts";
import { announcementOf } from "./announcement.ts";
import { findEvent } from "./event-queries.ts";
import { insertEvent, insertEventRecipients } from "./event-store.ts";
import { markReminders } from "./reminders/due-reminder-store.ts";
import {
  readRecurrence,
  type TypedRecurrence,
} from "./series/typed-recurrence.ts";
import { noteNewEvent } from "./objects/note-change.ts";
import {
  readCapacity,
  readDetails,
  type CalendarEvent,
  type EventAudience,
  type TypedEvent,
} from "./event.ts";

export type EventsDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly facts: Facts;
  readonly accounts: Accounts;
  readonly audiences: Pick<Audiences, "resolve">;
  readonly calendars: Calendars;
  readonly posts: Posts;
  readonly indexing: Pick<Indexing, "renewPostsWith">;
  /** `host[:port]` of local handles. */
  readonly handleHost: string;
};

export type CreateEvent = TypedEvent & {
  readonly owner: Author;
  readonly calendarId?: CalendarId | undefined;
  /** Everyone by default. */
  readonly audience?: Exclude<Audience, { kind: "mentioned" }>;
  /** Without an announcement only the owner sees it. */
  readonly announce: boolean;
  readonly recurrence?: TypedRecurrence | undefined;
  /** The number of places; unlimited if absent or 0. */
  readonly capacity?: number | null | undefined;
  /** Does the owner confirm each guest? Not by default. */
  readonly needsApproval?: boolean | undefined;
};

/**
 * Creates an event and, if asked to, the post that announces it.
 * @throws {KithError} `invalid_datetime`, `bad_request`, `not_found` for a calendar or
 * aspect that is not the owner's, or for an unknown person
 */
export async function createEvent(
  deps: EventsDeps,
  input: CreateEvent,
): Promise<CalendarEvent> {
  const { db, clock, accounts, handleHost } = deps;
  const { owner, audience = { kind: "everyone" }, announce } = input;
  const { locale, timeZone } = await accounts.getSettings(owner.userId);
  const details = readDetails(input, { timeZone });
  const capacity = readCapacity(input.capacity);
  const recurrence = readRecurrence(input.recurrence ?? {}, details, null);
  const writing = db.transaction(async (tx) => {
    await refuseMoved(tx, owner.personId);
    await checkCalendar(deps, tx, owner, input.calendarId);
    const resolved = await deps.audiences.resolve(tx, owner, audience, NO_TEXT);
    const now = clock.now();
    const guid = newGuid();
    const id = await insertEvent(
      tx,
      {
        ...details,
        recurrence,
        guid,
        uid: `${guid}@${handleHost}`,
        personId: owner.personId,
        calendarId: input.calendarId ?? null,
        aspectId: onlyAspectOf(resolved),
        audience: audienceOf(announce, resolved),
        public: input.calendarId === undefined,
        capacity: capacity ?? null,
        needsApproval: input.needsApproval ?? false,
        createdAt: timestamp(now),
      },
      now,
    );
    const calendarId = input.calendarId ?? null;
    await noteNewEvent(deps, tx, { id, guid, calendarId });
    await markReminders(tx, { eventId: id }, now);
    if (announce) {
      await insertEventRecipients(tx, id, resolved.recipients);
      const text = announcementOf({ ...details, recurrence }, locale);
      // It is in the language of the server's words, which need not be the author's usual one.
      const post = {
        author: owner,
        text,
        eventId: id,
        audience,
        language: null,
      };
      await deps.posts.publish(post, tx);
    }
    const stored = await findEvent(tx, { id });
    if (!stored) throw new Error("The new event cannot be read");
    return stored;
  });
  return keepRefusal(db, notFoundIfGone(writing));
}

const NO_TEXT = { tags: [], handles: [] };

function audienceOf(
  announce: boolean,
  resolved: ResolvedAudience,
): EventAudience {
  if (!announce) return "owner";
  return resolved.public ? "everyone" : "limited";
}

function onlyAspectOf({ aspects }: ResolvedAudience): AspectId | null {
  const [first, ...others] = aspects;
  return others.length === 0 ? (first?.id ?? null) : null;
}

/**
 * Locks the calendar against deletion until the transaction ends.
 * @throws {KithError} `not_found`
 */
export async function checkCalendar(
  { calendars }: Pick<EventsDeps, "calendars">,
  tx: Tx,
  { userId }: Author,
  calendarId: CalendarId | null | undefined,
): Promise<void> {
  if (calendarId == null) return;
  await calendars.lock(tx, userId);
  await calendars.get(userId, calendarId, tx);
}
