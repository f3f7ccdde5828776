import type { Viewer } from "../visibility/index.ts";
import type { Reader, Tx } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import { KithError } from "../../lib/errors.ts";
import type { CalendarId, EventId, PersonId } from "../ids.ts";
import type { Page } from "../page.ts";
import type {
  Author,
  PostKey,
  PublishPost,
  ReceivedPost,
  Visibility,
} from "../posts/index.ts";
import {
  publishPostWithEvent,
  receivePostWithEvent,
  type ReceivedEvent,
} from "./publish-with-event.ts";
import { changeEvent, type ChangeEvent } from "./change-event.ts";
import {
  createEvent,
  type CreateEvent,
  type EventsDeps,
} from "./create-event.ts";
import {
  findEvent,
  findVisibleEvent,
  listEventRecipientIds,
  listEvents,
  listEventsById,
  listEventsOfCalendar,
  type EventFilter,
  type PartOfCalendar,
} from "./event-queries.ts";
import { isAnnouncementOf } from "./announcement.ts";
import {
  listAgenda,
  listEventsBy,
  type AgendaFilter,
  type Moment,
} from "./agenda-queries.ts";
import { deleteSomeInvitationsOf, listSomeEventsOf } from "./event-store.ts";
import { importEvent, type ImportEvent } from "./import-event.ts";
import { listEventVersions } from "./event-version-store.ts";
import { timestamp } from "../../lib/time/clock.ts";
import type { WorkBudget } from "../../lib/limits/work-budget.ts";
import {
  markReminders,
  type MarkedReminders,
} from "./reminders/due-reminder-store.ts";
import { keepLocalTimes, noteZoneData } from "./zones/keep-local-times.ts";
import { advanceSeries } from "./series/advance-series.ts";
import {
  listOccurrencesOf,
  upcomingOf,
  type TypedRange,
} from "./series/occurrences.ts";
import { touchObject } from "./objects/note-change.ts";
import { createCalendarObjects } from "./objects/objects.ts";
import { readDatetime, type CalendarEvent, type EventKey } from "./event.ts";
import { receiveEventChange, type ReceivedChange } from "./receive-change.ts";
import {
  forOwnerOfCalendar,
  mayChangeEvent,
  ownerForChange,
} from "./shared-events.ts";
import {
  receiveAnnouncementRetraction,
  removeCalendar,
  removeEvent,
  removeEventsByIds,
} from "./remove-event.ts";

export type { ImportEvent } from "./import-event.ts";
export type { ReceivedEvent } from "./publish-with-event.ts";
export type { EventVersion } from "./event-version-store.ts";
export type { CalendarObject } from "./objects/object-store.ts";
export { rulesBudget, upcomingOf } from "./series/occurrences.ts";
export {
  ADVANCE_SERIES,
  createAdvanceSeries,
} from "./series/advance-series.ts";
export {
  createKeepLocalTimes,
  KEEP_LOCAL_TIMES,
} from "./zones/keep-local-times.ts";
export { findOccurrence } from "./series/change-occurrence.ts";
export {
  createForgetRemovals,
  FORGET_REMOVED_OBJECTS,
} from "./objects/forget-removals.ts";
export { eventOfObject } from "./objects/event-of-object.ts";
export type { ImportReport } from "./objects/import-calendar.ts";
export type { PutObject, PutOutcome } from "./objects/put-object.ts";
export type { ChangeEvent } from "./change-event.ts";
export type { CreateEvent } from "./create-event.ts";
export {
  LIMITS as EVENT_LIMITS,
  MAX_CAPACITY,
  overInstant,
  readDatetime,
  startInstant,
  type CalendarEvent,
  type EventDetails,
  type EventKey,
  type EventStatus,
} from "./event.ts";

/** Calendar events, their visibility, and the posts that have them attached. */
export type Events = ReturnType<typeof createEvents>;

