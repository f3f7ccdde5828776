import type { Session } from "../../features/accounts/index.ts";
import type { Aspect } from "../../features/aspects/index.ts";
import type {
  CalendarShare,
  SharedCalendar,
} from "../../features/calendars/index.ts";
import type { CalendarId, PersonId } from "../../features/ids.ts";
import type { Person } from "../../features/people/index.ts";
import { csrfField } from "../kit/csrf.ts";
import { actForm, hiddenField } from "../kit/form-fields.ts";
import { html, type Html, type HtmlValue } from "../kit/html.ts";
import { handleView, nameView, personPath } from "../kit/person-view.ts";
import { calendarTexts } from "../languages/texts.ts";
import { colorField, swatchView } from "./calendar-colors.ts";
import { CALENDARS } from "./paths.ts";

const texts = calendarTexts.shares;

export type SharesShown = {
  readonly session: Session;
  readonly aspects: readonly Aspect[];
  readonly people: ReadonlyMap<PersonId, Person>;
};

/** With whom a calendar is shared, and the form that shares it. */
export function sharesView(
  shown: SharesShown,
  id: CalendarId,
  shares: readonly CalendarShare[],
): Html {
  const { session, people } = shown;
  const path = `${CALENDARS}/${id}/share`;
  return html`<p>${texts.about}</p>
    ${
      shares.length > 0 &&
      html`<ul>
        ${shares.map(
          (share) =>
            html`<li>
              ${recipientView(share, people)}
              <span class="quiet">${rightsOf(share.mayWrite)}</span>
              ${actForm(session, `${path}/end`, hiddenField("share", share.id), texts.end)}
            </li>`,
        )}
      </ul>`
    }
    ${shareForm(shown, id, path)}`;
}

function recipientView(
  { with: recipient }: CalendarShare,
  people: SharesShown["people"],
): HtmlValue {
  if (recipient.kind === "aspect") return html`<bdi>${recipient.name}</bdi>`;
  const person = people.get(recipient.personId);
  return person && personLink(person);
}

function personLink(person: Person): Html {
  return html`<a href="${personPath(person)}">${nameView(person)}</a>
    ${handleView(person)}`;
}

function rightsOf(mayWrite: boolean): string {
  return mayWrite ? texts.mayWrite : texts.mayRead;
}

function shareForm(
  { session, aspects }: SharesShown,
  id: CalendarId,
  path: string,
): Html {
  return html`<form method="post" action="${path}" class="stacked">
    ${csrfField(session)}
    <p>
      <label for="share-person-${id}">${texts.person}</label>
      <input
        id="share-person-${id}"
        name="person"
        autocapitalize="none"
        autocomplete="off"
        spellcheck="false"
      />
    </p>
    ${
      aspects.length > 0 &&
      html`<p>
        <label for="share-aspect-${id}">${texts.aspect}</label>
        <select id="share-aspect-${id}" name="aspect">
          <option value="">${texts.noAspect}</option>
          ${aspects.map(
            (aspect) =>
              html`<option value="${aspect.id}">${aspect.name}</option>`,
          )}
        </select>
      </p>`
    }
    <label class="choice">
      <input type="checkbox" name="write" value="true" />
      <span>${texts.write} <small>${texts.writeHint}</small></span>
    </label>
    <p class="actions"><button>${texts.share}</button></p>
  </form>`;
}

/** The calendars of others, each with a button that leaves it. */
export function sharedCalendarsView(
  { session, people }: Omit<SharesShown, "aspects">,
  shared: readonly SharedCalendar[],
): HtmlValue {
  if (shared.length === 0) return undefined;
  return html`<section aria-labelledby="shared-calendars">
    <h2 id="shared-calendars">${texts.sharedTitle}</h2>
    <p class="quiet">${texts.sharedAbout}</p>
    <ul>
      ${shared.map(({ id, name, color, share }) => {
        const owner = people.get(share.owner.personId);
        const path = `${CALENDARS}/${id}`;
        return html`<li>
          ${swatchView(color)}<bdi>${name}</bdi>
          ${owner && html`${texts.by} ${personLink(owner)}`}
          <span class="quiet">${rightsOf(share.mayWrite)}</span>
          <details>
            <summary>${calendarTexts.colors.legend}</summary>
            <form method="post" action="${path}/color" class="stacked">
              ${csrfField(session)} ${colorField(`shared-${id}`, color)}
              <p class="actions"><button>${calendarTexts.save}</button></p>
            </form>
          </details>
          ${actForm(session, `${path}/leave`, undefined, texts.leave)}
        </li>`;
      })}
    </ul>
  </section>`;
}
