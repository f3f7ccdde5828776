import { domainToASCII } from "node:url";

/** A parsed handle: `name@host[:port]`. */
export type Handle = { readonly name: string; readonly host: string };

const NAME = /^[\p{Ll}\p{N}\-._]+$/u;
const HOST = /^(?:[a-z0-9\-.]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?$/;

/**
 * Parses a handle as people type it: surrounding blanks, a leading `@` (or the
 * `!` of Lemmy's groups) or `acct:` and letter case are ignored, and an
 * international host is converted to ASCII.
 * @returns undefined for an invalid handle
 */
export function parseHandle(text: string): Handle | undefined {
  const bare = text
    .trim()
    .replace(/^acct:/i, "")
    .replace(/^[@!]/, "")
    .toLowerCase();
  if (bare.length > 255) return undefined;
  const at = bare.lastIndexOf("@");
  if (at < 1) return undefined;
  const name = bare.slice(0, at);
  const host = asciiHost(bare.slice(at + 1));
  if (host === undefined || !NAME.test(name)) return undefined;
  return { name, host };
}

function asciiHost(text: string): string | undefined {
  if (text.startsWith("[")) return HOST.test(text) ? text : undefined;
  const colon = text.indexOf(":");
  const name = colon < 0 ? text : text.slice(0, colon);
  const port = colon < 0 ? "" : text.slice(colon);
  const ascii = domainToASCII(name).replace(/\.$/, "");
  const host = ascii + port;
  return ascii !== "" && HOST.test(host) ? host : undefined;
}

/** The canonical spelling, in which people are stored. */
export function formatHandle(handle: Handle): string {
  return `${handle.name}@${handle.host}`;
}