/** The filter of a list, as entered by a user. */
type ListEvents = {
  readonly visibility: Visibility;
  readonly calendarId?: CalendarId | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

export function createEvents(deps: EventsDeps) {
  const { db } = deps;
  return {
    create: async (input: CreateEvent) =>
      createEvent(deps, await forOwnerOfCalendar(deps, input)),
    /** Stores an event of an archive, for its owner alone, see {@link importEvent}. */
    import: (event: ImportEvent) => importEvent(deps, event),
    change: async (by: Author, key: EventKey, changes: ChangeEvent) => {
      const owner = await ownerForChange(deps, by, key, changes);
      return changeEvent(deps, owner, key, changes);
    },
    remove: async (by: Author, key: EventKey) =>
      removeEvent(deps, await ownerForChange(deps, by, key), key),
    /** May the person change an event that it sees? */
    mayChange: (by: Author, event: CalendarEvent) =>
      mayChangeEvent(deps, by, event),
    /** The occurrences of an event that repeats within a range, at most a hundred. */
    listOccurrences: (
      event: CalendarEvent,
      range: TypedRange,
      budget?: WorkBudget,
    ) => listOccurrencesOf(event, range, budget),
    /** Has other servers see the next events of some series. @returns true if more may be due */
    advanceSeries: () => advanceSeries(deps),
    /** Notes the data of time zones before any event is written with them. */
    noteZoneData: (tx: Tx) => noteZoneData(deps, tx),
    /** Moves events whose zone has other offsets than when they were written. */
    keepLocalTimes: (signal: AbortSignal) => keepLocalTimes(deps, signal),
    /** An event as other servers see it: a series is its next one. */
    upcoming: (event: CalendarEvent) =>
      upcomingOf(event, timestamp(deps.clock.now())),
    /** As calendar programs name, write and follow them. */
    objects: createCalendarObjects(deps),
    /** Counts a change that only the guest list of an event shows, and that renews reminders. */
    noteAnswer: async (tx: Tx, id: EventId, personId: PersonId) => {
      await touchObject(deps, tx, id);
      const marked = { eventId: id, personId };
      await markReminders(tx, marked, deps.clock.now());
    },
    /** Has reminders computed again. */
    renewReminders: (tx: Tx, marked: MarkedReminders) =>
      markReminders(tx, marked, deps.clock.now()),
    removeCalendar: (owner: Author, id: CalendarId) =>
      removeCalendar(deps, owner, id),
    /** @throws {KithError} `not_found` for another user's calendar, `invalid_datetime`, `bad_request` */
    list: async (viewer: Author, wanted: ListEvents, page: Page) => {
      const filter = readFilter(wanted);
      const { calendarId: id } = filter;
      if (
        id !== undefined &&
        !(await deps.calendars.findShared(viewer, { id }))
      )
        await deps.calendars.get(viewer.userId, id);
      return listEvents(db.read, viewer, filter, page);
    },
    /**
     * The events that the viewer may see and that concern it.
     * @throws {KithError} `bad_request` for a key that is not of the list
     */
    listAgenda: (viewer: Author, filter: AgendaFilter, page: Page) =>
      listAgenda(db.read, viewer, filter, page),
    /** The events of a person from a moment on that the viewer may see, by start. */
    listBy: (personId: PersonId, viewer: Viewer, from: Moment, page: Page) =>
      listEventsBy(db.read, personId, viewer, from, page),
    /** Is it a text that the server wrote, which says no more than the event? */
    isAnnouncement: isAnnouncementOf,
    /** An event that the viewer may see. */
    findVisible: (key: EventKey, viewer: Viewer, reader: Reader = db.read) =>
      findVisibleEvent(reader, key, viewer),
    /** The events that the viewer may see, of those with these ids. */
    listById: (ids: readonly EventId[], viewer: Viewer) =>
      listEventsById(db.read, ids, viewer),
    /** The events of a calendar that the viewer may see; the caller has found it. */
    listOfCalendar: (id: CalendarId, viewer: Viewer, part: PartOfCalendar) =>
      listEventsOfCalendar(db.read, id, viewer, part),
    /** The previous versions of an event that the caller has found visible, newest first. */
    listVersions: (id: EventId, page: Page) =>
      listEventVersions(db.read, id, page),
    /** An event regardless of its audience: for jobs and federation, never for a response. */
    find: (key: EventKey, reader: Reader = db.read) => findEvent(reader, key),
    /** The recipients of a limited event. */
    listRecipientIds: (id: EventId) => listEventRecipientIds(db.read, id),
    publishPost: (
      post: Omit<PublishPost, "eventId">,
      id: EventId,
      outer?: Tx,
    ) => publishPostWithEvent(deps, post, id, outer),
    receivePost: (post: ReceivedPost, event: ReceivedEvent) =>
      receivePostWithEvent(deps, post, event),
    /** Applies a change by the remote author. @returns false for an event of another person */
    receiveChange: (
      key: EventKey,
      by: PersonId,
      change: ReceivedChange,
      changedAt?: Timestamp,
    ) => receiveEventChange(deps, key, by, change, changedAt),
    receivePostRetraction: (key: PostKey, by: PersonId, tx?: Tx) =>
      receiveAnnouncementRetraction(deps, key, by, tx),
    /** Events of a deleted account; no retraction is sent for each. */
    listSomeOf: (tx: Tx, personId: PersonId, limit: number) =>
      listSomeEventsOf(tx, personId, limit),
    removeByIds: (tx: Tx, ids: readonly EventId[]) =>
      removeEventsByIds(deps, tx, ids),
    /**
     * Removes a deleted person from the recipients of events.
     * @returns true if more are left
     */
    removeSomeInvitationsOf: (personId: PersonId, limit: number) =>
      db.transaction(
        async (tx) => (await deleteSomeInvitationsOf(tx, personId, limit)) > 0,
      ),
  };
}

/** An empty form field sets no bound. */
function readFilter({
  visibility,
  calendarId,
  from,
  to,
}: ListEvents): EventFilter {
  const range = {
    ...(from ? { from: readDatetime(from, "from").instant } : {}),
    ...(to ? { to: readDatetime(to, "to").instant } : {}),
  };
  if (range.from && range.to && range.to < range.from)
    throw new KithError("bad_request", "The range ends before it starts.");
  return {
    visibility,
    ...(calendarId === undefined ? {} : { calendarId }),
    ...range,
  };
}
