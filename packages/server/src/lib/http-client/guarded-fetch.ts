import { setTimeout } from "node:timers/promises";
import type { Dispatcher } from "undici";
import { createLruCache, type LruCache } from "../caching/lru-cache.ts";
import { createAgents } from "./fetch-agents.ts";
import { readResponseBody } from "./fetch-body.ts";
import { abortReason, withDeadline } from "./fetch-deadline.ts";
import type { ResolvedAddress } from "./fetch-dns.ts";
import {
  receivedHeaders,
  sendableHeaders,
  startHeaders,
  withoutBoundHeaders,
} from "./fetch-headers.ts";
import type { FixedHost } from "./fetch-hosts.ts";
import { sendForHead } from "./fetch-post.ts";
import { FetchRefused, refusalFrom } from "./fetch-refused.ts";
import { checkUrl } from "./fetch-url.ts";

export { FetchRefused };

/** The only way for requests to leave this machine. */
export type GuardedFetch = {
  /**
   * @throws {FetchRefused} if a rule forbids the request, or it failed
   * @throws the reason of `signal`, if the caller aborted it
   */
  request(r: OutgoingRequest): Promise<OutgoingResponse>;
  /** Gives running requests a second to end, then closes every connection. */
  close(): Promise<void>;
};

export type OutgoingRequest = {
  method: "GET" | "POST";
  url: string;
  headers?: Record<string, string>;
  body?: Uint8Array | string;
  /** Of the body, uncompressed. */
  maxBytes: number;
  /**
   * Of everything: resolving, connecting, all redirects, the last byte. 10 s.
   */
  timeoutMs?: number;
  /** 5 s. Use few different values: each has connection pools of its own. */
  connectTimeoutMs?: number;
  /**
   * For GET, 4 at most and by default. The redirect of a POST is never
   * followed: its 3xx is the response.
   */
  maxRedirects?: number;
  /**
   * Called for each hop with the headers to be sent (names in lower case, Host
   * included); returns additional ones. Without it, headers that are bound to
   * their target (Authorization, Signature, Digest) do not follow a redirect.
   */
  sign?: (r: {
    method: string;
    url: string;
    headers: Record<string, string>;
  }) => Promise<Record<string, string>>;
  /**
   * Asked for each hop, redirect targets included, in addition to the rules for
   * every request.
   */
  mayContact?: (url: string) => Promise<boolean>;
  /**
   * Leaves the body of any other status unread: it is empty in the response.
   */
  accept2xxOnly?: boolean;
  /** For a GET: a longer body is cut off at `maxBytes` instead of refused. */
  cut?: boolean;
  /**
   * For a POST: only status and headers matter. The body of the response is
   * discarded, and cut off at `maxBytes`.
   */
  headOnly?: boolean;
  signal?: AbortSignal;
  /**
   * For WebFinger: if https fails, try the same URL with http. Only if the
   * private network is allowed, and only for hosts in it.
   */
  httpFallback?: boolean;
};

type OutgoingResponse = {
  status: number;
  /** Names in lower case, repeated ones joined by a comma, without cookies. */
  headers: Record<string, string>;
  body: Uint8Array;
  /** After all redirects. */
  url: string;
};

export type GuardedFetchOptions = {
  /**
   * Allows loopback and private addresses, also as literals, names without a
   * dot, `localhost`, every port, and http to such hosts.
   */
  allowPrivateNetwork: boolean;
  userAgent: string;
  /** Replaces the resolver in tests. Its answers are checked all the same. */
  resolve?: (host: string) => Promise<ResolvedAddress[]>;
  /**
   * Hosts with fixed addresses of any range; over https only, and with a
   * certificate for their name.
   */
  hosts?: readonly FixedHost[];
  /**
   * Checked for every host, including redirect targets, before it is contacted.
   */
  isHostAllowed?: (host: string) => Promise<boolean>;
  /** Default: 16 */
  maxConnectionsPerOrigin?: number;
};

type Deps = GuardedFetchOptions & {
  readonly agents: ReturnType<typeof createAgents>;
  /** Hosts that last answered over plain http. */
  readonly plainHosts: LruCache<string, true>;
};
type Hop = { url: URL; headers: Record<string, string>; signal: AbortSignal };

const DEADLINE_MS = 10_000;
const CONNECT_MS = 5_000;
const GRACE_MS = 1_000;
const MAX_PLAIN_HOSTS = 1_000;
const MAX_REDIRECTS = 4;
const MAX_REDIRECT_BODY = 16_384;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const EMPTY = new Uint8Array();

/**
 * Creates the guarded fetch. Connections are pooled and shared by all requests.
 */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const agents = createAgents(options);
  const plainHosts = createLruCache<string, true>({ max: MAX_PLAIN_HOSTS });
  const deps = { ...options, agents, plainHosts };
  const running = new Set<Promise<unknown>>();
  return {
    request: (r) => {
      const limit = r.timeoutMs ?? DEADLINE_MS;
      const work =
        r.headOnly === true
          ? postForHead(deps, r, limit)
          : withDeadline(limit, r.signal, (signal) => tryBoth(deps, r, signal));
      const ended = () => running.delete(work);
      running.add(work);
      work.then(ended, ended);
      return work;
    },
    async close() {
      const grace = new AbortController();
      await Promise.race([
        Promise.allSettled(running),
        setTimeout(GRACE_MS, undefined, { signal: grace.signal }),
      ]);
      grace.abort();
      await agents.destroy();
    },
  };
}

