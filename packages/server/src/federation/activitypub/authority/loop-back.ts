import { CONTENT_TYPE } from "@kith/activitypub";
import type { Accounts } from "../../../features/accounts/index.ts";
import type { Clock } from "../../../lib/time/clock.ts";
import type { GuardedFetch } from "../../../lib/http-client/guarded-fetch.ts";
import { newGuid } from "../../../lib/guids.ts";
import type { SignatureForm } from "../../peers/peers.ts";
import { signAs } from "./sign-as.ts";
import type { Uris } from "../records/uris.ts";

export type LoopBackDeps = {
  readonly accounts: Pick<Accounts, "getServerKey">;
  readonly clock: Clock;
  readonly fetch: Pick<GuardedFetch, "request">;
  readonly uris: Uris;
};

const MAX_BYTES = 64 * 1024;

/**
 * Sends a signed activity of the server's own actor to its own shared inbox, by
 * the route of other servers' deliveries. It has no effect; the inbox verifies
 * it.
 * @returns the status; 204 if the signature arrived unchanged
 * @throws {FetchRefused}
 */
export async function sendLoopBack(
  { accounts, clock, fetch, uris }: LoopBackDeps,
  form: SignatureForm,
): Promise<number> {
  const activity = {
    "@context": "https://www.w3.org/ns/activitystreams",
    id: `${uris.instance}#loop-back-${newGuid()}`,
    type: "View",
    actor: uris.instance,
    object: uris.instance,
  };
  const document = JSON.stringify(activity);
  const { privateKey } = await accounts.getServerKey();
  const body = Buffer.from(document);
  const keyId = uris.instanceKey;
  const { status } = await fetch.request({
    method: "POST",
    url: uris.sharedInbox,
    headers: { "content-type": CONTENT_TYPE },
    body: document,
    maxBytes: MAX_BYTES,
    sign: signAs({ keyId, privateKey, clock, body })(form),
  });
  return status;
}
