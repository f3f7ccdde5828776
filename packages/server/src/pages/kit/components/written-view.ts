import { renderMarkdown } from "../../../lib/markdown/markdown.ts";
import { cleanedHtml, html, type HtmlValue } from "../html.ts";

/** A text of the admins, in Markdown: it mentions nobody. */
export function writtenView(text: string): HtmlValue {
  if (text === "") return undefined;
  const rendered = renderMarkdown(text, {
    mention: () => undefined,
    tagHref: (tag) => `/tags/${encodeURIComponent(tag)}`,
  });
  return html`<div class="text" dir="auto">${cleanedHtml(rendered)}</div>`;
}
