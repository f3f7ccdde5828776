import type {
  NewAppPassword,
  Session,
  TotpKey,
  WaysIn,
} from "../../features/accounts/index.ts";
import {
  MAX_APP_PASSWORD_NAME,
  MAX_PASSKEY_NAME,
} from "../../features/accounts/index.ts";
import { csrfField } from "../kit/csrf.ts";
import {
  alertView,
  codeField,
  fieldView,
  proofField,
} from "../kit/form-fields.ts";
import { html, type Html, type HtmlValue } from "../kit/html.ts";
import { passkeyForm } from "../sign-in/passkey-view.ts";
import { qrView } from "./qr-view.ts";
import { securityTexts as texts } from "../languages/texts.ts";
import { timeView } from "../kit/time-view.ts";
import type { FormDraft } from "../session/return-target.ts";

export const SECURITY = "/settings/security";
/** Stands for all other sessions, in place of a session's name. */
export const OTHERS = "others";

/** The fault of the last change, and its choices: never passwords or codes. */
export type SecuritySaid = {
  readonly fault?: string | undefined;
  readonly chosen?: FormDraft;
};

/** The fields that select one item. */
export const CHOICES = ["session", "token", "app_password", "passkey"] as const;

/** The sessions, tokens, second factor and passkeys of an account. */
export function securityView(
  session: Session,
  ways: WaysIn,
  now: Date,
  { fault, chosen = {} }: SecuritySaid,
): Html {
  return html`<h1>${texts.title}</h1>
    ${alertView(fault === undefined ? [] : [fault])}
    <h2>${texts.secondFactor.title}</h2>
    ${secondFactorView(session, ways)}
    <h2>${texts.passkeys.title}</h2>
    ${passkeysView(session, ways, now, chosen)}
    <h2>${texts.sessions.title}</h2>
    ${sessionsView(session, ways, now, chosen)}
    <h2>${texts.tokens.title}</h2>
    ${tokensView(session, ways, now, chosen)}
    <h2>${texts.appPasswords.title}</h2>
    ${appPasswordsView(session, ways, now, chosen)}`;
}

function secondFactorView(session: Session, { secondFactor }: WaysIn): Html {
  const words = texts.secondFactor;
  if (!secondFactor)
    return html`<p>${words.off}</p>
      <p>${words.ends}</p>
      ${formView(session, "second_factor", words.setUp, proofField("set-up"))}`;
  return html`<p>${words.on} ${words.left(secondFactor.recoveryCodesLeft)}</p>
    <p>${words.ends}</p>
    <details>
      <summary>${words.renew}</summary>
      <p>${words.renewText}</p>
      ${formView(session, "recovery_codes", words.renew, [
        proofField("renew"),
        codeField("renew-code"),
      ])}
    </details>
    <details>
      <summary>${words.turnOff}</summary>
      ${formView(session, "second_factor/remove", words.turnOff, [
        proofField("turn-off"),
        codeField("turn-off-code"),
      ])}
    </details>`;
}

function passkeysView(
  session: Session,
  { passkeys }: WaysIn,
  now: Date,
  chosen: FormDraft,
) {
  const words = texts.passkeys;
  return html`<p>${words.text}</p>
    ${
      passkeys.length > 0 &&
      formView(session, "passkeys/remove", words.remove, [
        passkeys.map(({ id, name, createdAt, lastUsedAt }) =>
          choiceView(chosen, "passkey", id, [
            html`<strong>${name}</strong>, ${words.added} `,
            timeView(createdAt, now),
            lastUsedAt !== null &&
              html`, ${words.used} ${timeView(lastUsedAt, now)}`,
          ]),
        ),
        html`<p class="quiet">${texts.secondFactor.ends}</p>`,
        proofField("passkeys"),
      ])
    }
    <noscript><p>${words.needsScript}</p></noscript>
    ${passkeyForm(
      {
        does: "create",
        action: `${SECURITY}/passkeys`,
        button: words.add,
        fault: words.notMade,
      },
      [
        csrfField(session),
        fieldView("name", {
          id: "passkey-name",
          label: words.name,
          hint: words.nameHint,
          attributes: html`maxlength="${MAX_PASSKEY_NAME}" autocomplete="off"`,
        }),
        proofField("new-passkey"),
      ],
    )}`;
}

function sessionsView(
  session: Session,
  { sessions }: WaysIn,
  now: Date,
  chosen: FormDraft,
) {
  const words = texts.sessions;
  const describe = (one: WaysIn["sessions"][number]) =>
    html`<strong>${one.device === "" ? words.unknown : one.device}</strong>,
      ${timeView(one.createdAt, now)}`;
  const others = sessions.filter(({ isCurrent }) => !isCurrent);
  return html`${sessions
    .filter(({ isCurrent }) => isCurrent)
    .map((one) => html`<p>${describe(one)} (${words.current})</p>`)}
  ${
    others.length === 0
      ? html`<p>${words.none}</p>`
      : formView(session, "sessions", words.end, [
          others.map((one) =>
            choiceView(chosen, "session", one.name, describe(one)),
          ),
          choiceView(chosen, "session", OTHERS, words.others),
          proofField("sessions"),
        ])
  }`;
}

