import {
  ActivityPubError,
  importPublicKey,
  parseHttpSignature,
  verifyHttpSignature,
} from "@kith/activitypub";
import type { FastifyRequest } from "fastify";
import type { Accounts } from "../../../features/accounts/index.ts";
import type { Clock } from "../../../lib/time/clock.ts";
import { KithError } from "../../../lib/errors.ts";
import type { Uris } from "../records/uris.ts";
import { originOf } from "./origins.ts";
import { toReceived } from "./verify-request.ts";

type VerifyOwnDeps = {
  readonly accounts: Pick<Accounts, "getServerKey">;
  readonly clock: Clock;
  readonly uris: Uris;
};

/**
 * Verifies a request that claims to be from this server. By the local key,
 * without any fetch.
 * @throws {KithError} `unauthorized`
 */
export async function verifyOwnRequest(
  { accounts, clock, uris }: VerifyOwnDeps,
  fastifyRequest: FastifyRequest,
): Promise<void> {
  const request = toReceived(fastifyRequest);
  const options = { now: clock.now(), origin: originOf(uris.baseUrl) };
  try {
    const parsed = parseHttpSignature(request);
    if (parsed.keyId !== uris.instanceKey)
      throw new KithError("unauthorized", "Not the key of this server.");
    const { publicPem } = await accounts.getServerKey();
    const key = importPublicKey(publicPem);
    await verifyHttpSignature(request, parsed, key, options);
  } catch (error) {
    if (error instanceof ActivityPubError)
      throw new KithError(
        "unauthorized",
        `The signature does not hold: ${error.code}: ${error.message}.`,
      );
    throw error;
  }
}
