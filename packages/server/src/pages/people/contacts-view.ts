import type { Session } from "../../features/accounts/index.ts";
import type { Aspect } from "../../features/aspects/index.ts";
import type { PersonId } from "../../features/ids.ts";
import type { Person } from "../../features/people/index.ts";
import { csrfField } from "../kit/csrf.ts";
import { actForm, alertView, hiddenField } from "../kit/form-fields.ts";
import { html, type Html, type HtmlValue } from "../kit/html.ts";
import { paginationView } from "../kit/list-view.ts";
import type { Part } from "../kit/page-input.ts";
import {
  avatarView,
  handleView,
  nameView,
  personPath,
} from "../kit/person-view.ts";
import { contactTexts as texts } from "../languages/texts.ts";
import { requestsLink } from "./request-view.ts";

export const CONTACTS = "/contacts";
export const BLOCKS = "/settings/blocks";
export const IGNORES = "/settings/ignores";
/** Characters in the name of an aspect. */
const MAX_NAME_LENGTH = 255;

/** The data of the page of contacts. */
export type ContactsPage = {
  readonly session: Session;
  readonly aspects: readonly Aspect[];
  /** The members of the aspects, among others. */
  readonly people: ReadonlyMap<PersonId, Person>;
  readonly followers: Part<Person>;
  /** How many people ask to follow the user. */
  readonly waiting: number;
  readonly fault?: string | undefined;
};

/** The user's aspects with their members, and who follows the user. */
export function contactsView(page: ContactsPage): Html {
  const { session, aspects, people, followers, waiting, fault } = page;
  return html`<h1>${texts.title}</h1>
    ${alertView(fault === undefined ? [] : [fault])} ${requestsLink(waiting)}
    ${findForm("")}
    <section aria-labelledby="aspects">
      <h2 id="aspects">${texts.aspects}</h2>
      <p class="quiet">${texts.aspectsAbout}</p>
      ${aspects.map((aspect) => aspectView(session, aspect, people))}
      <h3>${texts.newAspect}</h3>
      ${nameForm(session, "create", { label: texts.create })}
    </section>
    <section aria-labelledby="followers">
      <h2 id="followers">${texts.followers}</h2>
      ${peopleView(followers.items, texts.noFollowers)}
      ${paginationView(followers, {
        previous: texts.earlier,
        next: texts.later,
      })}
    </section>
    <p>
      <a href="${BLOCKS}">${texts.blocks}</a> ·
      <a href="${IGNORES}">${texts.ignores}</a>
    </p>`;
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
    action="${CONTACTS}/find"
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

function aspectView(
  session: Session,
  { id, name, memberships }: Aspect,
  people: ReadonlyMap<PersonId, Person>,
): Html {
  const members = memberships.flatMap(
    ({ personId }) => people.get(personId) ?? [],
  );
  return html`<section class="aspect" aria-labelledby="aspect-${id}">
    <h3 id="aspect-${id}"><bdi>${name}</bdi></h3>
    ${peopleView(members, texts.noMembers)}
    <details>
      <summary>${texts.change}</summary>
      ${nameForm(session, "rename", { label: texts.rename, aspect: { id, name } })}
      <p class="quiet">${texts.deleteAbout}</p>
      ${actForm(
        session,
        `${CONTACTS}/aspects/delete`,
        hiddenField("aspect", id),
        texts.delete,
      )}
    </details>
  </section>`;
}

function nameForm(
  session: Session,
  act: "create" | "rename",
  given: {
    readonly label: string;
    readonly aspect?: Pick<Aspect, "id" | "name">;
  },
): Html {
  const { label, aspect } = given;
  const field = aspect ? `name-${aspect.id}` : "name";
  return html`<form
    method="post"
    action="${CONTACTS}/aspects/${act}"
    class="act"
  >
    ${csrfField(session)} ${aspect && hiddenField("aspect", aspect.id)}
    <label for="${field}">${texts.name}</label>
    <input
      id="${field}"
      name="name"
      required
      maxlength="${MAX_NAME_LENGTH}"
      value="${aspect?.name ?? ""}"
      autocomplete="off"
    />
    <button>${label}</button>
  </form>`;
}

export function peopleView(
  people: readonly Person[],
  nobody: string,
): HtmlValue {
  if (people.length === 0) return html`<p class="quiet">${nobody}</p>`;
  return html`<ul class="people">
    ${people.map(
      (person) =>
        html`<li>
          ${avatarView(person, 48)}
          <p>
            <a href="${personPath(person)}">${nameView(person)}</a>
            <span class="quiet">${handleView(person)}</span>
          </p>
        </li>`,
    )}
  </ul>`;
}
