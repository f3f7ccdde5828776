import type { SignedIn } from "../../features/accounts/index.ts";
import { birthdayIn } from "../../features/contacts/index.ts";
import type { Person } from "../../features/people/index.ts";
import { html, type Html } from "../kit/html.ts";
import { nameView, personPath } from "../kit/person-view.ts";
import { eventTexts } from "../languages/texts.ts";
import type { PagesContext } from "../session/visitor.ts";

/** People by the day of their birthday, `YYYY-MM-DD`. */
export type BirthdaysByDay = ReadonlyMap<string, readonly Person[]>;

/** The contacts of a user who have their birthday on one of these days, and show it. */
export async function loadBirthdays(
  { contacts, people }: PagesContext,
  user: SignedIn,
  days: readonly string[],
): Promise<BirthdaysByDay> {
  const wanted = new Set(days);
  const years = new Set(days.map((day) => Number(day.slice(0, 4))));
  const birthdays = await contacts.listBirthdays(user);
  const found = birthdays.flatMap((birthday) =>
    [...years]
      .map((year) => birthdayIn(birthday, year))
      .filter((day) => wanted.has(day))
      .map((day) => ({ day, personId: birthday.personId })),
  );
  const persons = await people.listById(found.map((it) => it.personId));
  const shown = found.flatMap(({ day, personId }) => {
    const person = persons.get(personId);
    return person ? [{ day, person }] : [];
  });
  return new Map(
    [...Map.groupBy(shown, ({ day }) => day)].map(([day, group]) => [
      day,
      group.map(({ person }) => person),
    ]),
  );
}

export function birthdayView(person: Person): Html {
  return html`<li>
    <a class="entry" href="${personPath(person)}"
      >${eventTexts.month.birthdayOf} ${nameView(person)}</a
    >
  </li>`;
}
