import type { Aspect } from "../../features/aspects/index.ts";
import type { Contact, ContactList } from "../../features/contacts/index.ts";
import type { Person } from "../../features/people/index.ts";
import { emptyListView } from "../kit/components/notices-view.ts";
import { tabLinks } from "../kit/components/tabs-view.ts";
import { html, type Html, type HtmlValue } from "../kit/html.ts";
import { paginationView } from "../kit/list-view.ts";
import type { Part } from "../kit/page-input.ts";
import { personItem } from "../kit/person-view.ts";
import { contactTexts as texts } from "../languages/texts.ts";
import { ASPECTS, PEOPLE, aspectPath } from "../session/places.ts";
import { requestsLink } from "./request-view.ts";

export const BLOCKS = "/settings/blocks";
export const IGNORES = "/settings/ignores";

/** The lists of people on the page; the first is the usual one. */
export const LISTS = ["held", "mutual", "followers", "unheld"] as const;
export type PeopleList = (typeof LISTS)[number] & (ContactList | "followers");

/** A person, the aspects that hold it, and the user's contact with it. */
export type ListedPerson = {
  readonly person: Person;
  readonly aspects: readonly Pick<Aspect, "id" | "name">[];
  readonly contact: Contact | undefined;
};

/** The data of the page of people. */
export type PeoplePage = {
  readonly list: PeopleList;
  readonly people: Part<ListedPerson>;
  /** How many people ask to follow the user. */
  readonly waiting: number;
};

export function listPath(list: PeopleList): string {
  return list === "held" ? PEOPLE : `${PEOPLE}?list=${list}`;
}

/** The user's contacts, and who follows the user. */
export function peoplePageView({ list, people, waiting }: PeoplePage): Html {
  return html`<h1>${texts.title}</h1>
    ${requestsLink(waiting)} ${findForm("")}
    <p><a href="${ASPECTS}">${texts.aspects}</a></p>
    ${tabLinks(
      texts.lists,
      LISTS.map((it) => ({
        path: listPath(it),
        label: texts.list[it],
        isChosen: it === list,
      })),
    )}
    ${people.items.length === 0 ? emptyView(list) : contactsView(people.items)}
    ${paginationView(people, { previous: texts.earlier, next: texts.later })}
    <p>
      <a href="${BLOCKS}">${texts.blocks}</a> ·
      <a href="${IGNORES}">${texts.ignores}</a>
    </p>`;
}

function emptyView(list: PeopleList): Html {
  return emptyListView(texts.nobodyIn[list], [
    [`${PEOPLE}#q`, texts.find],
    ["/home?show=all", texts.lookAround],
  ]);
}

export function foundView(query: string, people: readonly Person[]): Html {
  return html`<h1>${texts.find}</h1>
    ${findForm(query)}
    <section aria-labelledby="found">
      <h2 id="found">${texts.found(query)}</h2>
      ${peopleView(people, texts.nobodyFound)}
    </section>`;
}

function findForm(query: string): Html {
  return html`<form
    method="get"
    action="${PEOPLE}/find"
    class="stacked"
    role="search"
  >
    <p>
      <label for="q">${texts.find}</label>
      <input
        id="q"
        name="q"
        type="search"
        required
        value="${query}"
        maxlength="500"
        autocapitalize="none"
        autocomplete="off"
        spellcheck="false"
        aria-describedby="q-hint"
      />
      <small id="q-hint">${texts.findHint}</small>
    </p>
    <p class="actions"><button>${texts.search}</button></p>
  </form>`;
}

/** People with the aspects that hold them, and what they answer. */
function contactsView(people: readonly ListedPerson[]): Html {
  return html`<ul class="people">
    ${people.map(({ person, aspects, contact }) =>
      personItem(person, {
        beside: marksView(person, contact),
        below: aspects.length > 0 && aspectChips(aspects),
      }),
    )}
  </ul>`;
}

function aspectChips(aspects: ListedPerson["aspects"]): Html {
  return html`<p class="chips">
    ${aspects.map(
      ({ id, name }) =>
        html`<a class="chip" href="${aspectPath(id)}"><bdi>${name}</bdi></a>`,
    )}
  </p>`;
}

/** Does the person follow the user, and has it answered the user's own request? */
export function marksView(
  { profile }: Person,
  contact: Contact | undefined,
): HtmlValue {
  const asks = contact?.following === true && !contact.isConfirmed;
  const marks = [
    ...(contact?.sharing === true ? [texts.followsYou] : []),
    ...(asks && contact.isRefused ? [texts.refusedMark] : []),
    ...(asks && !contact.isRefused && profile.locked
      ? [texts.requestedMark]
      : []),
  ];
  return (
    marks.length > 0 && html`<span class="quiet">${marks.join(" · ")}</span>`
  );
}

/** @param below what stands below each person */
export function peopleView(
  people: readonly Person[],
  nobody: string,
  below: (person: Person) => HtmlValue = () => undefined,
): HtmlValue {
  if (people.length === 0) return html`<p class="quiet">${nobody}</p>`;
  return html`<ul class="people">
    ${people.map((person) => personItem(person, { below: below(person) }))}
  </ul>`;
}
