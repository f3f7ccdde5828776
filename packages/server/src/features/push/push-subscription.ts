import { createPublicKey } from "node:crypto";
import { checkUrl } from "../../lib/http-client/fetch-url.ts";
import { KithError } from "../../lib/errors.ts";
import type {
  Notification,
  NotificationOwner,
} from "../notifications/index.ts";
import type { PushSubscriptionId, UserId } from "../ids.ts";

/** How a push is encrypted: by RFC 8291, or by its fourth draft, as older programs want it. */
export type PushEncoding = "aes128gcm" | "aesgcm";

/** Whose acts are pushed: of all, of people followed, of followers, or nobody's. */
export type PushPolicy = "all" | "followed" | "follower" | "none";

/** Where a browser or program receives pushes. */
export type PushTarget = {
  /** An https URL of its push service; whoever knows it can use up its quota. */
  readonly endpoint: string;
  /** Its public key, an uncompressed point of P-256, in base64url. */
  readonly p256dh: string;
  /** 16 bytes in base64url. */
  readonly auth: string;
};

/** The choices of a program, which may change them. */
export type PushChoice = {
  /** The kinds that it wants, by its own names. A browser wants all. */
  readonly alerts: readonly string[];
  readonly policy: PushPolicy;
};

export type PushSubscription = PushChoice & {
  readonly id: PushSubscriptionId;
  readonly userId: UserId;
  readonly target: PushTarget;
  readonly encoding: PushEncoding;
  /** The token of the program, which finds the account by it; null for a browser. */
  readonly token: string | null;
};

export type NewPushSubscription = Omit<
  PushSubscription,
  "id" | "userId" | "token"
>;

/** The secret of the session or token whose subscription it is, and with which it ends. */
export type PushHolder =
  { readonly session: string } | { readonly token: string };

/**
 * Writes what a push says of a notification that its user may see.
 * @returns undefined if nothing is to be pushed
 */
export type RenderPush = (
  user: NotificationOwner,
  notification: Notification,
  subscription: PushSubscription,
) => Promise<string | undefined>;

/** Browsers and programs read different messages. */
export type PushRenderers = {
  readonly browser: RenderPush;
  readonly program: RenderPush;
};

/** Of one user; the oldest ends for another. */
export const MAX_SUBSCRIPTIONS = 20;

const POINT_BYTES = 65;
const AUTH_BYTES = 16;

/**
 * Checks what a client has sent.
 * @param allowPrivateNetwork as for all requests to others
 * @throws {KithError} `invalid`
 */
export function checkTarget(
  { endpoint, p256dh, auth }: PushTarget,
  allowPrivateNetwork: boolean,
): PushTarget {
  return {
    endpoint: checkEndpoint(endpoint, allowPrivateNetwork),
    p256dh: checkPoint(decode(p256dh)),
    auth: checkLength(decode(auth), AUTH_BYTES).toString("base64url"),
  };
}

function checkEndpoint(endpoint: string, allowPrivateNetwork: boolean): string {
  try {
    const url = checkUrl(endpoint, allowPrivateNetwork);
    // It was shut down, and never knew these standards.
    if (url.hostname === "android.googleapis.com") throw new Error("GCM");
    return url.href;
  } catch {
    throw refused("The endpoint must be an https URL of a push service.");
  }
}

/** A point that is not on the curve would fail with each push. */
function checkPoint(bytes: Buffer): string {
  checkLength(bytes, POINT_BYTES);
  const half = (POINT_BYTES - 1) / 2;
  const x = bytes.subarray(1, 1 + half).toString("base64url");
  const y = bytes.subarray(1 + half).toString("base64url");
  try {
    if (bytes[0] !== 4) throw new Error("It is compressed");
    createPublicKey({ key: { kty: "EC", crv: "P-256", x, y }, format: "jwk" });
  } catch {
    throw refused("The key p256dh must be a point of P-256.");
  }
  return bytes.toString("base64url");
}

function checkLength(bytes: Buffer, length: number): Buffer {
  if (bytes.length !== length)
    throw refused("The keys p256dh and auth must have 65 and 16 bytes.");
  return bytes;
}

/** Some programs send base64 in place of base64url, with padding. */
function decode(text: string): Buffer {
  return Buffer.from(text.slice(0, 200), "base64");
}

const refused = (message: string) => new KithError("invalid", message);
