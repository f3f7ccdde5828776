import { promises as dns } from "node:dns";
import { createLruCache } from "../caching/lru-cache.ts";
import { isForbiddenAddress, isPrivateAddress } from "./addresses.ts";
import { FetchRefused } from "./fetch-refused.ts";

/** One address of a host, in the format of a `net` lookup. */
export type ResolvedAddress = { address: string; family: 4 | 6 };

/** Resolves all addresses of a host; throws if there is none. */
export type Resolve = (host: string) => Promise<ResolvedAddress[]>;

/** The callback of `net.connect`'s `lookup` when it asks for all addresses. */
type LookupCallback = (
  error: Error | null,
  addresses: ResolvedAddress[],
) => void;

const KEEP_MS = 60_000;
const KEEP_FAILURE_MS = 5_000;
const MAX_ENTRIES = 4096;
const MAX_ADDRESSES = 16;

/**
 * Keeps the answers of a resolver for a minute, and its failures for 5 s; callers at
 * the same time share one question. Strangers choose the hosts, so both are bounded,
 * and apart: names that do not exist push out no host that does.
 * @param now monotonic milliseconds
 */
export function cacheResolver(
  resolve: Resolve,
  now: () => number = () => performance.now(),
): Resolve {
  const cacheFor = (keepMs: number) =>
    createLruCache<string, Promise<ResolvedAddress[]>>({
      ...{ max: MAX_ENTRIES, keepMs, clock: { now } },
    });
  const answers = cacheFor(KEEP_MS);
  const failures = cacheFor(KEEP_FAILURE_MS);
  const asking = new Map<string, Promise<ResolvedAddress[]>>();
  return (host) => {
    const known = answers.get(host) ?? failures.get(host) ?? asking.get(host);
    if (known) return known;
    const asked = resolve(host);
    asking.set(host, asked);
    const keepIn = (cache: typeof answers) => () => {
      asking.delete(host);
      cache.set(host, asked);
    };
    asked.then(keepIn(answers), keepIn(failures));
    return asked;
  };
}

/**
 * A `lookup` for `net.connect` that returns an address only after checking all
 * addresses of the host. The socket connects to exactly that address, so a
 * second answer of the resolver (DNS rebinding) is never used.
 * @param publicOnly false allows loopback and private addresses too
 * @param privateOnly allows only those: plain http stays in the private network
 */
export function createCheckedLookup(options: {
  resolve: Resolve;
  publicOnly: boolean;
  privateOnly?: boolean;
}) {
  const admits = (address: string) => {
    if (isPrivateAddress(address)) return !options.publicOnly;
    return options.privateOnly !== true && !isForbiddenAddress(address);
  };
  return (host: string, _options: unknown, callback: LookupCallback): void => {
    resolveChecked(options.resolve, host, admits).then(
      (addresses) => {
        callback(null, addresses);
      },
      (error: unknown) => {
        callback(dnsRefusal(host, error), []);
      },
    );
  };
}

async function resolveChecked(
  resolve: Resolve,
  host: string,
  admits: (address: string) => boolean,
): Promise<ResolvedAddress[]> {
  const addresses = await resolve(host);
  if (addresses.length === 0)
    throw new FetchRefused("dns", `${host}: no address`);
  // One forbidden address rejects them all: an honest host has no reason to
  // list one.
  if (!addresses.every(({ address }) => admits(address))) {
    throw new FetchRefused("address", `${host}: address not allowed`);
  }
  return addresses.slice(0, MAX_ADDRESSES);
}

function dnsRefusal(host: string, error: unknown): FetchRefused {
  if (error instanceof FetchRefused) return error;
  const code =
    error instanceof Error && "code" in error ? String(error.code) : "failed";
  return new FetchRefused("dns", `${host}: cannot be resolved (${code})`);
}

/**
 * The system's own resolver, hosts file included: for a private network, whose
 * names are often not in the DNS.
 */
export async function resolveBySystem(
  host: string,
): Promise<ResolvedAddress[]> {
  if (host === "localhost" || host.endsWith(".localhost")) {
    return [
      { address: "127.0.0.1", family: 4 },
      { address: "::1", family: 6 },
    ];
  }
  const found = await dns.lookup(host, { all: true, order: "ipv4first" });
  return found.map(({ address, family }) => ({
    address,
    family: family === 6 ? 6 : 4,
  }));
}

/**
 * Queries the name servers without a thread. The system's resolver blocks one
 * of libuv's few threads for each query, and strangers choose the names and
 * their slow name servers.
 */
export function createNameServerResolver(): Resolve {
  const resolver = new dns.Resolver({ timeout: 2_000, tries: 2 });
  return async (host) => {
    const [four, six] = await Promise.allSettled([
      resolver.resolve4(host),
      resolver.resolve6(host),
    ]);
    const found: ResolvedAddress[] = [];
    if (four.status === "fulfilled") {
      for (const address of four.value) found.push({ address, family: 4 });
    }
    if (six.status === "fulfilled") {
      for (const address of six.value) found.push({ address, family: 6 });
    }
    if (found.length > 0) return found;
    // No name server is reachable: the machine may resolve in another way.
    if (isUnreachable(four)) return resolveBySystem(host);
    throw four.status === "rejected" ? four.reason : new Error("no address");
  };
}

function isUnreachable(result: PromiseSettledResult<string[]>): boolean {
  if (result.status === "fulfilled") return false;
  const reason: unknown = result.reason;
  return (
    reason instanceof Error &&
    "code" in reason &&
    reason.code === "ECONNREFUSED"
  );
}
