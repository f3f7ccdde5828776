import { CONTENT_TYPE } from "../src/media-types.ts";
import { KEY_ID, NOW, ORIGIN, arrived, options, rsa } from "./requests.ts";
import type { ReceivedRequest } from "../src/signatures/request.ts";
import { signCavage } from "../src/signatures/sign.ts";
import {
  parseHttpSignature,
  verifyHttpSignature,
} from "../src/signatures/verify.ts";

export const INBOX = `${ORIGIN}/api/v1/ap/inbox`;
export const OUTBOX = `${ORIGIN}/api/v1/ap/person/alice/outbox?page=2&x=%20`;
export const BODY = Buffer.from('{"type":"Like"}');
export const signer = { keyId: KEY_ID, privateKey: rsa.privateKey, now: NOW };
export const sent = { "user-agent": "Kith/1.0", "content-type": CONTENT_TYPE };

export async function post(
  headers: Record<string, string> = sent,
  over: { signedHeaders?: string[]; url?: string; now?: Date } = {},
): Promise<ReceivedRequest> {
  const url = over.url ?? INBOX;
  const request = {
    method: "POST",
    url,
    headers,
    body: BODY,
    ...signer,
    ...over,
  };
  return arrived("POST", url, await signCavage(request), BODY);
}

export async function verify(
  request: ReceivedRequest,
  over: Partial<typeof options> = {},
): Promise<void> {
  const parsed = parseHttpSignature(request);
  await verifyHttpSignature(request, parsed, rsa.publicKey, {
    ...options,
    ...over,
  });
}

export const fault = (name: string) => ({
  name: "ActivityPubError",
  fault: name,
});
