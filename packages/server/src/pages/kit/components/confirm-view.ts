import type { Session } from "../../../features/accounts/index.ts";
import { csrfField } from "../csrf.ts";
import { alertView } from "../form-fields.ts";
import { html, type Html } from "../html.ts";

type Confirmed = {
  readonly title: string;
  /** The beginning of what is lost. */
  readonly quoted: string;
  /** The consequences that cannot be taken back. */
  readonly about: string;
  /** The path of the form. */
  readonly action: string;
  readonly button: string;
  /** A button for another way, with its hint. */
  readonly other?: { readonly button: Html; readonly hint: Html } | undefined;
  /** The way back, where nothing is lost. */
  readonly keep: { readonly path: string; readonly label: string };
  readonly fault?: string | undefined;
};

/** A page that asks once before something is lost. */
export function confirmView(session: Session, asked: Confirmed): Html {
  const { title, quoted, about, action, button, other, keep, fault } = asked;
  return html`<h1>${title}</h1>
    <blockquote class="asked" dir="auto">${quoted}</blockquote>
    <p>${about}</p>
    ${alertView(fault === undefined ? [] : [fault])}
    <form method="post" action="${action}">
      ${csrfField(session)}
      <p class="actions">
        <button>${button}</button> ${other?.button}
        <a href="${keep.path}">${keep.label}</a>
      </p>
      ${other?.hint}
    </form>`;
}
