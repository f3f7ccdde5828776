import { isIP } from "node:net";
import type { FixedHost } from "../lib/http-client/fetch-hosts.ts";
import { readMailAddress } from "../lib/mail/mail-address.ts";
import { readS3Url, type S3Place } from "../lib/object-store/s3-place.ts";
import { readSmtpUrl, type SmtpServer } from "../lib/mail/smtp-url.ts";
import type { Parsed } from "./reader.ts";

export const WHO_INVITES = ["admins", "users", "off"] as const;

export const REGISTRATIONS = ["open", "approval", "closed"] as const;

export const LOG_FORMATS = ["json", "human"] as const;

/** The levels of pino. */
export const LOG_LEVELS = [
  "trace",
  "debug",
  "info",
  "warn",
  "error",
  "fatal",
  "silent",
] as const;

const ADDRESS_WORDS: Record<string, string[]> = {
  localhost: ["127.0.0.1", "::1"],
  all: ["0.0.0.0", "::"],
};
const PROXY_WORDS = new Set(["loopback", "linklocal", "uniquelocal"]);
const SWITCH: Record<string, boolean> = {
  ...{ true: true, yes: true, on: true, "1": true },
  ...{ false: false, no: false, off: false, "0": false },
};

export function parsePort(text: string): Parsed<number> {
  const value = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= 65_535) return { value };
  return { fault: `must be a number from 1 to 65535, not "${text}"` };
}

export function parseRemoteMediaMb(text: string): Parsed<number> {
  const value = /^[0-9]{1,7}$/.test(text) ? Number(text) : 0;
  if (value >= 64 && value <= 1_000_000) return { value };
  return { fault: `must be a number from 64 to 1000000, not "${text}"` };
}

/** A month at least: by then, no server sends a message once more. @returns null for never */
export function parseDays(text: string): Parsed<number | null> {
  const switched = parseSwitch(text);
  if ("value" in switched && !switched.value) return { value: null };
  const value = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
  if (value >= 31 && value <= 36_500) return { value };
  return { fault: `must be off, or a number from 31 to 36500, not "${text}"` };
}

export function parseRecordingMb(text: string): Parsed<number> {
  const value = /^[0-9]{1,3}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= 100) return { value };
  return { fault: `must be a number from 1 to 100, not "${text}"` };
}

export function parseImportMb(text: string): Parsed<number> {
  const value = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= 20_000) return { value };
  return { fault: `must be a number from 1 to 20000, not "${text}"` };
}

export function parseSignUps(text: string): Parsed<number> {
  const value = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= 10_000) return { value };
  return { fault: `must be a number from 1 to 10000, not "${text}"` };
}

export function parseThousand(text: string): Parsed<number> {
  const value = /^[0-9]{1,4}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= 1000) return { value };
  return { fault: `must be a number from 1 to 1000, not "${text}"` };
}

export function parseProcesses(text: string): Parsed<number> {
  const value = /^[0-9]{1,2}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= 64) return { value };
  return { fault: `must be a number from 1 to 64, not "${text}"` };
}

const MIN_PASSPHRASE = 12;

/** A fault never repeats the value. */
export function parsePassphrase(text: string): Parsed<string> {
  if (text.length >= MIN_PASSPHRASE) return { value: text };
  return { fault: `must have ${MIN_PASSPHRASE} characters or more` };
}

/** @returns null for no limits */
export function parseRateLimits(text: string): Parsed<number | null> {
  const switched = parseSwitch(text);
  // 1 is a factor here: the default limits, which means the same.
  if ("value" in switched && text !== "0")
    return { value: switched.value ? 1 : null };
  const value = /^[0-9]{1,4}(?:\.[0-9]{1,3})?$/.test(text) ? Number(text) : 0;
  if (value >= 0.01 && value <= 1000) return { value };
  return { fault: `must be off, or a number from 0.01 to 1000, not "${text}"` };
}

export function parseAddress(text: string): Parsed<string> {
  const value = text.replace(/^\[(.*)\]$/, "$1");
  if (isIP(value) !== 0) return { value };
  return { fault: `must be an IP address, not "${text}"` };
}

export function parseAddresses(text: string): Parsed<string[]> {
  const addresses = new Set<string>();
  for (const entry of entries(text)) {
    const word = Object.hasOwn(ADDRESS_WORDS, entry)
      ? ADDRESS_WORDS[entry]
      : undefined;
    const address = entry.replace(/^\[(.*)\]$/, "$1");
    if (!word && isIP(address) === 0) {
      return {
        fault: `must list IP addresses, or be localhost or all; "${entry}" is neither`,
      };
    }
    for (const one of word ?? [address]) addresses.add(one);
  }
  if (addresses.size === 0) return { fault: "names no address" };
  return { value: [...addresses] };
}