function tokensView(
  session: Session,
  { tokens }: WaysIn,
  now: Date,
  chosen: FormDraft,
): Html {
  const words = texts.tokens;
  if (tokens.length === 0) return html`<p>${words.none}</p>`;
  return formView(session, "tokens", words.end, [
    tokens.map(({ id, clientId, lastUsedAt }) =>
      choiceView(chosen, "token", id, [
        html`<strong>${clientId}</strong>, ${words.lastUsed} `,
        timeView(lastUsedAt, now),
      ]),
    ),
    proofField("tokens"),
  ]);
}

function appPasswordsView(
  session: Session,
  { appPasswords, secondFactor }: WaysIn,
  now: Date,
  chosen: FormDraft,
): Html {
  const words = texts.appPasswords;
  return html`<p>${words.text} ${secondFactor && words.needed}</p>
    ${
      appPasswords.length > 0 &&
      formView(session, "app_passwords/remove", words.remove, [
        appPasswords.map(({ id, name, createdAt, lastUsedAt }) =>
          choiceView(chosen, "app_password", id, [
            html`<strong>${name}</strong>, ${texts.passkeys.added} `,
            timeView(createdAt, now),
            lastUsedAt !== null &&
              html`, ${texts.tokens.lastUsed} ${timeView(lastUsedAt, now)}`,
          ]),
        ),
        proofField("app-passwords"),
      ])
    }
    ${formView(session, "app_passwords", words.add, [
      fieldView("app_name", {
        label: texts.passkeys.name,
        hint: words.nameHint,
        attributes: html`maxlength="${MAX_APP_PASSWORD_NAME}" autocomplete="off"`,
      }),
      proofField("add-app-password"),
    ])}`;
}

/** Shows a new app password once. */
export function appPasswordView(
  username: string,
  { name, secret }: NewAppPassword,
): Html {
  const words = texts.appPasswords;
  return html`<h1>${words.made}</h1>
    <p>${words.once(name)}</p>
    <p>${words.username}: <code>${username}</code></p>
    <p>${words.secret}: <code>${secret}</code></p>
    ${wayBack()}`;
}

function choiceView(
  chosen: FormDraft,
  name: (typeof CHOICES)[number],
  value: string | number,
  label: HtmlValue,
): Html {
  return html`<p class="choice">
    <input
      type="radio"
      id="${name}-${value}"
      name="${name}"
      value="${value}"
      required
      ${chosen[name] === String(value) && html`checked`}
    />
    <label for="${name}-${value}">${label}</label>
  </p>`;
}

function formView(
  session: Session,
  action: string,
  button: string,
  fields: HtmlValue,
): Html {
  return html`<form
    method="post"
    action="${SECURITY}/${action}"
    class="stacked"
  >
    ${csrfField(session)} ${fields}
    <p class="actions"><button>${button}</button></p>
  </form>`;
}

/** Shows the secret once: it is confirmed by a code. */
export async function enrolmentView(
  session: Session,
  { secret, uri }: TotpKey,
): Promise<Html> {
  const words = texts.secondFactor;
  return html`<h1>${words.setUp}</h1>
    <p>${words.scan}</p>
    ${await qrView(uri, words.picture)}
    <p>
      ${words.secret}: <code>${(secret.match(/.{1,4}/g) ?? []).join(" ")}</code>
    </p>
    <p>${words.confirm} ${words.ends}</p>
    ${firstCodeForm(session, false)} ${wayBack()}`;
}

/**
 * Asks for a code again, without showing the secret. @param fault of the last
 * code
 */
export function wrongFirstCodeView(session: Session, fault: string): Html {
  const words = texts.secondFactor;
  return html`<h1>${words.setUp}</h1>
    ${alertView([fault])}
    <p>${words.notAgain} ${words.ends}</p>
    ${firstCodeForm(session, true)} ${wayBack()}`;
}

function firstCodeForm(session: Session, isFaulty: boolean): Html {
  const { turnOn, firstCode } = texts.secondFactor;
  const field = codeField("code", { hint: firstCode, isFaulty });
  return formView(session, "second_factor/confirm", turnOn, field);
}

/** Shows the recovery codes once. */
export function recoveryCodesView(codes: readonly string[]): Html {
  return html`<h1>${texts.recoveryCodes.title}</h1>
    <p>${texts.recoveryCodes.text}</p>
    <ul>
      ${codes.map((code) => html`<li><code>${code}</code></li>`)}
    </ul>
    ${wayBack()}`;
}

function wayBack(): Html {
  return html`<p><a href="${SECURITY}">${texts.back}</a></p>`;
}
