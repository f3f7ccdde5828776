import type { FastifyInstance } from "fastify";
import { isPrivateAddress } from "../lib/http-client/addresses.ts";
import type { Log } from "../observability/log.ts";

/**
 * Says once that a proxy seems to be in front whose word about its clients is not
 * taken: all of them then count as one, and keep each other out. Strangers from
 * the internet cannot cause it.
 */
export function warnOfProxy(app: FastifyInstance, log: Log): void {
  let isSaid = false;
  app.addHook("onRequest", (request, _reply, done) => {
    const { headers, ip, socket } = request;
    const peer = socket.remoteAddress ?? "";
    // A peer that is believed is not the client.
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
