import { readPictureAddress } from "../lib/images/picture-address.ts";

/** A picture on the author's server for a `:shortcode:` in a text. */
export type CustomEmoji = { readonly shortcode: string; readonly url: string };

/** Limit for one text or profile; emojis are stored with each. */
const MAX_EMOJIS = 50;
const MAX_URL_LENGTH = 512;
const SHORTCODE = /^[\w+-]{1,64}$/;

/**
 * Returns the emojis that can be stored, each shortcode once.
 * @param given with or without colons around the shortcode
 */
export function readEmojis(
  given: readonly {
    readonly shortcode: string;
    readonly url: string | undefined;
  }[],
): CustomEmoji[] {
  const found = new Map<string, CustomEmoji>();
  for (const one of given) {
    if (found.size === MAX_EMOJIS) break;
    const shortcode = one.shortcode.replace(/^:|:$/g, "");
    const url = readPictureAddress(one.url, MAX_URL_LENGTH);
    if (url === undefined || !SHORTCODE.test(shortcode)) continue;
    if (!found.has(shortcode)) found.set(shortcode, { shortcode, url });
  }
  return [...found.values()];
}
