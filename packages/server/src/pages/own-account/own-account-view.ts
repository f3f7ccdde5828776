import type { Session } from "../../features/accounts/index.ts";
import {
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
} from "../../features/accounts/index.ts";
import { csrfField } from "../kit/csrf.ts";
import {
  actForm,
  alertView,
  fieldView,
  proofField,
} from "../kit/form-fields.ts";
import { html, type Html } from "../kit/html.ts";
import { noticeView } from "../kit/components/notices-view.ts";
import { accountTexts as texts, importTexts } from "../languages/texts.ts";
import { IMPORTS } from "../session/places.ts";

export const ACCOUNT = "/settings/account";
export const MOVING = "/settings/moving";
export const ACCOUNT_DELETE = `${ACCOUNT}/delete`;

/** The result of a form. */
export type AccountSaid = { readonly fault?: string; readonly notice?: string };

export function ownAccountView(session: Session, said: AccountSaid): Html {
  const { export: exported } = texts;
  return html`<h1>${texts.title}</h1>
    ${saidView(said)}
    <section aria-labelledby="new-password">
      <h2 id="new-password">${texts.password.title}</h2>
      ${passwordForm(session)}
    </section>
    <section aria-labelledby="export">
      <h2 id="export">${exported.title}</h2>
      <p>${exported.about}</p>
      ${actForm(session, `${ACCOUNT}/export`, undefined, exported.button)}
    </section>
    <section aria-labelledby="import">
      <h2 id="import">${importTexts.title}</h2>
      <p><a href="${IMPORTS}">${importTexts.linkAbout}</a></p>
    </section>
    <section aria-labelledby="leave">
      <h2 id="leave">${texts.moving.title}</h2>
      <p><a href="${MOVING}">${texts.moving.link}</a></p>
    </section>
    <section aria-labelledby="end">
      <h2 id="end">${texts.delete.title}</h2>
      <p><a href="${ACCOUNT_DELETE}">${texts.delete.link}</a></p>
    </section>`;
}

/** The notice and the fault of the last form. */
export function saidView({ fault, notice }: AccountSaid): Html {
  return html`${noticeView(notice)}
  ${alertView(fault === undefined ? [] : [fault])}`;
}

function passwordForm(session: Session): Html {
  const words = texts.password;
  const fresh = html`type="password" autocomplete="new-password"
  minlength="${MIN_PASSWORD_LENGTH}" maxlength="${MAX_PASSWORD_LENGTH}"`;
  return html`<form method="post" action="${ACCOUNT}/password" class="stacked">
    ${csrfField(session)}
    <p class="quiet">${words.about}</p>
    ${fieldView("current", {
      label: words.current,
      attributes: html`type="password" autocomplete="current-password"`,
    })}
    ${fieldView("password", {
      ...{ label: words.wanted, hint: words.hint(MIN_PASSWORD_LENGTH) },
      attributes: fresh,
    })}
    ${fieldView("confirm", { label: words.confirm, attributes: fresh })}
    <p class="actions"><button>${words.button}</button></p>
  </form>`;
}

export function deleteAccountView(session: Session, said: AccountSaid): Html {
  const words = texts.delete;
  return html`<h1>${words.title}</h1>
    ${saidView(said)}
    <p>${words.about}</p>
    <p>
      ${words.before} <a href="${ACCOUNT}#export">${texts.export.button}</a>
    </p>
    <form method="post" action="${ACCOUNT_DELETE}" class="stacked">
      ${csrfField(session)} ${proofField("password")}
      <p class="actions">
        <button class="danger">${words.button}</button>
        <a href="${ACCOUNT}">${words.back}</a>
      </p>
    </form>`;
}

export function deletedView(): Html {
  return html`<h1>${texts.delete.done}</h1>
    <p>${texts.delete.doneAbout}</p>`;
}
