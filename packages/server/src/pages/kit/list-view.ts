import { html, type Html, type HtmlValue } from "./html.ts";
import type { Part } from "./page-input.ts";
import { pageTexts as texts } from "../languages/texts.ts";

/** Links to the previous and the next page of a list. */
export function paginationView(
  { previous, next }: Part<unknown>,
  words: { readonly previous: string; readonly next: string } = {
    previous: texts.list.newer,
    next: texts.list.older,
  },
): HtmlValue {
  if (previous === undefined && next === undefined) return undefined;
  return html`<p class="neighbours">
    ${link(previous, "prev", words.previous)} ${link(next, "next", words.next)}
  </p>`;
}

function link(
  href: string | undefined,
  rel: string,
  words: string,
): Html | undefined {
  return href === undefined
    ? undefined
    : html`<a href="${href}" rel="${rel}">${words}</a>`;
}

/** A table; on a narrow screen each row becomes a card. */
export function tableView(
  headings: readonly string[],
  rows: readonly (readonly HtmlValue[])[],
): Html {
  return html`<div
    class="wide-table"
    tabindex="0"
    role="region"
    aria-label="${texts.list.table}"
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
              ${cells.map(
                (cell, at) =>
                  html`<td data-label="${headings[at]}">${cell}</td>`,
              )}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
