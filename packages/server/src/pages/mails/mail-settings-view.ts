import type { Session } from "../../features/accounts/index.ts";
import {
  MAIL_FREQUENCIES,
  staffKindsOf,
  type MailSettings,
} from "../../features/mail/index.ts";
import { NOTIFICATION_KINDS } from "../../features/notifications/index.ts";
import { csrfField } from "../kit/csrf.ts";
import {
  addressField,
  alertView,
  choicesField,
  proofField,
} from "../kit/form-fields.ts";
import { html, type Html } from "../kit/html.ts";
import { noticeView } from "../kit/components/notices-view.ts";
import { mailTexts, notificationTexts } from "../languages/texts.ts";
import { MAIL_SETTINGS } from "./mail-paths.ts";

const texts = mailTexts.settings;

export const NEW_ADDRESS = `${MAIL_SETTINGS}/address`;
export const REMOVE_ADDRESS = `${MAIL_SETTINGS}/remove`;

/** The result of a change, and what was typed. */
export type MailSettingsDraft = {
  readonly fault?: string;
  readonly notice?: string;
  readonly typed?: string;
};

export function mailSettingsView(
  session: Session,
  settings: MailSettings,
  { fault, notice, typed = "" }: MailSettingsDraft,
): Html {
  const hasAny = settings.address !== null || settings.wanted !== null;
  return html`<h1>${texts.title}</h1>
    ${noticeView(notice)} ${alertView(fault === undefined ? [] : [fault])}
    <p>${texts.about}</p>
    <section aria-labelledby="address-title">
      <h2 id="address-title">${texts.address}</h2>
      ${stateOf(settings).map((line) => html`<p>${line}</p>`)}
      <form method="post" action="${NEW_ADDRESS}" class="stacked">
        ${csrfField(session)}
        ${addressField(texts.newAddress, {
          ...{ value: typed, hint: texts.newAddressHint, isRequired: true },
        })}
        ${proofField("address-password")}
        <p class="actions"><button>${texts.change}</button></p>
      </form>
      ${hasAny && removeForm(session)}
    </section>
    ${settings.address !== null && choicesForm(session, settings)}`;
}

function stateOf({ address, bouncedAt, wanted }: MailSettings): string[] {
  const lines: string[] = [];
  if (address !== null)
    lines.push(
      bouncedAt === null
        ? texts.isConfirmed(address)
        : texts.isBouncing(address),
    );
  if (wanted)
    lines.push(
      wanted.hasEnded
        ? texts.hasEnded(wanted.address)
        : texts.waits(wanted.address),
    );
  return lines.length > 0 ? lines : [texts.none];
}

function removeForm(session: Session): Html {
  return html`<form method="post" action="${REMOVE_ADDRESS}" class="stacked">
    ${csrfField(session)} ${proofField("remove-password")}
    <p class="actions"><button>${texts.remove}</button></p>
    <p><small>${texts.removeHint}</small></p>
  </form>`;
}

function choicesForm(session: Session, settings: MailSettings): Html {
  const staff = staffKindsOf(session.user.role);
  const { kinds } = notificationTexts.choices;
  return html`<form method="post" action="${MAIL_SETTINGS}" class="stacked">
    ${csrfField(session)}
    ${choicesField({
      ...{ name: "frequency", legend: texts.frequency },
      labels: Object.fromEntries(
        MAIL_FREQUENCIES.map((it) => [it, texts.frequencies[it]]),
      ),
      chosen: [settings.frequency],
    })}
    ${choicesField({
      ...{ name: "kinds", legend: texts.kinds, hint: texts.kindsHint },
      labels: Object.fromEntries(
        NOTIFICATION_KINDS.map((kind) => [kind, kinds[kind]]),
      ),
      ...{ chosen: settings.kinds, several: true },
    })}
    ${
      staff.length > 0 &&
      choicesField({
        ...{ name: "staff", legend: texts.staff, several: true },
        labels: Object.fromEntries(
          staff.map((kind) => [kind, texts.staffKinds[kind]]),
        ),
        chosen: settings.staffKinds,
      })
    }
    <p class="actions"><button>${texts.save}</button></p>
  </form>`;
}
