import { MAX_CALENDARS } from "../../calendars/index.ts";
import type { CalendarEvent } from "../../events/index.ts";
import { MAX_SUBSCRIBED } from "../../subscribed-calendars/index.ts";
import type { ItemOf } from "../import-item.ts";
import type { ImportDeps, ImportRun, RecordOutcome } from "../import-run.ts";
import { hasRoomFor } from "./room.ts";

const ALL = { offset: 0, limit: MAX_CALENDARS } as const;

/** A calendar of the user, by its name in its source: imported before, or never gone. */
const findCalendar = (
  { calendars, deriveGuid }: ImportDeps,
  { user }: ImportRun,
  source: string,
) =>
  calendars.findNamed(user.userId, [deriveGuid(user.personId, source), source]);

/** It is shared with nobody, and has no public address. */
export async function importListedCalendar(
  deps: ImportDeps,
  run: ImportRun,
  { calendar }: ItemOf<"calendar">,
): Promise<RecordOutcome> {
  const { calendars, deriveGuid } = deps;
  const { userId, personId } = run.user;
  const { source, name, properties } = calendar;
  if (await findCalendar(deps, run, source)) return "known";
  const count = async () => (await calendars.list(userId, ALL)).length;
  if (!(await hasRoomFor(run, "calendar", MAX_CALENDARS, count)))
    return "too_many";
  if (run.isRehearsal) return "added";
  const guid = deriveGuid(personId, source);
  const made = await calendars.createSynced(userId, guid, { name, properties });
  return made ? "added" : "known";
}

/** More than fit into one calendar: nobody has planned as much. */
const MAX_EVENTS = 20_000;

export async function importListedEvent(
  deps: ImportDeps,
  run: ImportRun,
  { event }: ItemOf<"event">,
): Promise<RecordOutcome> {
  const { user, isRehearsal, limits, outcomes, budget } = run;
  const { source, calendar, ...others } = event;
  if (limits && outcomes.count(["event"]) >= MAX_EVENTS) return "too_many";
  if (await findOwnEvent(deps, run, source)) return "known";
  if (isRehearsal) return "added";
  const found =
    calendar === null ? null : await findCalendar(deps, run, calendar);
  const outcome = await deps.events.import({
    ...{ ...others, owner: user, budget },
    guid: deps.deriveGuid(user.personId, source),
    calendarId: found?.id ?? null,
  });
  return outcome === "full" ? "too_many" : outcome;
}

/** An event of the user by its name in its source: imported before, or never gone. */
export async function findOwnEvent(
  { events, deriveGuid }: ImportDeps,
  { user }: ImportRun,
  source: string,
): Promise<CalendarEvent | undefined> {
  for (const guid of [deriveGuid(user.personId, source), source]) {
    const event = await events.find({ guid });
    if (event?.personId === user.personId) return event;
  }
  return undefined;
}

/** When the user is reminded of an own event, unless that was chosen here. */
export async function importReminder(
  deps: ImportDeps,
  run: ImportRun,
  { event: source, minutes }: ItemOf<"reminder">,
): Promise<RecordOutcome> {
  const { user, isRehearsal } = run;
  const event = await findOwnEvent(deps, run, source);
  if (!event) return isRehearsal ? "added" : "unknown_event";
  const { isChosen } = await deps.reminders.get(user, event);
  if (isChosen) return "known";
  if (!isRehearsal) await deps.reminders.choose(user, event.id, minutes);
  return "added";
}

/** It is read later, so that a server that is away for now loses nobody. */
export async function importSubscription(
  { subscribedCalendars }: ImportDeps,
  run: ImportRun,
  { subscription }: ItemOf<"subscribed_calendar">,
): Promise<RecordOutcome> {
  const { userId } = run.user;
  if (await subscribedCalendars.isSubscribed(userId, subscription.url))
    return "known";
  const count = async () => (await subscribedCalendars.list(userId)).length;
  if (!(await hasRoomFor(run, "subscribed_calendar", MAX_SUBSCRIBED, count)))
    return "too_many";
  if (!run.isRehearsal)
    await subscribedCalendars.subscribeLater(userId, subscription);
  return "added";
}
