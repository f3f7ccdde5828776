import type { CustomEmoji } from "../../features/custom-emojis.ts";
import type { Comment } from "../../features/comments/index.ts";
import { usernameOf, type Person } from "../../features/people/index.ts";
import type { Post } from "../../features/posts/index.ts";
import {
  DEFAULT_AVATAR_PATH,
  DEFAULT_HEADER_PATH,
} from "../../lib/images/default-avatar.ts";
import type { Entity } from "../kit/wire.ts";

/** The addresses of this server that entities have. */
export type SiteAddresses = {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Where readers load a picture of another server. @param url absolute */
  readonly proxyUrlOf: (url: string) => string;
  /** The ids of things for other servers; null for what has none. */
  readonly uris: {
    readonly ofPerson: (person: Person) => string | null;
    readonly ofPost: (post: Post, author: Person) => string | null;
    readonly ofComment: (comment: Comment, author: Person) => string | null;
  };
};

/** A person's page: of this server, or of its own. */
export function personUrl({ baseUrl }: SiteAddresses, person: Person): string {
  if (person.userId !== null) return `${baseUrl}/u/${usernameOf(person)}`;
  const { profileUrl, actorUri } = person.addresses;
  const own = [profileUrl, actorUri].find((url) => isWebUrl(url ?? ""));
  return own ?? `${baseUrl}/people/${encodeURIComponent(person.guid)}`;
}

/** People of this server go by their name alone. */
export const acctOf = (person: Person): string =>
  person.userId === null ? person.handle : usernameOf(person);

export const tagUrl = ({ baseUrl }: SiteAddresses, tag: string): string =>
  `${baseUrl}/tags/${encodeURIComponent(tag)}`;

export const avatarUrl = (site: SiteAddresses, { profile }: Person): string =>
  pictureUrl(site, profile.imageUrl, DEFAULT_AVATAR_PATH);

export const headerUrl = (site: SiteAddresses, { profile }: Person): string =>
  pictureUrl(site, profile.headerUrl, DEFAULT_HEADER_PATH);

/** The absolute address of a picture, or of the one that stands in for it. */
function pictureUrl(
  site: SiteAddresses,
  url: string,
  otherwise: string,
): string {
  if (/^\/(?![/\\])/.test(url)) return site.baseUrl + url;
  return isWebUrl(url) ? site.proxyUrlOf(url) : site.baseUrl + otherwise;
}

export const isWebUrl = (url: string): boolean =>
  /^https?:\/\//.test(url) && URL.canParse(url);

export function presentEmojis(
  site: SiteAddresses,
  emojis: readonly CustomEmoji[],
  author: Person | undefined,
): Entity[] {
  if (!author?.isPictured) return [];
  return emojis
    .filter(({ url }) => isWebUrl(url))
    .map(({ shortcode, url }) => {
      const shown = site.proxyUrlOf(url);
      return {
        shortcode,
        url: shown,
        static_url: shown,
        visible_in_picker: false,
        category: null,
      };
    });
}
