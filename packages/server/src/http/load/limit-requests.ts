import type { FastifyInstance, FastifyRequest } from "fastify";
import { networkOf } from "../../lib/http-client/addresses.ts";
import type { Limit, Limits } from "../../lib/limits/limits.ts";
import type { Share } from "../../lib/limits/rate-limit.ts";
import { readHeaderToken } from "../input/header-token.ts";

const EACH_MINUTE = 60_000;

/**
 * How often one network, and one account whatever its networks, may ask for routes
 * of a class: a few times what people and programs were seen to ask for.
 * docs/operations.md has them in a table, with what was measured.
 */
const SHARES = {
  read: { max: 1_500, windowMs: EACH_MINUTE },
  write: { max: 300, windowMs: EACH_MINUTE },
  /** What decodes pictures, packs an archive, or makes us ask other servers. */
  costly: { max: 120, windowMs: EACH_MINUTE },
  /** What takes a password. Wrong ones are counted apart, and far more strictly. */
  credentials: { max: 600, windowMs: EACH_MINUTE },
} as const satisfies Record<string, Share>;

type SharedClass = keyof typeof SHARES;

/** How often a route may be asked for, as it declares it. A route that does not is not started. */
export type LimitClass =
  | SharedClass
  /** What supervisors ask, and what costs nothing. */
  | "none"
  /** Of other servers: whoever proves who it is is not limited; what fails is, where it is verified. */
  | "message";

const CLASSES: ReadonlySet<unknown> = new Set([
  ...Object.keys(SHARES),
  "none",
  "message",
]);

export function isLimitClass(value: unknown): value is LimitClass {
  return CLASSES.has(value);
}

declare module "fastify" {
  interface FastifyRequest {
    /** From where it comes, as limits count it. */
    network: string;
    /** Does it count for its account already? */
    isCounted: boolean;
    /**
     * Counts it for an account, once that is known; a second time counts nothing.
     * @throws {KithError} `too_many_requests`
     */
    countFor: (account: number) => void;
  }
}

type Shares = {
  readonly address: Limit;
  /** What brings a token or a session that has not proved to be one, until it has. */
  readonly claimed: Limit;
  readonly account: Limit;
};

/**
 * Answers 429 to whoever asks too often, before anything is read of what it sends. Who
 * proves to have an account counts for that alone: a house shares an address, and what
 * others do there keeps nobody out.
 * @param factor how many times the usual shares
 */
export function limitRequests(
  app: FastifyInstance,
  limits: Limits,
  factor = 1,
): void {
  const classes = new Map<unknown, Shares>();
  for (const [name, { max, windowMs }] of Object.entries<Share>(SHARES)) {
    const share = { max: max * factor, windowMs };
    classes.set(name, {
      address: limits.create(name, "address", share),
      claimed: limits.create(name, "address", share),
      account: limits.create(name, "account", share),
    });
  }
  const sharesOf = ({ is404, routeOptions }: FastifyRequest) =>
    classes.get(is404 ? "read" : routeOptions.config.limit);
  const ofNetwork = (request: FastifyRequest): Limit | undefined =>
    sharesOf(request)?.[claimsAccount(request) ? "claimed" : "address"];
  app.decorateRequest("network", "");
  app.decorateRequest("isCounted", false);
  app.decorateRequest(
    "countFor",
    function countFor(this: FastifyRequest, account: number): void {
      if (this.isCounted) return;
      this.isCounted = true;
      ofNetwork(this)?.giveBack(this.network);
      const refusal = refusalOf(sharesOf(this)?.account, String(account));
      if (refusal) throw refusal;
    },
  );
  app.addHook("onRequest", (request, _reply, done) => {
    request.network = originOf(request);
    done(refusalOf(ofNetwork(request), request.network));
  });
}

/** Does it bring what may be of an account? Whether it is, is found out later. */
function claimsAccount(request: FastifyRequest): boolean {
  return (
    request.headers.cookie !== undefined ||
    readHeaderToken(request) !== undefined
  );
}

function refusalOf(limit: Limit | undefined, key: string) {
  return limit && !limit.take(key) ? limit.refuse(key) : undefined;
}

/**
 * What a proxy says that is no address counts as the proxy itself. A connection
 * that is closed by now has no address any more.
 */
function originOf(request: FastifyRequest): string {
  const peer = request.socket.remoteAddress;
  if (peer === undefined) return "unknown";
  return networkOf(request.ip) ?? networkOf(peer) ?? "unknown";
}
