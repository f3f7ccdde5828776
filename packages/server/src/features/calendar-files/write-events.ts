import type { CalendarEvent } from "../events/index.ts";
import type { PersonId } from "../ids.ts";
import type { Participation, Participations } from "../participations/index.ts";
import { displayName, type People, type Person } from "../people/index.ts";
import type {
  CalendarWriter,
  WrittenEvent,
  WrittenPerson,
} from "../../lib/icalendar/write-calendar.ts";

export type WriteEventsDeps = {
  readonly people: Pick<People, "listById">;
  readonly participations: Pick<Participations, "listNewest">;
  /** Without a trailing slash. */
  readonly baseUrl: string;
};

type NameOf = (person: Person) => string;

/** As many as the API lists. */
const ATTENDEES_PER_EVENT = 100;

const STATUS = {
  cancelled: "CANCELLED",
  confirmed: "CONFIRMED",
  postponed: "TENTATIVE",
  tentative: "TENTATIVE",
} as const;

const ANSWER = {
  accepted: "ACCEPTED",
  declined: "DECLINED",
  tentative: "TENTATIVE",
} as const;

/**
 * Writes events whose visibility the caller has checked.
 * @param withAttendees whether the reader is known: nobody else learns who comes
 */
export async function writeEvents(
  deps: WriteEventsDeps,
  writer: CalendarWriter,
  events: readonly CalendarEvent[],
  withAttendees: boolean,
): Promise<void> {
  for (const event of await toWrittenEvents(deps, events, withAttendees))
    writer.add(event);
}

/**
 * The same events, with the people in them.
 * @param nameOf how they are called
 */
export async function toWrittenEvents(
  { people, participations, baseUrl }: WriteEventsDeps,
  events: readonly CalendarEvent[],
  withAttendees: boolean,
  nameOf: NameOf = displayName,
): Promise<WrittenEvent[]> {
  const answers = withAttendees
    ? await participations.listNewest(
        events.map(({ id }) => id),
        ATTENDEES_PER_EVENT,
        null,
      )
    : [];
  const concerned = [...events, ...answers].map(({ personId }) => personId);
  const persons = await people.listById(concerned);
  const byEvent = Map.groupBy(answers, ({ eventId }) => eventId);
  return events.map((event) => ({
    ...toWritten(event, baseUrl),
    organizer: toPerson(persons.get(event.personId), baseUrl, nameOf),
    attendees: attendeesOf(
      byEvent.get(event.id) ?? [],
      persons,
      baseUrl,
      nameOf,
    ),
  }));
}

function toWritten(
  event: CalendarEvent,
  baseUrl: string,
): Omit<WrittenEvent, "attendees"> {
  return {
    ...event,
    status: STATUS[event.status],
    isPublic: event.audience === "everyone",
    url: `${baseUrl}/events/${encodeURIComponent(event.guid)}`,
  };
}

function attendeesOf(
  answers: readonly Participation[],
  persons: ReadonlyMap<PersonId, Person>,
  baseUrl: string,
  nameOf: NameOf,
): WrittenEvent["attendees"] {
  return answers.flatMap(({ personId, status }) => {
    const person = toPerson(persons.get(personId), baseUrl, nameOf);
    return person ? [{ ...person, status: ANSWER[status] }] : [];
  });
}

/** Nobody's mail address is given: a person is named by a page. */
function toPerson(
  person: Person | undefined,
  baseUrl: string,
  nameOf: NameOf,
): WrittenPerson | undefined {
  if (!person) return undefined;
  const address = `${baseUrl}/people/${encodeURIComponent(person.guid)}`;
  return { name: nameOf(person), address };
}
