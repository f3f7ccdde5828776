import {
  displayName,
  findProfileUrl,
  findProvenSeed,
  guidAtHome,
  usernameOf,
  type Person,
} from "../../features/people/index.ts";
import { DEFAULT_AVATAR_PATH } from "../../lib/images/default-avatar.ts";
import { withEmojis } from "../posts/emoji-view.ts";
import { html, webAddress, type Html } from "../kit/html.ts";

/** A person's page here. */
export function personPath(person: Person): string {
  return person.userId === null
    ? `/people/${encodeURIComponent(person.guid)}`
    : `/u/${usernameOf(person)}`;
}

/** A name of letters that run the other way must not turn what stands around it. */
export function nameView(person: Person): Html {
  const name = withEmojis(displayName(person), person.profile.emojis);
  return html`<bdi>${name}</bdi>`;
}

/** Names can be alike, handles cannot. Nothing where the handle is the name already. */
export function handleView(person: Person): Html | undefined {
  return displayName(person) === person.handle
    ? undefined
    : html`<bdi class="handle">${person.handle}</bdi>`;
}

/** The picture says nothing that the name beside it does not. */
export function avatarView(person: Person, size: 48 | 96): Html {
  const { imageUrl, imageUrlMedium, imageUrlSmall } = person.profile;
  const urls =
    size === 48
      ? [imageUrlSmall, imageUrlMedium, imageUrl]
      : [imageUrlMedium, imageUrl];
  const src = pictureAddress(urls) ?? DEFAULT_AVATAR_PATH;
  return html`<img
    class="avatar"
    src="${src}"
    alt=""
    width="${size}"
    height="${size}"
    loading="lazy"
  />`;
}

/** The first that is a web address, or a path of this server. */
export function pictureAddress(urls: readonly string[]): string | undefined {
  for (const url of urls) {
    if (/^\/(?![/\\])/.test(url)) return url;
    const address = webAddress(url);
    if (address !== undefined) return address;
  }
  return undefined;
}

/** The page of a remote person on the server it lives on. */
export function homePageOf(person: Person): string | undefined {
  const seed = findProvenSeed(person);
  return (
    webAddress(findProfileUrl(person)) ??
    (seed === undefined
      ? undefined
      : webAddress(`${seed}people/${guidAtHome(person)}`))
  );
}
