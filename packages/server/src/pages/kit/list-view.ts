import { html, type Html, type HtmlValue } from "./html.ts";
import type { Part } from "./page-input.ts";

/** Links to the previous and the next page of a list. */
export function paginationView(
  { previous, next }: Part<unknown>,
  words: { readonly previous: string; readonly next: string },
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
