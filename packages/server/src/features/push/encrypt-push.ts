import type { KeyObject } from "node:crypto";
import { keepOnce } from "../../lib/caching/keep-once.ts";
import type { PushSubscription } from "./push-subscription.ts";

/** The server as push services know it (RFC 8292). */
export type PushSender = {
  readonly privateKey: KeyObject;
  /** An https or mailto URL, for the people behind a push service. */
  readonly contact: string;
};

/** The body of a push, and the headers that belong to it. */
export type EncryptedPush = {
  readonly headers: Record<string, string>;
  readonly body: Uint8Array;
};

/** Push services keep a push for so long, if its receiver is away. */
const TTL_S = 172_800;

/** Loaded with the first push: most processes never send one. */
const loadLibrary = keepOnce(async () => (await import("web-push")).default);

/** An uncompressed point in base64url, as clients take it for `applicationServerKey`. */
export function rawPublicKey(key: KeyObject): string {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  const point = [
    Buffer.from([4]),
    Buffer.from(x, "base64url"),
    Buffer.from(y, "base64url"),
  ];
  return Buffer.concat(point).toString("base64url");
}

/**
 * Encrypts a message for one receiver, and signs for its push service.
 * @param message at most 3,000 bytes
 * @see RFC 8291, and draft-ietf-webpush-encryption-04 for `aesgcm`
 */
export async function encryptPush(
  { target, encoding }: Pick<PushSubscription, "target" | "encoding">,
  message: string,
  { privateKey, contact }: PushSender,
): Promise<EncryptedPush> {
  const library = await loadLibrary();
  const { endpoint, p256dh, auth } = target;
  const { d = "" } = privateKey.export({ format: "jwk" });
  const { headers, body } = library.generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    message,
    {
      ...{ TTL: TTL_S, urgency: "normal", contentEncoding: encoding },
      vapidDetails: {
        subject: contact,
        publicKey: rawPublicKey(privateKey),
        privateKey: d,
      },
    },
  );
  const named = Object.entries(headers).map(
    ([name, value]) => [name.toLowerCase(), String(value)] as const,
  );
  return { headers: Object.fromEntries(named), body: body ?? new Uint8Array() };
}
