import type { Occurrence } from "../../lib/icalendar/occurrences.ts";
import type {
  CalendarEvent,
  EventVersion,
} from "../../features/events/index.ts";
import type { PersonId } from "../../features/ids.ts";
import type {
  Participation,
  Participations,
} from "../../features/participations/index.ts";
import type { People, Person } from "../../features/people/index.ts";
import { presentParticipation, presentPerson } from "../schemas/records.ts";
import type { WireRecord } from "../schemas/records.ts";

export type PresentEventsDeps = {
  readonly people: People;
  readonly participations: Participations;
};

const ANSWERS_PER_EVENT = 100;

/**
 * Presents events in the given order. The caller has checked their visibility.
 * @param viewer sees who asks to come to its own events, and that itself asks
 * @param occurrencesOf the occurrences to show of an event that repeats
 */
export async function presentEvents(
  { people, participations }: PresentEventsDeps,
  events: readonly CalendarEvent[],
  viewer: PersonId | null,
  occurrencesOf?: (event: CalendarEvent) => readonly Occurrence[],
): Promise<WireRecord[]> {
  const answers = await participations.listNewest(
    events.map(({ id }) => id),
    ANSWERS_PER_EVENT,
    viewer,
  );
  const concerned = [...events, ...answers].map(({ personId }) => personId);
  const persons = await people.listById(concerned);
  return events.map((event) => ({
    ...presentEvent(event, answers, persons),
    ...presentRecurrence(event, occurrencesOf?.(event)),
  }));
}

function presentEvent(
  event: CalendarEvent,
  answers: readonly Participation[],
  persons: ReadonlyMap<PersonId, Person>,
): WireRecord {
  const person = persons.get(event.personId);
  return {
    ID: event.id,
    CreatedAt: event.createdAt,
    UpdatedAt: event.updatedAt,
    PersonID: event.personId,
    Guid: event.guid,
    ...presentDetails(event),
    CalendarID: event.calendarId ?? 0,
    // Of its calendar, as the specification has it; its audience decides who sees it.
    Public: event.public,
    Timezone: event.timeZone,
    ...presentStatus(event),
    ...(event.capacity !== null && { Capacity: event.capacity }),
    ...(event.needsApproval && { Approval: true }),
    ...(event.categories.length > 0 && { Categories: event.categories }),
    Uid: event.uid,
    Person: person ? presentPerson(person) : null,
    Participations: answers
      .filter(({ eventId }) => eventId === event.id)
      .map((answer) =>
        presentParticipation(answer, persons.get(answer.personId)),
      ),
  };
}

/** Omitted for an event that takes place once. */
function presentRecurrence(
  { recurrence, ...event }: CalendarEvent,
  occurrences: readonly Occurrence[] | undefined,
): WireRecord {
  if (!recurrence) return {};
  const { rule, added, removed } = recurrence;
  const shown = occurrences?.map(({ at, start, end, changed }) => ({
    At: at,
    ...presentDetails({ ...event, ...changed, start, end, recurrence }),
    ...(changed?.isCancelled === true && { Status: "cancelled" }),
  }));
  return {
    Recurrence: {
      Rule: rule ?? "",
      ...(added.length > 0 && { Added: added }),
      ...(removed.length > 0 && { Removed: removed }),
      ...(shown && { Occurrences: shown }),
    },
  };
}

export function presentEventVersion(version: EventVersion): WireRecord {
  return {
    ID: version.id,
    ...presentDetails(version),
    Timezone: version.timeZone,
    ...presentStatus(version),
    WrittenAt: version.writtenAt,
  };
}

function presentDetails(event: CalendarEvent | EventVersion): WireRecord {
  return {
    Start: event.start,
    ...(event.allDay || event.end === null ? {} : { End: event.end }),
    AllDay: event.allDay,
    ...(event.allDay && event.end !== null && { LastDay: event.end }),
    Location: event.location,
    Description: event.description,
    Summary: event.summary,
  };
}

/** Omitted for an ordinary event. */
function presentStatus({ status }: CalendarEvent | EventVersion): WireRecord {
  return status === "confirmed" ? {} : { Status: status };
}
