import {
  kindOfPhoto,
  type Focus,
  type Photo,
} from "../../../features/photos/index.ts";
import { html, webAddress, type Html } from "../../kit/html.ts";
import { averageColor } from "../../../lib/images/average-color.ts";
import { detailTexts, pageTexts } from "../../languages/texts.ts";
import type { PagesContext } from "../../session/visitor.ts";

/**
 * The photos of a post: pictures link to their largest size, recordings can be played.
 * @param isOwn the reader may describe them
 */
export function photosView(
  { photos }: PagesContext,
  found: readonly Photo[],
  isOwn = false,
): Html | undefined {
  if (found.length === 0) return undefined;
  const undescribed = isOwn && found.find(({ text }) => text.trim() === "");
  return html`<div class="${classesOf(found.length)}">
      ${found.map((photo) =>
        kindOfPhoto(photo) === "picture"
          ? photoView(
              photo,
              photos.shownUrlOf(photo),
              photos.shownUrlOf(photo, "scaled_full"),
            )
          : recordingView(photo, photos.shownUrlOf(photo)),
      )}
    </div>
    ${undescribed && describeView(undescribed)}`;
}

/** They tell how many there are: a rule that counts elements moves them while they arrive. */
function classesOf(count: number): string {
  if (count < 2) return "photos";
  return count === 3 ? "photos several three" : "photos several";
}

/** Reminds its author, gently. */
function describeView({ guid }: Photo): Html {
  return html`<p class="quiet small">
    ${detailTexts.undescribed}
    <a href="/photos/${encodeURIComponent(guid)}">${detailTexts.describeIt}</a>
  </p>`;
}

/** Nothing of it is loaded before it is played. */
export function recordingView(photo: Photo, address: string): Html | undefined {
  const src = webAddress(address);
  if (src === undefined) return undefined;
  const { text, width, height } = photo;
  const isVideo = kindOfPhoto(photo) === "video";
  const { video, sound, open } = pageTexts.post;
  const name = text.trim() === "" ? (isVideo ? video : sound) : text;
  const link = html`<a href="${src}">${open(name)}</a>`;
  if (!isVideo)
    return html`<audio
      controls
      preload="none"
      src="${src}"
      aria-label="${name}"
      title="${name}"
    >
      ${link}
    </audio>`;
  const sides =
    width > 0 && height > 0 && html`width="${width}" height="${height}"`;
  return html`<video
    controls
    playsinline
    preload="none"
    src="${src}"
    aria-label="${name}"
    title="${name}"
    ${sides}
  >
    ${link}
  </video>`;
}

/** The address of a picture for a list: recordings have a sign instead. */
export function stillOf({ photos }: PagesContext, photo: Photo): string {
  const isPicture = kindOfPhoto(photo) === "picture";
  return photos.shownUrlOf(photo, isPicture ? "scaled_full" : "thumb_large");
}

function photoView(
  { text, width, height, focus, blurhash }: Photo,
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
  const isDescribed = text.trim() !== "";
  const name = !isDescribed && html`aria-label="${pageTexts.post.photo}"`;
  const color = averageColor(blurhash);
  return html`<figure>
    <a href="${href}" rel="nofollow noopener noreferrer" ${name}
      ><img
        src="${src}"
        alt="${text}"
        ${size}
        ${color !== undefined && html`data-color="${color}"`}
        ${focus && html`class="${focusClass(focus)}"`}
        loading="lazy"
    /></a>
    ${isDescribed && descriptionView(text)}
  </figure>`;
}

/** Everybody can read what a picture shows, not screen readers alone. */
function descriptionView(text: string): Html {
  return html`<details class="alt">
    <summary>ALT<span class="unseen">: ${detailTexts.alt}</span></summary>
    <p dir="auto">${text}</p>
  </details>`;
}

/** Pages have no style attributes: a class for each quarter of the width and of the height. */
function focusClass([x, y]: Focus): string {
  const quarterOf = (part: number) => Math.round((part + 1) * 2);
  return `focus-x${quarterOf(x)} focus-y${quarterOf(-y)}`;
}
