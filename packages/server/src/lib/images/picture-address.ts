import { isIP } from "node:net";

const MAX_LENGTH = 2048;

/**
 * Normalizes the URL of a remote picture for browsers: http or https, with a
 * host name, and without credentials. An IP address instead of a name may lead
 * to a machine in a private network.
 * @returns undefined for an invalid one
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
