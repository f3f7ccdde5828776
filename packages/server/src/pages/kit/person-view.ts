import {
  displayName,
  usernameOf,
  type Person,
} from "../../features/people/index.ts";
import { DEFAULT_AVATAR_PATH } from "../../lib/images/default-avatar.ts";
import { withEmojis } from "./emoji-view.ts";
import { html, webAddress, type Html, type HtmlValue } from "./html.ts";

/** The local page of a person. */
export function personPath(person: Person): string {
  return person.userId === null
    ? `/people/${encodeURIComponent(person.guid)}`
    : `/u/${usernameOf(person)}`;
}

/** A right-to-left name must not reverse the text around it. */
export function nameView(person: Person): Html {
  const name = withEmojis(displayName(person), person.profile.emojis);
  return html`<bdi>${name}</bdi>`;
}

/** Names can be equal, handles cannot. Nothing if the name is the handle. */
export function handleView(person: Person): Html | undefined {
  return displayName(person) === person.handle
    ? undefined
    : html`<bdi class="handle">${person.handle}</bdi>`;
}

/** A person in a list, with its page. */
export function personItem(
  person: Person,
  { beside, below }: { beside?: HtmlValue; below?: HtmlValue } = {},
): Html {
  return html`<li>
    ${avatarView(person, 48)}
    <p>
      <a href="${personPath(person)}">${nameView(person)}</a>
      <span class="quiet">${handleView(person)}</span>
      ${beside}
    </p>
    ${below}
  </li>`;
}

/** Decorative: the name is beside the picture. */
export function avatarView(
  person: Person,
  size: 48 | 96,
  className = "avatar",
): Html {
  const { imageUrl, imageUrlMedium, imageUrlSmall } = person.profile;
  const urls =
    size === 48
      ? [imageUrlSmall, imageUrlMedium, imageUrl]
      : [imageUrlMedium, imageUrl];
  const src = pictureAddress(urls) ?? DEFAULT_AVATAR_PATH;
  return html`<img
    class="${className}"
    src="${src}"
    alt=""
    width="${size}"
    height="${size}"
    loading="lazy"
  />`;
}

/** The first that is a web URL, or a path of this server. */
export function pictureAddress(urls: readonly string[]): string | undefined {
  for (const url of urls) {
    if (/^\/(?![/\\])/.test(url)) return url;
    const address = webAddress(url);
    if (address !== undefined) return address;
  }
  return undefined;
}
