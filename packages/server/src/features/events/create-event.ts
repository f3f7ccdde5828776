import type { Db, Tx } from "../../db/db.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import { KithError } from "../../lib/errors.ts";
import { newGuid } from "../../lib/guids.ts";
import type { Accounts } from "../accounts/index.ts";
import type { Aspects } from "../aspects/index.ts";
import type { Calendars } from "../calendars/index.ts";
import type { Facts } from "../facts.ts";
import { notFoundIfGone } from "../gone-meanwhile.ts";
import type { AspectId, CalendarId, PersonId } from "../ids.ts";
import { refuseMoved } from "../moved.ts";
import type { Author, Posts } from "../posts/index.ts";
import { announcementOf } from "./announcement.ts";
import { findEvent } from "./event-queries.ts";
import { insertEvent, insertEventRecipients } from "./event-store.ts";
import { readDetails, type CalendarEvent, type TypedEvent } from "./event.ts";

export type EventsDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly facts: Facts;
  readonly accounts: Accounts;
  readonly aspects: Aspects;
  readonly calendars: Calendars;
  readonly posts: Posts;
  /** `host[:port]` of local handles. */
  readonly handleHost: string;
};

export type CreateEvent = TypedEvent & {
  readonly owner: Author;
  readonly calendarId?: CalendarId | undefined;
  /** Limits the audience to the members of this aspect; absent for everyone. */
  readonly aspectId?: AspectId | undefined;
  /** Without an announcement only the owner sees it. */
  readonly announce: boolean;
  /** The number of places; unlimited if absent. */
  readonly capacity?: number | undefined;
};

/**
 * Creates an event and, if asked to, the post that announces it.
 * @throws {KithError} `invalid_datetime`, `bad_request`, `not_found` for a calendar or
 * aspect that is not the owner's
 */
export async function createEvent(
  deps: EventsDeps,
  input: CreateEvent,
): Promise<CalendarEvent> {
  const { db, clock, accounts, handleHost } = deps;
  const { owner, aspectId, announce } = input;
  const { locale, timeZone } = await accounts.getSettings(owner.userId);
  const details = readDetails(input, { timeZone });
  const writing = db.transaction(async (tx) => {
    await refuseMoved(tx, owner.personId);
    await checkCalendar(deps, tx, owner, input.calendarId);
    const recipients = await listMembers(deps, tx, owner, aspectId);
    const now = clock.now();
    const guid = newGuid();
    const id = await insertEvent(
      tx,
      {
        ...details,
        guid,
        uid: `${guid}@${handleHost}`,
        personId: owner.personId,
        calendarId: input.calendarId ?? null,
        aspectId: aspectId ?? null,
        audience: audienceOf(input),
        public: input.calendarId === undefined,
        capacity: input.capacity ?? null,
        createdAt: timestamp(now),
      },
      now,
    );
    if (announce) {
      await insertEventRecipients(tx, id, recipients);
      const text = announcementOf(details, locale);
      const audience = aspectId === undefined ? {} : { aspectId };
      const post = { author: owner, text, eventId: id, ...audience };
      await deps.posts.publish(post, tx);
    }
    const stored = await findEvent(tx, { id });
    if (!stored) throw new Error("The new event cannot be read");
    return stored;
  });
  return notFoundIfGone(writing);
}

function audienceOf({ announce, aspectId }: CreateEvent) {
  if (!announce) return "owner";
  return aspectId === undefined ? "everyone" : "limited";
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

async function listMembers(
  { aspects }: EventsDeps,
  tx: Tx,
  { userId }: Author,
  aspectId: AspectId | undefined,
): Promise<PersonId[]> {
  if (aspectId === undefined) return [];
  const aspect = await aspects.find(tx, userId, aspectId);
  if (!aspect) throw new KithError("not_found", "No such aspect.");
  return aspect.memberships.map(({ personId }) => personId);
}
