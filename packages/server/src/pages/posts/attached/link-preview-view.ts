import type { LinkPreview } from "../../../features/link-previews/index.ts";
import { html, webAddress, type Html } from "../../kit/html.ts";
import { pageTexts } from "../../languages/texts.ts";

/** The card of the page that a post links. */
export function linkPreviewView({
  url,
  title,
  description,
  siteName,
  authorName,
  imageUrl,
}: LinkPreview): Html | undefined {
  const href = webAddress(url);
  if (href === undefined) return undefined;
  const src = imageUrl === null ? undefined : webAddress(imageUrl);
  // The host is shown whatever the page calls itself: its name may be another's.
  const { host } = new URL(href);
  const from = [...new Set([siteName, host, authorName])].filter(
    (name) => name !== null,
  );
  return html`<aside class="preview" aria-label="${pageTexts.post.linkPreview}">
    ${src !== undefined && html`<img src="${src}" alt="" loading="lazy" />`}
    <div>
      <p class="name">
        <a href="${href}" rel="nofollow noopener noreferrer" dir="auto"
          >${title}</a
        >
      </p>
      ${description !== null && html`<p dir="auto">${description}</p>`}
      <p class="quiet">
        ${from.map((name) => html`<span dir="auto">${name}</span>`)}
      </p>
    </div>
  </aside>`;
}
