import { html, type Html, type HtmlValue } from "../html.ts";

/** Words about what has just happened, read out by screen readers. */
export function noticeView(words: string | undefined): HtmlValue {
  return (
    words !== undefined && html`<p class="notice" role="status">${words}</p>`
  );
}

/** A fault, with the id of the field that mends it. */
type FieldFault = { readonly field: string; readonly words: string };

/** All faults of a long form, each with a link to its field. */
export function errorSummary(
  message: string | undefined,
  faults: readonly FieldFault[],
): HtmlValue {
  if (faults.length === 0 && message === undefined) return undefined;
  return html`<div class="alert" role="alert" tabindex="-1" autofocus>
    ${message !== undefined && html`<p>${message}</p>`}
    ${faults.map(
      ({ field, words }) => html`<p><a href="#${field}">${words}</a></p>`,
    )}
  </div>`;
}

/** An empty list leads on. */
export function emptyListView(
  words: string,
  steps: readonly (readonly [path: string, label: string])[],
): Html {
  return html`<section class="empty">
    <p>${words}</p>
    <ul>
      ${steps.map(([path, label]) => html`<li><a href="${path}">${label}</a></li>`)}
    </ul>
  </section>`;
}
