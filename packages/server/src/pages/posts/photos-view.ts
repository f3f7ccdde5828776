import type { Photo } from "../../features/photos/index.ts";
import { html, webAddress, type Html } from "../kit/html.ts";
import { pageTexts } from "../languages/texts.ts";
import type { PagesContext } from "../session/visitor.ts";

/** The photos of a post, each a link to its largest size. */
export function photosView(
  { photos }: PagesContext,
  found: readonly Photo[],
): Html | undefined {
  if (found.length === 0) return undefined;
  return html`<div class="photos">
    ${found.map((photo) =>
      photoView(
        photo,
        photos.shownUrlOf(photo),
        photos.shownUrlOf(photo, "scaled_full"),
      ),
    )}
  </div>`;
}

function photoView(
  { text, width, height }: Photo,
  full: string,
  shown: string,
): Html | undefined {
  const href = webAddress(full);
  const src = webAddress(shown);
  if (href === undefined || src === undefined) return undefined;
  const size =
    width > 0 && height > 0
      ? html`width="${width}" height="${height}"`
      : undefined;
  // A link needs a name, and a photo without a description has none.
  const name = text.trim() === "" && html`aria-label="${pageTexts.post.photo}"`;
  return html`<a href="${href}" rel="nofollow noopener noreferrer" ${name}
    ><img src="${src}" alt="${text}" ${size} loading="lazy"
  /></a>`;
}