export function parseApiVersion(text: string): Parsed<string> {
  if (!/^v(?:0|[1-9][0-9]{0,3})$/.test(text)) {
    return { fault: `must be "v" and a number, such as v0, not "${text}"` };
  }
  if (text === "v1" || text === "v2") {
    return {
      fault: `must not be ${text}: those paths belong to the client API of other servers`,
    };
  }
  return { value: text };
}

/** A fault never repeats the value: it may contain a password. */
export function parsePostgresUrl(text: string): Parsed<string> {
  const url = URL.parse(text);
  if (url && ["postgres:", "postgresql:"].includes(url.protocol)) {
    return { value: text };
  }
  return {
    fault:
      "must be an address such as postgres://user:password@host/database, or empty for SQLite in the data directory",
  };
}

/** A fault never repeats the value, which may hold a password. */
export function parseSmtpUrl(text: string): Parsed<SmtpServer> {
  const value = readSmtpUrl(text);
  return value
    ? { value }
    : {
        fault:
          "must be an address such as smtp://user:password@host:587 or smtps://user:password@host, without a path",
      };
}

/** An address with a key is a secret, which a folder is not. */
export function parseBackupDir(text: string): Parsed<string> {
  return /^s3(?:\+http)?:/i.test(text)
    ? {
        fault:
          "is a folder; give the address of a bucket, with its key, as KITH_BACKUP_URL",
      }
    : { value: text };
}

/** A fault never repeats the value, which holds a key. */
export function parseBucketUrl(text: string): Parsed<S3Place> {
  const value = readS3Url(text);
  return value
    ? { value }
    : {
        fault:
          "must be an address such as s3://KEY_ID:SECRET@s3.example/bucket?region=eu-central-1, or empty",
      };
}

export function parseMailAddress(text: string): Parsed<string> {
  const value = readMailAddress(text);
  return value === undefined
    ? { fault: `must be an e-mail address alone, not "${text}"` }
    : { value };
}

export function parseProtocols(
  text: string,
): Parsed<{ activitypub: boolean; diaspora: boolean }> {
  const named = new Set(entries(text.toLowerCase()));
  for (const name of named) {
    if (name !== "activitypub" && name !== "diaspora") {
      return {
        fault: `knows the protocols activitypub and diaspora, not "${name}"`,
      };
    }
  }
  if (named.size === 0) {
    return { fault: "must name at least one of activitypub and diaspora" };
  }
  return {
    value: {
      activitypub: named.has("activitypub"),
      diaspora: named.has("diaspora"),
    },
  };
}

export function parseSwitch(text: string): Parsed<boolean> {
  const key = text.toLowerCase();
  const value = Object.hasOwn(SWITCH, key) ? SWITCH[key] : undefined;
  if (value !== undefined) return { value };
  return { fault: `must be true or false, not "${text}"` };
}

export function parseProxies(text: string): Parsed<string[]> {
  const proxies = entries(text.toLowerCase());
  for (const proxy of proxies) {
    if (!PROXY_WORDS.has(proxy) && !isAddressOrRange(proxy)) {
      return {
        fault: `must list IP addresses, ranges such as 10.0.0.0/8, or the words loopback, linklocal, uniquelocal; "${proxy}" is none of these`,
      };
    }
  }
  return { value: [...new Set(proxies)] };
}

export function parseHosts(text: string): Parsed<FixedHost[]> {
  const hosts: FixedHost[] = [];
  for (const entry of entries(text.toLowerCase())) {
    const host = parseHost(entry);
    if (!host) {
      return {
        fault: `must list hosts such as kith.example=10.0.0.7:8443 or *.example=[fd00::7]; "${entry}" is none`,
      };
    }
    hosts.push(host);
  }
  return { value: hosts };
}

const HOST_NAME = /^(\*|(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*)$/;

function parseHost(entry: string): FixedHost | undefined {
  const [name = "", place = "", ...more] = entry.split("=");
  const [, bracketed, plain, port = "443"] =
    /^(?:\[([^\]]+)\]|([^:]+))(?::([0-9]+))?$/.exec(place) ?? [];
  const address = bracketed ?? plain ?? "";
  const isName = HOST_NAME.test(name) && isIP(name) === 0;
  if (!isName || more.length > 0) return undefined;
  if (isIP(address) !== (bracketed === undefined ? 4 : 6)) return undefined;
  const known = parsePort(port);
  return "value" in known ? { name, address, port: known.value } : undefined;
}

function isAddressOrRange(text: string): boolean {
  const [address = "", bits, ...more] = text.split("/");
  const version = isIP(address);
  if (version === 0 || address.includes("%") || more.length > 0) return false;
  if (bits === undefined) return true;
  return (
    /^[0-9]{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)
  );
}

function entries(text: string): string[] {
  return text.split(/[\s,]+/).filter((entry) => entry !== "");
}
