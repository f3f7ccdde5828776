import type { FastifyInstance, FastifyRequest } from "fastify";
import { networkOf } from "../../lib/http-client/addresses.ts";
import type { Limit, Limits } from "../../lib/limits/limits.ts";
import type { Share, ShareState } from "../../lib/limits/rate-limit.ts";
import { readHeaderToken } from "../input/header-token.ts";

const EACH_MINUTE = 60_000;

/**
 * Requests that one network, and one account across its networks, may make to
 * routes of a class: a few times the observed use. docs/operations.md lists
 * them, with the measurements.
 */
const SHARES = {
  read: { max: 1_500, windowMs: EACH_MINUTE },
  write: { max: 300, windowMs: EACH_MINUTE },
  /**
   * Routes that decode pictures, build archives, or cause requests to other
   * servers.
   */
  costly: { max: 120, windowMs: EACH_MINUTE },
  /**
   * Routes that take a password. Wrong passwords are limited separately, and
   * far more strictly.
   */
  credentials: { max: 600, windowMs: EACH_MINUTE },
} as const satisfies Record<string, Share>;

type SharedClass = keyof typeof SHARES;

/**
 * The rate limit of a route. A route must declare it, or the server does not
 * start.
 */
export type LimitClass =
  | SharedClass
  /** Health checks, and routes that cost nothing. */
  | "none"
  /**
   * Messages of other servers: authenticated ones are not limited; failures are
   * limited where signatures are verified.
   */
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
    /** The network of the client, by which limits count. */
    network: string;
    /** Is it counted for its account already? */
    isCounted: boolean;
    /** That account, or 0. */
    countedAccount: number;
    /**
     * Counts the request for its account, once that is known; a second call
     * does nothing.
     * @throws {KithError} `too_many_requests`
     */
    countFor: (account: number) => void;
    /** The state of the share that this request was counted for, if there is a limit. */
    shareState: () => ShareState | undefined;
  }
}

type Shares = {
  readonly address: Limit;
  /** Requests with a token or session that is not verified yet. */
  readonly claimed: Limit;
  readonly account: Limit;
};

/**
 * Answers 429 to clients over their limit, before the body is read. A request
 * of an authenticated account counts for that account alone: a household shares
 * an address, and its members do not lock each other out.
 * @param factor multiplies the default limits
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
  app.decorateRequest("countedAccount", 0);
  app.decorateRequest(
    "countFor",
    function countFor(this: FastifyRequest, account: number): void {
      if (this.isCounted) return;
      this.isCounted = true;
      this.countedAccount = account;
      ofNetwork(this)?.giveBack(this.network);
      const refusal = refusalOf(sharesOf(this)?.account, String(account));
      if (refusal) throw refusal;
    },
  );
  app.decorateRequest("shareState", function shareState(this: FastifyRequest) {
    return this.isCounted
      ? sharesOf(this)?.account.stateOf(String(this.countedAccount))
      : ofNetwork(this)?.stateOf(this.network);
  });
  app.addHook("onRequest", (request, _reply, done) => {
    request.network = originOf(request);
    done(refusalOf(ofNetwork(request), request.network));
  });
}

/** Does the request have a token or session? It is verified later. */
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
 * An invalid address from a proxy counts as the proxy itself. A closed
 * connection has no address any more.
 */
function originOf(request: FastifyRequest): string {
  const peer = request.socket.remoteAddress;
  if (peer === undefined) return "unknown";
  return networkOf(request.ip) ?? networkOf(peer) ?? "unknown";
}
