import type { Session } from "../../features/accounts/index.ts";
import type { Subscription } from "../../features/subscribed-calendars/index.ts";
import { csrfField } from "../kit/csrf.ts";
import { actForm, lineField } from "../kit/form-fields.ts";
import { html, type Html, type HtmlValue } from "../kit/html.ts";
import { dayTimeView } from "../kit/time-view.ts";
import { calendarTexts } from "../languages/texts.ts";
import { colorField, swatchView } from "./calendar-colors.ts";
import { CALENDARS } from "./paths.ts";

const texts = calendarTexts.subscribed;

/** The calendars of other servers, and the form that subscribes to one. */
export function subscriptionsView(
  session: Session,
  subscribed: readonly Subscription[],
): Html {
  return html`<section aria-labelledby="subscribed-calendars">
    <h2 id="subscribed-calendars">${texts.title}</h2>
    <p class="quiet">${texts.about}</p>
    ${subscribed.map((calendar) => subscriptionView(session, calendar))}
    <details>
      <summary>${texts.add}</summary>
      <form method="post" action="${CALENDARS}/subscribe" class="stacked">
        ${csrfField(session)}
        ${lineField("url", "", {
          label: texts.url,
          hint: texts.urlHint,
          attributes: html`required maxlength="2048" inputmode="url"
          autocapitalize="none" spellcheck="false"`,
        })}
        <p>
          <label for="subscribed-name">${texts.name}</label>
          <input
            id="subscribed-name"
            name="name"
            dir="auto"
            maxlength="255"
            autocomplete="off"
          />
        </p>
        <p class="actions"><button>${texts.subscribe}</button></p>
      </form>
    </details>
  </section>`;
}

function subscriptionView(session: Session, calendar: Subscription): Html {
  const { id, name, color, url, readAt } = calendar;
  const path = `${CALENDARS}/subscribed/${id}`;
  return html`<section class="calendar" aria-labelledby="subscribed-${id}">
    <h3 id="subscribed-${id}">${swatchView(color)}<bdi>${name}</bdi></h3>
    <p class="quiet">
      <span class="address">${url}</span><br />
      ${readAt !== null && html`${texts.readAt} ${dayTimeView(readAt)}`}
    </p>
    ${faultView(calendar)}
    <details>
      <summary>${calendarTexts.change}</summary>
      <form method="post" action="${path}/change" class="stacked">
        ${csrfField(session)}
        <p>
          <label for="subscribed-name-${id}">${texts.name}</label>
          <input
            id="subscribed-name-${id}"
            name="name"
            value="${name}"
            dir="auto"
            maxlength="255"
            autocomplete="off"
          />
        </p>
        ${colorField(`subscribed-${id}`, color)}
        <p class="actions"><button>${calendarTexts.save}</button></p>
      </form>
    </details>
    <div class="actions">
      ${actForm(session, `${path}/refresh`, undefined, texts.refresh)}
      ${actForm(session, `${path}/end`, undefined, texts.end)}
    </div>
  </section>`;
}

function faultView({ fault, dueAt }: Subscription): HtmlValue {
  return (
    fault !== null &&
    html`<p>
      ${texts.faults[fault]} ${texts.triedAgain} ${dayTimeView(dueAt)}.
    </p>`
  );
}
