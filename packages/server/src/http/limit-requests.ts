import type { FastifyInstance, FastifyRequest } from "fastify";
import { networkOf } from "../lib/addresses.ts";
import type { Limit, Limits } from "../lib/limits.ts";
import type { Share } from "../lib/rate-limit.ts";

const EACH_10_S = 10_000;
const EACH_MINUTE = 60_000;
const EACH_10_MINUTES = 600_000;

/**
 * How often one address, and one account whatever its addresses, may ask for
 * routes of a class. They stop a flood, and nothing that a person, a busy program
 * or a house full of both does. docs/operations.md has them in a table.
 */
const SHARES = {
  read: { max: 50_000, windowMs: EACH_10_S },
  write: { max: 25_000, windowMs: EACH_10_S },
  /** What decodes pictures, packs an archive, or makes us ask other servers. */
  costly: { max: 1_000, windowMs: EACH_10_S },
  /** What takes a password. Wrong ones are counted apart, and far more strictly. */
  credentials: { max: 1_200, windowMs: EACH_MINUTE },
  sign_up: { max: 1_000, windowMs: EACH_10_MINUTES },
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

/** Answers 429 to whoever asks too often, before anything is read of what it sends. */
export function limitRequests(app: FastifyInstance, limits: Limits): void {
  const classes = new Map<unknown, { address: Limit; account: Limit }>();
  for (const [name, share] of Object.entries<Share>(SHARES))
    classes.set(name, {
      address: limits.create(name, "address", share),
      account: limits.create(name, "account", share),
    });
  const limitsOf = ({ is404, routeOptions }: FastifyRequest) =>
    classes.get(is404 ? "read" : routeOptions.config.limit);
  app.decorateRequest("network", "");
  app.decorateRequest("isCounted", false);
  app.decorateRequest(
    "countFor",
    function countFor(this: FastifyRequest, account: number): void {
      if (this.isCounted) return;
      this.isCounted = true;
      const refusal = refusalOf(limitsOf(this)?.account, String(account));
      if (refusal) throw refusal;
    },
  );
  app.addHook("onRequest", (request, _reply, done) => {
    request.network = originOf(request);
    done(refusalOf(limitsOf(request)?.address, request.network));
  });
}

function refusalOf(limit: Limit | undefined, key: string) {
  return limit && !limit.take(key) ? limit.refuse(key) : undefined;
}

/** What a proxy says that is no address counts as the proxy itself. */
function originOf({ ip, socket }: FastifyRequest): string {
  return networkOf(ip) ?? networkOf(socket.remoteAddress ?? "") ?? "unknown";
}
