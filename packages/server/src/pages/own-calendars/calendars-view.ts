import type { Session } from "../../features/accounts/index.ts";
import type {
  Calendar,
  CalendarAddresses,
  CalendarShare,
  SharedCalendar,
} from "../../features/calendars/index.ts";
import type { ImportReport } from "../../features/events/index.ts";
import type { Subscription } from "../../features/subscribed-calendars/index.ts";
import { csrfField } from "../kit/csrf.ts";
import { actForm, alertView, lineField } from "../kit/form-fields.ts";
import { html, type Html, type HtmlValue } from "../kit/html.ts";
import { confirmView } from "../kit/components/confirm-view.ts";
import { noticeView } from "../kit/components/notices-view.ts";
import { dayView } from "../kit/time-view.ts";
import { calendarTexts as texts } from "../languages/texts.ts";
import { colorField, swatchView } from "./calendar-colors.ts";
import { CALENDARS } from "./paths.ts";
import {
  sharedCalendarsView,
  sharesView,
  type SharesShown,
} from "./share-views.ts";
import { subscriptionsView } from "./subscription-views.ts";

export type ShownCalendar = Calendar & {
  readonly addresses: CalendarAddresses;
  readonly shares: readonly CalendarShare[];
};

export type CalendarsPage = SharesShown & {
  readonly baseUrl: string;
  readonly calendars: readonly ShownCalendar[];
  /** Those of other people. */
  readonly shared: readonly SharedCalendar[];
  /** Those of other servers. */
  readonly subscribed: readonly Subscription[];
  /** The outcome of an act a moment ago. */
  readonly notice?: string | undefined;
  readonly fault?: string | undefined;
  /** The outcome of an import a moment ago. */
  readonly report?: ImportReport | undefined;
};

/** The user's calendars: their names, their files, and where programs read them. */
export function calendarsView(page: CalendarsPage): Html {
  const { session, calendars, fault, notice, report } = page;
  return html`<h1>${texts.title}</h1>
    <p class="quiet">${texts.about}</p>
    ${alertView(fault === undefined ? [] : [fault])}
    ${report && reportView(report)} ${noticeView(notice)}
    ${
      calendars.length === 0
        ? html`<p>${texts.none}</p>`
        : calendars.map((calendar) => calendarView(page, calendar))
    }
    ${sharedCalendarsView(page, page.shared)}
    ${subscriptionsView(session, page.subscribed)}
    <section aria-labelledby="new-calendar">
      <h2 id="new-calendar">${texts.newTitle}</h2>
      <form method="post" action="${CALENDARS}/create" class="stacked">
        ${csrfField(session)}
        ${lineField("name", "", {
          label: texts.name,
          attributes: html`dir="auto" required maxlength="255"`,
        })}
        ${colorField("new", null)}
        <p class="actions"><button>${texts.create}</button></p>
      </form>
    </section>`;
}

function reportView(report: ImportReport): Html {
  const { created, updated, unchanged, refused } = report;
  return html`<div class="notice" role="status">
    <p>${texts.imported(created, updated, unchanged)}</p>
    ${
      refused.length > 0 &&
      html`<p>${texts.refused}</p>
        <ul>
          ${refused.map(({ summary, uid }) => html`<li dir="auto">${summary || uid}</li>`)}
        </ul>`
    }
  </div>`;
}

function calendarView(page: CalendarsPage, calendar: ShownCalendar): Html {
  const { session } = page;
  const { id, name, color, isDefault } = calendar;
  const path = `${CALENDARS}/${id}`;
  return html`<section class="calendar" aria-labelledby="calendar-${id}">
    <h2 id="calendar-${id}">
      ${swatchView(color)}<bdi>${name}</bdi>
      ${isDefault && html`<small class="quiet">${texts.isDefault}</small>`}
    </h2>
    <details>
      <summary>${texts.change}</summary>
      ${lookForm(session, calendar, path)}
    </details>
    <details>
      <summary>${texts.importFile}</summary>
      ${importForm(session, calendar, path)}
    </details>
    <details>
      <summary>${texts.shares.title}</summary>
      ${sharesView(page, id, calendar.shares)}
    </details>
    <details>
      <summary>${texts.subscribe}</summary>
      ${addressesView(page, calendar, path)}
    </details>
    <p><a href="${path}/delete">${texts.delete}</a></p>
  </section>`;
}

function lookForm(
  session: Session,
  { id, name, color }: Calendar,
  path: string,
): Html {
  return html`<form method="post" action="${path}/change" class="stacked">
    ${csrfField(session)}
    <p>
      <label for="name-${id}">${texts.name}</label>
      <input
        id="name-${id}"
        name="name"
        value="${name}"
        dir="auto"
        required
        maxlength="255"
        autocomplete="off"
      />
    </p>
    ${colorField(`calendar-${id}`, color)}
    <p class="actions"><button>${texts.save}</button></p>
  </form>`;
}

function importForm(session: Session, { id }: Calendar, path: string): Html {
  return html`<form
    method="post"
    action="${path}/import"
    class="stacked"
    enctype="multipart/form-data"
  >
    ${csrfField(session)}
    <p>
      <label for="file-${id}">${texts.file}</label>
      <input
        id="file-${id}"
        name="file"
        type="file"
        accept=".ics,text/calendar"
        required
        aria-describedby="file-${id}-hint"
      />
      <small id="file-${id}-hint">${texts.fileHint}</small>
    </p>
    <p class="actions"><button>${texts.startImport}</button></p>
  </form>`;
}

function addressesView(
  { session, baseUrl }: CalendarsPage,
  { addresses }: ShownCalendar,
  path: string,
): HtmlValue {
  const { guid, secret } = addresses;
  const at = `${baseUrl}/calendars/${guid}`;
  return html`<p>
      ${texts.publicAddress}<br />
      <a href="${at}.ics">${at}.ics</a>
    </p>
    ${
      secret
        ? html`<p>
              ${texts.secretAddress} ${dayView(secret.since)}<br />
              <code>${at}/${secret.word}.ics</code>
            </p>
            <div class="actions">
              ${actForm(session, `${path}/secret`, undefined, texts.renewSecret)}
              ${actForm(session, `${path}/secret/end`, undefined, texts.endSecret)}
            </div>`
        : html`<p>${texts.noSecret}</p>
            ${actForm(session, `${path}/secret`, undefined, texts.makeSecret)}`
    }`;
}

/** Asks once before a calendar goes with all its events. */
export function deleteCalendarView(
  session: Session,
  { id, name }: Calendar,
): Html {
  return confirmView(session, {
    ...{ title: texts.deleteTitle, about: texts.deleteAbout, quoted: name },
    ...{ action: `${CALENDARS}/${id}/delete`, button: texts.deleteAll },
    keep: { path: CALENDARS, label: texts.keep },
  });
}
