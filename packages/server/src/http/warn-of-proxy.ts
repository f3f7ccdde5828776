import type { FastifyInstance } from "fastify";
import { isPrivateAddress } from "../lib/http-client/addresses.ts";
import type { Log } from "../observability/log.ts";

/**
 * Warns once if there seems to be a proxy that is not trusted: all its clients
 * then share one address, and their rate limits. Strangers from the internet
 * cannot cause the warning.
 */
export function warnOfProxy(app: FastifyInstance, log: Log): void {
  let isSaid = false;
  app.addHook("onRequest", (request, _reply, done) => {
    const { headers, ip, socket } = request;
    const peer = socket.remoteAddress ?? "";
    // A trusted peer is not the client.
    if (
      !isSaid &&
      headers["x-forwarded-for"] !== undefined &&
      ip === peer &&
      isPrivateAddress(peer)
    ) {
      isSaid = true;
      log.warn(
        { peer },
        "A proxy forwards requests and is not trusted: its clients count as one address. Name it in KITH_TRUSTED_PROXIES",
      );
    }
    done();
  });
}
