import type { Session, Settings } from "../../features/accounts/index.ts";
import { LANGUAGES } from "../../lib/messages/messages.ts";
import { csrfField } from "../kit/csrf.ts";
import { alertView } from "../kit/form-fields.ts";
import { html, type Html } from "../kit/html.ts";
import { contactTexts, pageTexts } from "../languages/texts.ts";

const texts = pageTexts.settingsPage;

export const SETTINGS_PATH = "/settings";

/** What came of a change. */
export type SettingsDraft = {
  readonly fault?: string;
  readonly notice?: string;
};

export function settingsView(
  session: Session,
  settings: Pick<Settings, "locale" | "timeZone">,
  page: SettingsDraft & { readonly mayInvite: boolean },
): Html {
  const { fault, notice, mayInvite } = page;
  return html`<h1>${texts.title}</h1>
    ${notice !== undefined && html`<p class="notice" role="status">${notice}</p>`}
    ${alertView(fault === undefined ? [] : [fault])}
    ${settingsForm(session, settings)}
    <section aria-labelledby="more">
      <h2 id="more">${texts.more}</h2>
      <ul>
        <li>
          <a href="/settings/security">${texts.security}</a>
          <span class="quiet">${texts.securityAbout}</span>
        </li>
        <li><a href="/settings/profile">${texts.profile}</a></li>
        <li><a href="/settings/blocks">${contactTexts.blocks}</a></li>
        <li><a href="/settings/ignores">${contactTexts.ignores}</a></li>
        ${
          mayInvite &&
          html`<li><a href="/invitations">${texts.invitations}</a></li>`
        }
      </ul>
    </section>`;
}

function settingsForm(
  session: Session,
  { locale, timeZone }: Pick<Settings, "locale" | "timeZone">,
): Html {
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
    <p class="actions"><button>${texts.save}</button></p>
  </form>`;
}

/** Each language is named in itself, so that its speakers find it. */
function nameOf(language: string): string {
  const names = new Intl.DisplayNames(language, { type: "language" });
  return names.of(language) ?? language;
}
