import type { Session, Settings } from "../../features/accounts/index.ts";
import { LANGUAGES } from "../../lib/messages/messages.ts";
import { csrfField } from "../kit/csrf.ts";
import { alertView, choicesField, lineField } from "../kit/form-fields.ts";
import { html, type Html } from "../kit/html.ts";
import { noticeView } from "../kit/components/notices-view.ts";
import { usualReminderField } from "../events/reminder-view.ts";
import { currentAppearance } from "../languages/reader.ts";
import {
  accountTexts,
  appTexts,
  calendarTexts,
  contactTexts,
  filterTexts,
  homeTexts,
  mailTexts,
  notificationTexts,
  pageTexts,
  privacyTexts,
  importTexts,
  strikeTexts,
} from "../languages/texts.ts";
import { MAIL_SETTINGS } from "../mails/mail-paths.ts";
import {
  FIRST_STEPS,
  IMPORTS,
  PRIVACY_SETTINGS,
  STRIKES,
} from "../session/places.ts";
import { pushView, type PushState } from "./push-view.ts";

const texts = pageTexts.settingsPage;

export const SETTINGS_PATH = "/settings";

/** The result of a change. */
export type SettingsDraft = {
  readonly fault?: string;
  readonly notice?: string;
};

export function settingsView(
  session: Session,
  settings: Settings,
  page: SettingsDraft & {
    readonly mayInvite: boolean;
    readonly hasMail: boolean;
    readonly push: PushState;
  },
): Html {
  const { fault, notice, mayInvite, hasMail, push } = page;
  return html`<h1>${texts.title}</h1>
    ${noticeView(notice)} ${alertView(fault === undefined ? [] : [fault])}
    <nav aria-label="${texts.more}">
      <ul>
        <li><a href="/settings/profile">${texts.profile}</a></li>
        <li>
          <a href="${PRIVACY_SETTINGS}">${privacyTexts.title}</a>
          <span class="quiet">${privacyTexts.linkAbout}</span>
        </li>
        <li>
          <a href="/settings/account">${accountTexts.title}</a>
          <span class="quiet">${accountTexts.linkAbout}</span>
        </li>
        <li>
          <a href="/settings/security">${texts.security}</a>
          <span class="quiet">${texts.securityAbout}</span>
        </li>
        <li>
          <a href="/settings/apps">${appTexts.access.link}</a>
          <span class="quiet">${appTexts.access.linkAbout}</span>
        </li>
        <li><a href="/settings/calendars">${calendarTexts.title}</a></li>
        <li><a href="/settings/blocks">${contactTexts.blocks}</a></li>
        <li><a href="/settings/ignores">${contactTexts.ignores}</a></li>
        <li><a href="/settings/servers">${contactTexts.hosts}</a></li>
        <li>
          <a href="/settings/notifications"
            >${notificationTexts.choices.link}</a
          >
        </li>
        ${
          hasMail &&
          html`<li>
            <a href="${MAIL_SETTINGS}">${mailTexts.settings.title}</a>
          </li>`
        }
        <li><a href="/settings/filters">${filterTexts.title}</a></li>
        <li>
          <a href="${IMPORTS}">${importTexts.title}</a>
          <span class="quiet">${importTexts.linkAbout}</span>
        </li>
        <li>
          <a href="${STRIKES}">${strikeTexts.title}</a>
          <span class="quiet">${strikeTexts.linkAbout}</span>
        </li>
        <li><a href="${FIRST_STEPS}">${homeTexts.firstSteps}</a></li>
        ${
          mayInvite &&
          html`<li><a href="/invitations">${texts.invitations}</a></li>`
        }
      </ul>
    </nav>
    <section aria-labelledby="general">
      <h2 id="general">${texts.general}</h2>
      ${settingsForm(session, settings)}
    </section>
    ${pushView(session, push)}`;
}

function settingsForm(session: Session, settings: Settings): Html {
  const { locale, timeZone, linkPreviews } = settings;
  const zones = new Set([
    "UTC",
    timeZone,
    ...Intl.supportedValuesOf("timeZone"),
  ]);
  return html`<form method="post" action="${SETTINGS_PATH}" class="stacked">
    ${csrfField(session)}
    <p>
      <label for="language">${texts.language}</label>
      <select id="language" name="language">
        ${LANGUAGES.map(
          (language) =>
            html`<option
              value="${language}"
              lang="${language}"
              ${language === locale && html`selected`}
            >
              ${nameOf(language)}
            </option>`,
        )}
      </select>
    </p>
    <p>
      <label for="time_zone">${texts.timeZone}</label>
      <select id="time_zone" name="time_zone" aria-describedby="zone-hint">
        ${[...zones]
          .sort()
          .map(
            (zone) =>
              html`<option ${zone === timeZone && html`selected`}>
                ${zone}
              </option>`,
          )}
      </select>
      <small id="zone-hint">${texts.timeZoneHint}</small>
    </p>
    ${languageFields(settings)}
    ${usualReminderField("event_reminder", settings.eventReminder, false)}
    ${usualReminderField("day_reminder", settings.dayReminder, true)}
    ${appearanceFields()}
    <p>
      <label class="choice">
        <input
          type="checkbox"
          name="link_previews"
          value="true"
          aria-describedby="previews-hint"
          ${linkPreviews && html`checked`}
        />
        <span>${texts.linkPreviews}</span>
      </label>
      <small id="previews-hint">${texts.linkPreviewsHint}</small>
    </p>
    <p class="actions"><button>${texts.save}</button></p>
  </form>`;
}

/** Tags, because there are more languages than a list of boxes can hold. */
function languageFields({ postLanguage, readLanguages }: Settings): Html {
  const tags = html`dir="ltr" autocapitalize="none" spellcheck="false"`;
  return html`${lineField("post_language", postLanguage ?? "", {
    ...{ label: texts.postLanguage, hint: texts.postLanguageHint },
    attributes: tags,
  })}
  ${lineField("read_languages", readLanguages.join(" "), {
    ...{ label: texts.readLanguages, hint: texts.readLanguagesHint },
    attributes: tags,
  })}`;
}

function appearanceFields(): Html {
  return choicesField({
    ...{ name: "appearance", legend: texts.appearance },
    ...{ labels: texts.appearances, hint: texts.appearanceHint },
    chosen: [currentAppearance()],
  });
}

/** Each language is named in itself, so that its speakers find it. */
function nameOf(language: string): string {
  const names = new Intl.DisplayNames(language, { type: "language" });
  return names.of(language) ?? language;
}