/** Tries https, and plain http after it where that is allowed, on this machine and its network. */
async function tryBoth(
  deps: Deps,
  r: OutgoingRequest,
  signal: AbortSignal,
): Promise<OutgoingResponse> {
  const url = checkUrl(r.url, deps.allowPrivateNetwork);
  const mayFallBack =
    r.httpFallback === true &&
    deps.allowPrivateNetwork &&
    url.protocol === "https:";
  if (!mayFallBack) return followRedirects(deps, r, url, signal);
  const plain = checkUrl(url.href.replace(/^https:/, "http:"), true);
  // A host that speaks http alone is not asked for https each time.
  const isPlain = deps.plainHosts.delete(url.host);
  const [first, second] = isPlain ? [plain, url] : [url, plain];
  let used = first;
  const answer = await followRedirects(deps, r, first, signal).catch(
    (error: unknown) => {
      if (!(error instanceof FetchRefused) || error.reason !== "network")
        throw error;
      used = second;
      return followRedirects(deps, r, second, signal);
    },
  );
  if (used === plain) deps.plainHosts.set(url.host, true);
  return answer;
}

async function postForHead(
  deps: Deps,
  r: OutgoingRequest,
  timeoutMs: number,
): Promise<OutgoingResponse> {
  const url = checkUrl(r.url, deps.allowPrivateNetwork);
  const headers = startHeaders(r.headers ?? {}, r.method, deps.userAgent);
  const request = await signed(deps, r, url, headers);
  try {
    const { statusCode, headers: received } = await sendForHead(
      deps.agents.get(r.connectTimeoutMs ?? CONNECT_MS),
      request,
      { maxBytes: r.maxBytes, timeoutMs, signal: r.signal },
    );
    return {
      status: statusCode,
      headers: receivedHeaders(received),
      body: EMPTY,
      url: url.href,
    };
  } catch (error) {
    if (r.signal?.aborted === true) throw abortReason(r.signal);
    throw refusalFrom(error, url.host);
  }
}

/**
 * The request as it is sent, signed if the caller wants it. @throws
 * {FetchRefused} `blocked`
 */
async function signed(
  { isHostAllowed }: Deps,
  r: OutgoingRequest,
  url: URL,
  headers: Hop["headers"],
) {
  if (isHostAllowed && !(await isHostAllowed(url.host)))
    throw new FetchRefused("blocked", `${url.host}: not to be dealt with`);
  if (r.mayContact && !(await r.mayContact(url.href)))
    throw new FetchRefused("blocked", `${url.host}: not for this purpose`);
  const added = r.sign
    ? await r.sign({
        method: r.method,
        url: url.href,
        headers: { ...headers, host: url.host },
      })
    : {};
  return {
    method: r.method,
    origin: url.origin,
    path: url.pathname + url.search,
    headers: sendableHeaders({ ...headers, ...added }),
    body: r.body ?? null,
  };
}

async function followRedirects(
  deps: Deps,
  r: OutgoingRequest,
  start: URL,
  signal: AbortSignal,
): Promise<OutgoingResponse> {
  const limit = Math.min(r.maxRedirects ?? MAX_REDIRECTS, MAX_REDIRECTS);
  let url = start;
  let headers = startHeaders(r.headers ?? {}, r.method, deps.userAgent);
  for (let hops = 0; ; hops += 1) {
    const answer = await send(deps, r, { url, headers, signal });
    if (r.method !== "GET" || !REDIRECTS.has(answer.statusCode)) {
      return await finish(r, url, answer);
    }
    const { location } = answer.headers;
    await answer.body
      .dump({ limit: MAX_REDIRECT_BODY, signal })
      .catch(() => null);
    signal.throwIfAborted();
    if (hops >= limit) {
      throw new FetchRefused("too_many_redirects", `${url.host}: redirects`);
    }
    url = redirectTarget(url, location, deps.allowPrivateNetwork);
    headers = withoutBoundHeaders(headers);
  }
}

function redirectTarget(
  from: URL,
  location: string | string[] | undefined,
  allowPrivateNetwork: boolean,
): URL {
  if (typeof location !== "string" || location === "") {
    throw new FetchRefused("redirect", `${from.host}: redirect to nowhere`);
  }
  const target = URL.parse(location, from);
  if (target === null) {
    throw new FetchRefused("redirect", `${from.host}: redirect to no URL`);
  }
  return checkUrl(target.href, allowPrivateNetwork);
}

async function send(
  deps: Deps,
  r: OutgoingRequest,
  { url, headers, signal }: Hop,
): Promise<Dispatcher.ResponseData> {
  const request = await signed(deps, r, url, headers);
  signal.throwIfAborted();
  try {
    return await deps.agents
      .get(r.connectTimeoutMs ?? CONNECT_MS)
      .request({ ...request, signal });
  } catch (error) {
    if (signal.aborted) throw abortReason(signal);
    throw refusalFrom(error, url.host);
  }
}

async function finish(
  r: OutgoingRequest,
  url: URL,
  answer: Dispatcher.ResponseData,
): Promise<OutgoingResponse> {
  const status = answer.statusCode;
  const headers = receivedHeaders(answer.headers);
  const body = { status, headers, body: EMPTY, url: url.href };
  if (r.accept2xxOnly === true && (status < 200 || status > 299)) {
    await answer.body.dump({ limit: MAX_REDIRECT_BODY }).catch(() => null);
    return body;
  }
  const encoding = answer.headers["content-encoding"] ?? "";
  try {
    const bytes = await readResponseBody(
      answer.body,
      String(encoding),
      r.maxBytes,
      r.cut,
    );
    return { ...body, body: bytes };
  } catch (error) {
    throw refusalFrom(error, url.host);
  }
}
