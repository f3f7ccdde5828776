import type { FastifyInstance } from "fastify";
import { DatabaseAway, KithError } from "../../lib/errors.ts";
import type { Log } from "../../observability/log.ts";

/**
 * Refuses every request from the networks that are kept from all access.
 * @param isShutOut mostly knows it at once: then no request waits
 */
export function refuseNetworks(
  app: FastifyInstance,
  isShutOut: (network: string) => boolean | Promise<boolean>,
  log: Log,
): void {
  app.addHook("onRequest", ({ network, routeOptions }, _reply, done) => {
    // Whether the server is alive is answered without the database.
    if (routeOptions.config.isProbe) return done();
    const decide = (isRefused: boolean): void =>
      isRefused
        ? done(new KithError("forbidden", "The network is banned."))
        : done();
    const answer = isShutOut(network);
    if (typeof answer === "boolean") return decide(answer);
    answer.then(decide, (error: unknown) => {
      // The request meets the same outage, if it needs the database.
      if (!(error instanceof DatabaseAway))
        log.warn({ error }, "The bans cannot be read");
      done();
    });
  });
}
