import { createHash } from "node:crypto";
import { readNetworkRange } from "../../lib/http-client/addresses.ts";
import { readMailAddress } from "../../lib/mail/mail-address.ts";
import type { Timestamp } from "../../lib/time/clock.ts";

/** The kinds of bans, by the thing that is banned. */
export const BAN_KINDS = ["mail_domain", "mail_address", "network"] as const;
export type BanKind = (typeof BAN_KINDS)[number];

/** From the mildest to the strictest. */
export const BAN_SEVERITIES = ["approval", "no_sign_ups", "no_access"] as const;
export type BanSeverity = (typeof BAN_SEVERITIES)[number];

/** Keeps a mail domain, a mail address or a network from signing up. */
export type Ban = {
  readonly id: number;
  readonly kind: BanKind;
  /** A domain, the hash of an address, or a range of addresses. */
  readonly value: string;
  readonly severity: BanSeverity;
  /** Why, for admins. */
  readonly comment: string;
  readonly createdAt: Timestamp;
  /** null: it has no end. */
  readonly expiresAt: Timestamp | null;
};

/** Counted in code points. */
export const MAX_BAN_COMMENT = 500;

/** Hosts whose mail servers ignore dots in the local part. */
const WITHOUT_DOTS: ReadonlySet<string> = new Set([
  "gmail.com",
  "googlemail.com",
]);

/**
 * The hash of a mail address, equal for the spellings by which one box is reached: in any
 * case, with any `+` part, and at Gmail with any dots. It is the SHA-256 in hexadecimal that
 * Mastodon's servers exchange.
 * @param address as `readMailAddress` gives it
 */
export function hashMailAddress(address: string): string {
  const at = address.lastIndexOf("@");
  const domain = domainOf(address);
  const [box = ""] = address.slice(0, at).toLowerCase().split("+");
  const local = WITHOUT_DOTS.has(domain) ? box.replaceAll(".", "") : box;
  return createHash("sha256").update(`${local}@${domain}`).digest("hex");
}

/** The domain of a mail address, in lower case. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1).toLowerCase();
}

/**
 * The canonical spelling of what is banned, as people type it. A mail address may also be
 * given as its hash.
 * @returns undefined for a text that names none of this kind
 */
export function readBanned(kind: BanKind, typed: string): string | undefined {
  const text = typed.trim();
  switch (kind) {
    case "network":
      return readNetworkRange(text);
    case "mail_domain": {
      const domain = text.replace(/^@/, "");
      // The rules of addresses hold for their domains.
      const address = readMailAddress(`a@${domain}`);
      return address && !domain.includes("@") ? domainOf(address) : undefined;
    }
    case "mail_address": {
      if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase();
      const address = readMailAddress(text);
      return address && hashMailAddress(address);
    }
  }
}
