import { domainToASCII } from "node:url";

/** RFC 5321, section 4.5.3.1. */
export const MAX_MAIL_ADDRESS = 254;
const MAX_LOCAL_PART = 64;

/** Unquoted (RFC 5322, section 3.2.3): quoted ones are in no use and carry spaces and lines. */
const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Reads an address as people type it.
 * @returns undefined for anything else; the domain in lower-case ASCII, the rest unchanged
 */
export function readMailAddress(typed: string): string | undefined {
  const text = typed.trim();
  if (text.length > MAX_MAIL_ADDRESS) return undefined;
  const at = text.lastIndexOf("@");
  const local = text.slice(0, Math.max(at, 0));
  if (local.length > MAX_LOCAL_PART || !LOCAL_PART.test(local))
    return undefined;
  const domain = domainToASCII(text.slice(at + 1)).toLowerCase();
  const labels = domain.split(".");
  const isName =
    labels.every((label) => LABEL.test(label)) &&
    // An IP address would be written in brackets, and none of them is wanted.
    !/^\d+$/.test(labels.at(-1) ?? "");
  const address = `${local}@${domain}`;
  return isName && address.length <= MAX_MAIL_ADDRESS ? address : undefined;
}

/** Two addresses with the same key are taken for one: hardly a server tells cases apart. */
export function mailAddressKey(address: string): string {
  return address.toLowerCase();
}
