import type { Person } from "../../../features/people/index.ts";
import type { Post } from "../../../features/posts/index.ts";
import type { Timestamp } from "../../../lib/time/clock.ts";
import { DEFAULT_AVATAR_PATH } from "../../../lib/images/default-avatar.ts";

/** Times on the wire have whole seconds: with a fraction, peers refuse the signature. */
export function wireTime(time: Timestamp): string {
  return `${time.slice(0, 19)}Z`;
}

/**
 * The Guid by which pods know a post: the second one, where the post arrived over the other
 * protocol first.
 */
export function wireGuid({ guid, otherGuid }: Post): string {
  return otherGuid ?? guid;
}

/** The host part of a handle, with its port. */
export function hostOf(handle: string): string {
  return handle.slice(handle.lastIndexOf("@") + 1);
}

type ImageUrls = {
  readonly imageUrl: string;
  readonly imageUrlMedium: string;
  readonly imageUrlSmall: string;
};

const MAX_URL_LENGTH = 255;

/**
 * An image's URL as other servers can use it: they take a path for one of their own.
 * @returns undefined for an invalid URL, or one longer than peers accept
 */
export function absoluteImageUrl(
  url: string,
  baseUrl: string,
): string | undefined {
  const absolute = /^\/(?![/\\])/.test(url) ? baseUrl + url : url;
  return /^https?:\/\//i.test(absolute) && absolute.length <= MAX_URL_LENGTH
    ? absolute
    : undefined;
}

/** All three pictures of a local person; peers refuse a person without any, so everyone has one. */
export function avatarUrls({ profile }: Person, baseUrl: string): ImageUrls {
  const large = absoluteImageUrl(profile.imageUrl, baseUrl);
  const medium = absoluteImageUrl(profile.imageUrlMedium, baseUrl);
  const small = absoluteImageUrl(profile.imageUrlSmall, baseUrl);
  const fallback = baseUrl + DEFAULT_AVATAR_PATH;
  return {
    imageUrl: large ?? fallback,
    imageUrlMedium: medium ?? large ?? fallback,
    imageUrlSmall: small ?? medium ?? large ?? fallback,
  };
}
