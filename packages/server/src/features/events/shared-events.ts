import { KithError } from "../../lib/errors.ts";
import type { SharedCalendar } from "../calendars/index.ts";
import { refuseMoved } from "../moved.ts";
import type { Author } from "../posts/index.ts";
import type { ChangeEvent } from "./change-event.ts";
import type { CreateEvent, EventsDeps } from "./create-event.ts";
import { findVisibleEvent } from "./event-queries.ts";
import type { CalendarEvent, EventKey } from "./event.ts";

// Events in calendars that others share. They are their owner's, whoever writes them; and
// only those that nobody else has been told of can be written by others: nobody speaks to
// other people in the owner's name.

type SharedDeps = Pick<EventsDeps, "accounts" | "calendars" | "db">;

/**
 * The event that is created, its owner's where somebody else writes into a shared calendar.
 * @throws {KithError} `forbidden` for a calendar that can only be read, `bad_request` for an
 *   announcement
 */
export async function forOwnerOfCalendar(
  deps: SharedDeps,
  input: CreateEvent,
): Promise<CreateEvent> {
  const { owner: by, calendarId: id } = input;
  const shared =
    id === undefined ? undefined : await deps.calendars.findShared(by, { id });
  if (!shared) return input;
  refuseReadOnly(shared);
  if (input.announce)
    throw new KithError(
      "bad_request",
      "An event in another person's calendar cannot be announced.",
    );
  await refuseMoved(deps.db.read, by.personId);
  const { timeZone } = await deps.accounts.getSettings(by.userId);
  return {
    ...input,
    timeZone: input.timeZone || timeZone,
    owner: shared.share.owner,
    audience: { kind: "everyone" },
    capacity: undefined,
  };
}

/**
 * The person in whose name an event is changed or removed: its owner, for somebody who may
 * write its calendar.
 * @throws {KithError} `forbidden` for an event that the person can only read, `bad_request`
 *   for a change of its calendar
 */
export async function ownerForChange(
  deps: SharedDeps,
  by: Author,
  key: EventKey,
  changes: Pick<ChangeEvent, "calendarId"> = {},
): Promise<Author> {
  const event = await findVisibleEvent(deps.db.read, key, by);
  const shared = event && (await findCalendarOf(deps, by, event));
  if (!shared) return by;
  refuseReadOnly(shared);
  await refuseMoved(deps.db.read, by.personId);
  const { calendarId = event.calendarId } = changes;
  if (calendarId !== event.calendarId)
    throw new KithError(
      "bad_request",
      "Only its owner can put an event into another calendar.",
    );
  return shared.share.owner;
}

/** May the person change this event, which it sees? */
export async function mayChangeEvent(
  deps: SharedDeps,
  by: Author,
  event: CalendarEvent,
): Promise<boolean> {
  if (event.personId === by.personId) return true;
  return (await findCalendarOf(deps, by, event))?.share.mayWrite === true;
}

async function findCalendarOf(
  { calendars }: SharedDeps,
  by: Author,
  { calendarId: id, personId, audience }: CalendarEvent,
): Promise<SharedCalendar | undefined> {
  if (id === null || personId === by.personId || audience !== "owner")
    return undefined;
  return calendars.findShared(by, { id });
}

function refuseReadOnly({ share }: SharedCalendar): void {
  if (!share.mayWrite)
    throw new KithError("forbidden", "The calendar can only be read.");
}
