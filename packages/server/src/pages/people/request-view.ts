import type { Session } from "../../features/accounts/index.ts";
import type { Person } from "../../features/people/index.ts";
import { actForm, hiddenField } from "../kit/form-fields.ts";
import { html, type Html, type HtmlValue } from "../kit/html.ts";
import { paginationView } from "../kit/list-view.ts";
import type { Part } from "../kit/page-input.ts";
import { nameView, personItem } from "../kit/person-view.ts";
import { contactTexts as texts } from "../languages/texts.ts";
import { PEOPLE } from "../session/places.ts";

export const REQUESTS = `${PEOPLE}/requests`;
/** More are not counted. */
export const MAX_COUNTED_REQUESTS = 100;

/** The people who ask to follow the user. */
export function requestsView(session: Session, part: Part<Person>): Html {
  const { items } = part;
  return html`<h1>${texts.requests}</h1>
    <p class="quiet">${texts.requestsAbout}</p>
    ${items.length === 0 && html`<p class="quiet">${texts.noRequests}</p>`}
    ${
      items.length > 1 &&
      actForm(session, `${REQUESTS}/accept-all`, undefined, texts.acceptAll)
    }
    ${
      items.length > 0 &&
      html`<ul class="people">
        ${items.map((person) =>
          personItem(person, { below: answerForms(session, person) }),
        )}
      </ul>`
    }
    ${paginationView(part, { previous: texts.earlier, next: texts.later })}`;
}

/** The two answers to one request. */
export function answerForms(session: Session, person: Person): HtmlValue {
  const field = html`${hiddenField("person", person.guid)}
    <span class="unseen">${nameView(person)}</span>`;
  return [
    actForm(session, `${REQUESTS}/accept`, field, texts.accept),
    actForm(session, `${REQUESTS}/refuse`, field, texts.refuse),
  ];
}

/** Leads to the requests while there are any. */
export function requestsLink(count: number): HtmlValue {
  return (
    count > 0 && html`<p><a href="${REQUESTS}">${texts.waiting(count)}</a></p>`
  );
}
