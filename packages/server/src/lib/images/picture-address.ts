import { isIP } from "node:net";

const MAX_LENGTH = 2048;

/**
 * The address of a picture elsewhere as browsers get it: http or https, by the name of
 * a host, and without credentials. An address of the network in place of a name leads to
 * machines that are nobody's to show.
 * @returns undefined where it is none
 */
export function readPictureAddress(
  text: string | undefined,
  maxLength = MAX_LENGTH,
): string | undefined {
  if (text === undefined || text.length > maxLength) return undefined;
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  if (url.username !== "" || url.password !== "") return undefined;
  if (isIP(url.hostname.replace(/^\[|\]$/g, "")) !== 0) return undefined;
  return url.href.length > maxLength ? undefined : url.href;
}
