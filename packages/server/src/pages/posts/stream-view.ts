import { html, type Html } from "../kit/html.ts";
import { paginationView } from "../kit/list-view.ts";
import type { Part } from "../kit/page-input.ts";
import { pageTexts } from "../languages/texts.ts";

const texts = pageTexts.write;

/** @param form for a new post */
export function streamView(form: Html, stream: Part<Html>): Html {
  return html`<h1 class="unseen">${texts.title}</h1>
    ${form}
    ${
      stream.items.length === 0
        ? html`<p class="quiet">${texts.empty}</p>`
        : stream.items
    }
    ${paginationView(stream, {
      previous: pageTexts.newerPosts,
      next: pageTexts.olderPosts,
    })}`;
}
