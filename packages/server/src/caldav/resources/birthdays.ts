import { createHash } from "node:crypto";
import type { Birthday } from "../../features/contacts/index.ts";
import type { CalendarObject } from "../../features/events/index.ts";
import type { CalendarId, EventId } from "../../features/ids.ts";
import { displayName, type Person } from "../../features/people/index.ts";
import { CalendarWriter } from "../../lib/icalendar/write-calendar.ts";
import { translate } from "../../lib/messages/messages.ts";
import type { DavCall } from "../context.ts";
import type { DavCalendar } from "./dav-calendar.ts";

/** Where it is in the home of each user with contacts that show theirs. */
const PATH = "contact_birthdays";

const NOTHING = {
  ...{ id: 0 as CalendarId, isDefault: false, properties: {}, color: null },
};

/** A leap year, for those who do not tell theirs. */
const SOME_YEAR = "1904";

/**
 * The birthdays of contacts, as a calendar that can be read. It is computed: its sync token is
 * a hash of it, and a program with another token reads it again.
 * @returns undefined where no contact shows one
 */
export async function findBirthdays(
  call: DavCall,
): Promise<DavCalendar | undefined> {
  const { user, deps } = call;
  const birthdays = await deps.contacts.listBirthdays(user);
  if (birthdays.length === 0) return undefined;
  const people = await deps.people.listById(
    birthdays.map(({ personId }) => personId),
  );
  const { locale } = await deps.accounts.getSettings(user.userId);
  const members = birthdays.flatMap((birthday) => {
    const person = people.get(birthday.personId);
    return person ? [objectOf(call, birthday, person, locale)] : [];
  });
  const changes = hashOf(...members.map(({ text }) => text ?? ""));
  const now = deps.clock.now().toISOString();
  return {
    ...NOTHING,
    userId: user.userId,
    name: translate(locale, "calendars.birthdays"),
    pathName: PATH,
    changes,
    forgottenChanges: changes,
    createdAt: now,
    updatedAt: now,
    members,
  };
}

export function isBirthdaysPath(pathName: string): boolean {
  return pathName === PATH;
}

function objectOf(
  { deps: { baseUrl } }: DavCall,
  { date, hasYear }: Birthday,
  person: Person,
  locale: string,
): CalendarObject {
  const { guid, id: personId, profile } = person;
  const isLeapDay = date.endsWith("-02-29");
  const details = {
    uid: `birthday-${guid}@${new URL(baseUrl).host}`,
    summary: translate(locale, "calendars.birthdayOf", displayName(person)),
    ...{ description: "", location: "", categories: [], allDay: true },
    start: hasYear ? date : `${SOME_YEAR}${date.slice(4)}`,
    end: null,
    timeZone: "UTC",
    recurrence: {
      rule: isLeapDay ? "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1" : "FREQ=YEARLY",
      ...{ added: [], removed: [], changed: [] },
    },
    ...{ sequence: 0, createdAt: profile.createdAt },
    updatedAt: profile.updatedAt,
  };
  const writer = new CalendarWriter({ isStored: true });
  writer.add({
    ...details,
    ...{ status: "CONFIRMED", isPublic: false, attendees: [] },
    url: `${baseUrl}/people/${encodeURIComponent(guid)}`,
  });
  // Nobody is busy on the birthdays of others.
  const text = writer
    .toString()
    .replace("END:VEVENT", "TRANSP:TRANSPARENT\r\nEND:VEVENT");
  return {
    event: {
      ...details,
      // No event: nobody has answered it.
      id: 0 as EventId,
      ...{ guid, personId, calendarId: null, aspectId: null, capacity: null },
      ...{ needsApproval: false },
      ...{ audience: "owner", status: "confirmed", public: false },
    },
    name: `${guid}.ics`,
    change: hashOf(text),
    text,
  };
}

const BYTES = 6;

/** A number that fits into a token. */
function hashOf(...texts: readonly string[]): number {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(text).update("\0");
  return hash.digest().readUIntBE(0, BYTES);
}
