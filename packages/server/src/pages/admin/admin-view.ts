import type { Session } from "../../features/accounts/index.ts";
import { csrfField } from "../kit/csrf.ts";
import { alertView } from "../kit/form-fields.ts";
import { html, type Html, type HtmlValue } from "../kit/html.ts";
import type { AdminPage } from "./admin-page.ts";
import { adminTexts as texts, type NoticeName } from "./admin-texts.ts";

/** The frame of every page below /admin. */
export function adminView(
  page: Pick<AdminPage, "path" | "title">,
  pages: readonly AdminPage[],
  main: Html,
  {
    notice,
    fault,
  }: { readonly notice?: NoticeName | undefined; readonly fault?: string },
): Html {
  return html`<nav class="sections" aria-label="${texts.navigation}">
      ${pages.map((one) => navigationLink(one, page.path))}
    </nav>
    <h1>${page.title}</h1>
    ${
      notice &&
      html`<p class="notice" role="status">${texts.notices[notice]}</p>`
    }
    ${alertView(fault === undefined ? [] : [fault])} ${main}`;
}

function navigationLink({ path, title }: AdminPage, here: string): Html {
  return html`<a href="${path}" ${path === here && html`aria-current="page"`}
    >${title}</a
  > `;
}

/**
 * A form that works without scripts; `action` is the URL of one of the page's
 * acts.
 */
export function adminForm(
  session: Session,
  action: string,
  content: HtmlValue,
  button: string,
): Html {
  return html`<form method="post" action="${action}" class="act">
    ${csrfField(session)} ${content}
    <button>${button}</button>
  </form>`;
}

/** A hidden field. */
export function hiddenField(name: string, value: string | number): Html {
  return html`<input type="hidden" name="${name}" value="${value}" />`;
}

/** A table; on a narrow screen it scrolls by itself. */
export function tableView(
  headings: readonly string[],
  rows: readonly (readonly HtmlValue[])[],
): Html {
  return html`<div
    class="wide"
    tabindex="0"
    role="region"
    aria-label="${texts.table}"
  >
    <table>
      <thead>
        <tr>
          ${headings.map((heading) => html`<th scope="col">${heading}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

type FieldOptions = {
  readonly value?: string;
  readonly required?: boolean;
  /** The maximum of a number. */
  readonly most?: number;
};

/** A field for one line of text, or for a number from 1 on. */
export function textField(
  name: string,
  label: string,
  { value = "", required = false, most }: FieldOptions,
): Html {
  const kind =
    most === undefined
      ? html`type="text"`
      : html`type="number" min="1" max="${most}"`;
  return html`<label
    >${label}
    <input
      name="${name}"
      ${kind}
      value="${value}"
      ${required && html`required`}
      autocapitalize="none"
      autocomplete="off"
  /></label>`;
}

/** A selection; the labels by value. */
export function choiceField(
  name: string,
  label: string,
  choices: Readonly<Record<string, string>>,
  chosen?: string,
): Html {
  return html`<label
    >${label}
    <select name="${name}">
      ${Object.entries(choices).map(
        ([value, words]) =>
          html`<option value="${value}" ${value === chosen && html`selected`}>
            ${words}
          </option>`,
      )}
    </select></label
  >`;
}

/** A day in the future. */
export function dayView(at: string): Html {
  return html`<time datetime="${at}"
    >${at.slice(0, "2026-01-31".length)}</time
  >`;
}
