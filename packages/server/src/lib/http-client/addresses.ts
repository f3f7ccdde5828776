import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

type Parsed = ReturnType<typeof ipaddr.parse>;

// The only block of IPv6 that is assigned for use on the internet. Requiring it
// covers every range that a list of special ranges could forget.
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR("2000::/3");

// The one dotted IPv6 spelling that resolvers use. ipaddr.js misreads others:
// it takes the obsolete `::8.8.8.8` for a mapped address.
const MAPPED = /^::ffff:[0-9.]+$/i;

const PRIVATE_RANGES = new Set(["loopback", "private", "uniqueLocal"]);

/**
 * Parses canonical spellings only: `127.1` or `0x7f000001` are resolved by the
 * URL parser, and resolvers never return them. A mapped IPv4 address stands for
 * the IPv4 address in it.
 */
function parseAddress(address: string): Parsed | undefined {
  const version = isIP(address);
  if (version === 0 || address.includes("%")) return undefined;
  if (version === 6 && address.includes(".") && !MAPPED.test(address)) {
    return undefined;
  }
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress()) {
    return parsed.toIPv4Address();
  }
  return parsed;
}

/**
 * Is the address in a special-use range (or invalid), so that no stranger may
 * make this server connect to it? Covers loopback, private, shared, link-local,
 * documentation, benchmarking, multicast, reserved and translation ranges of
 * IPv4 and IPv6; an IPv4-mapped address is judged by the IPv4 address in it.
 */
export function isForbiddenAddress(address: string): boolean {
  const parsed = parseAddress(address);
  if (parsed === undefined) return true;
  if (parsed.range() !== "unicast") return true;
  return parsed instanceof ipaddr.IPv6 && !parsed.match(GLOBAL_UNICAST_V6);
}

/**
 * Is the address loopback or private (RFC 1918, unique local)? An operator may
 * allow these. Link-local addresses stay forbidden, because cloud machines
 * serve credentials there.
 */
export function isPrivateAddress(address: string): boolean {
  const parsed = parseAddress(address);
  return parsed !== undefined && PRIVATE_RANGES.has(parsed.range());
}

/** Is it an address of this machine, on a connection that never leaves it? */
export function isLoopbackAddress(address: string): boolean {
  return parseAddress(address)?.range() === "loopback";
}

/** `192.0.2.1:443` and `[2001:db8::1]:443`, as some proxies write addresses. */
const WITH_PORT = /^(?:\[([^\]]+)\]|([0-9.]+))(?::[0-9]{1,5})?$/;
/** Subscribers choose the other half of an IPv6 address freely. */
const SUBSCRIBER_GROUPS = 4;

/**
 * The network of one subscriber: an IPv4 address, also one mapped into IPv6, or
 * the /64 of an IPv6 address. A port and a zone are ignored.
 * @returns undefined for an invalid address
 */
export function networkOf(text: string): string | undefined {
  if (isIP(text) === 4) return text;
  const [, bracketed, plain] = WITH_PORT.exec(text) ?? [];
  const [address = ""] = (bracketed ?? plain ?? text).split("%");
  const parsed = parseAddress(address);
  if (parsed === undefined) return undefined;
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const groups = parsed.parts.slice(0, SUBSCRIBER_GROUPS);
  return `${groups.map((group) => group.toString(16)).join(":")}::/64`;
}

/** The widest ranges that somebody may mean: more would be a large part of the internet. */
const LEAST_PREFIX = { ipv4: 8, ipv6: 16 };
const SUBSCRIBER_PREFIX = 64;

/**
 * Reads an address, or a range in CIDR notation (RFC 4632, RFC 4291), with its other bits
 * cleared. A range of IPv6 is at least the /64 of a subscriber.
 * @returns undefined for anything else, and for a range wider than /8 or /16 (IPv6)
 */
export function readNetworkRange(typed: string): string | undefined {
  const [, address = "", length] =
    /^([^/]*)(?:\/(\d{1,3}))?$/.exec(typed.trim()) ?? [];
  const parsed = parseAddress(address);
  if (!parsed) return undefined;
  // The length of a mapped address would count bits of IPv6.
  if (length !== undefined && parsed.kind() !== familyOf(address))
    return undefined;
  const most = parsed instanceof ipaddr.IPv6 ? SUBSCRIBER_PREFIX : 32;
  const all = parsed instanceof ipaddr.IPv6 ? 128 : 32;
  const prefix = Number(length ?? all);
  if (prefix > all || prefix < LEAST_PREFIX[parsed.kind()]) return undefined;
  return rangeOf(parsed, Math.min(prefix, most));
}

/**
 * The ranges of these lengths around a network.
 * @param network as `networkOf` writes it; any other text is in no range
 */
export function rangesAround(
  network: string,
  lengths: Iterable<number>,
): string[] {
  const [address = ""] = network.split("/");
  const parsed = parseAddress(address);
  if (!parsed) return [];
  const most = parsed instanceof ipaddr.IPv6 ? SUBSCRIBER_PREFIX : 32;
  return [...lengths]
    .filter((length) => length <= most && length >= LEAST_PREFIX[parsed.kind()])
    .map((length) => rangeOf(parsed, length));
}

/** Every length of a range that `readNetworkRange` gives. */
export const RANGE_LENGTHS: readonly number[] = Array.from(
  { length: SUBSCRIBER_PREFIX - LEAST_PREFIX.ipv4 + 1 },
  (_, index) => LEAST_PREFIX.ipv4 + index,
);

const familyOf = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4");

function rangeOf(parsed: Parsed, length: number): string {
  const family = parsed instanceof ipaddr.IPv6 ? ipaddr.IPv6 : ipaddr.IPv4;
  const cidr = `${parsed.toString()}/${length}`;
  return `${family.networkAddressFromCIDR(cidr).toString()}/${length}`;
}
