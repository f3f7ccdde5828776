import { createHash } from "node:crypto";
import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import type { UserId } from "../../ids.ts";
import { isUsablePasskeyKey, stripAttestation } from "./passkey-key.ts";
import type { PasskeyCredential } from "./passkey-store.ts";

/** Loaded by the first passkey alone: it takes a fifth of a second, and 13 MB. */
const load = () => import("@simplewebauthn/server");

const NAME = "Kith";
/** EdDSA, ES256, RS256 (COSE): every browser and every authenticator has one of them. */
const ALGORITHMS = [-8, -7, -257];
export const CHALLENGE_MS = 5 * 60_000;

/** Where passkeys count: at one origin of one host. */
export type Site = { readonly origin: string; readonly host: string };

/** @param baseUrl under which browsers reach Kith */
export function siteOf(baseUrl: string): Site {
  const { origin, hostname } = new URL(baseUrl);
  return { origin, host: hostname };
}

/** What a browser is asked: JSON, with a challenge that it signs. */
export type PasskeyOptions = { readonly challenge: string };

/** What comes back from a browser, as far as it says so itself. */
export type Claim = {
  /** JSON, as the browser wrote it. */
  readonly response: object;
  readonly challenge: string;
  readonly credentialId: string;
  /** Under what name the authenticator keeps the user. */
  readonly userHandle: string | undefined;
};

/** Asks for a new passkey, which says who it is without being asked for a name. */
export async function askForNew(
  site: Site,
  user: { readonly id: UserId; readonly handle: string },
  known: readonly Pick<PasskeyCredential, "credentialId" | "transports">[],
): Promise<PasskeyOptions> {
  const { generateRegistrationOptions } = await load();
  return generateRegistrationOptions({
    rpName: NAME,
    rpID: site.host,
    userName: user.handle,
    userID: new Uint8Array(userBytes(site, user.id)),
    timeout: CHALLENGE_MS,
    excludeCredentials: known.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: [...transports],
    })),
    authenticatorSelection: {
      residentKey: "required",
      userVerification: "required",
    },
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

/** Asks for any passkey of this site: it says whose it is. */
export async function askForAny(site: Site): Promise<PasskeyOptions> {
  const { generateAuthenticationOptions } = await load();
  return generateAuthenticationOptions({
    rpID: site.host,
    timeout: CHALLENGE_MS,
    userVerification: "required",
  });
}

/** Reads what a browser sent. @returns undefined for what is none of it */
export function readClaim(json: string): Claim | undefined {
  try {
    const response = JSON.parse(json) as RegistrationResponseJSON &
      AuthenticationResponseJSON;
    const { clientDataJSON, userHandle } = response.response;
    const data = JSON.parse(
      Buffer.from(clientDataJSON, "base64url").toString("utf8"),
    ) as { challenge?: unknown; crossOrigin?: unknown };
    // No page of another site has this one in a frame.
    if (data.crossOrigin !== undefined && data.crossOrigin !== false)
      return undefined;
    if (typeof data.challenge !== "string" || typeof response.id !== "string")
      return undefined;
    return {
      response,
      challenge: data.challenge,
      credentialId: response.id,
      userHandle: typeof userHandle === "string" ? userHandle : undefined,
    };
  } catch {
    return undefined;
  }
}

/** @returns undefined where it proves nothing: another site or challenge, nobody verified, a broken form, a key that is expensive */
export async function verifyNew(
  site: Site,
  { response, challenge }: Claim,
): Promise<PasskeyCredential | undefined> {
  const { verifyRegistrationResponse } = await load();
  try {
    const given = response as RegistrationResponseJSON;
    const { attestationObject, publicKey: offered } = await stripAttestation(
      given.response.attestationObject,
    );
    if (!offered || !(await isUsablePasskeyKey(offered))) return undefined;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...given,
        response: { ...given.response, attestationObject },
      },
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.host,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified) return undefined;
    const { id, publicKey, counter, transports } = registrationInfo.credential;
    return {
      credentialId: id,
      publicKey,
      counter,
      transports: readTransports(transports),
    };
  } catch {
    return undefined;
  }
}

/** @returns the new counter, or undefined where it proves nothing */
export async function verifyUse(
  site: Site,
  { response, challenge, userHandle }: Claim,
  passkey: PasskeyCredential & { readonly userId: UserId },
): Promise<number | undefined> {
  if (userHandle !== userBytes(site, passkey.userId).toString("base64url"))
    return undefined;
  const { verifyAuthenticationResponse } = await load();
  try {
    // One that an older Kith stored, too.
    if (!(await isUsablePasskeyKey(passkey.publicKey))) return undefined;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse(
      {
        response: response as AuthenticationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: site.origin,
        expectedRPID: site.host,
        requireUserVerification: true,
        credential: {
          id: passkey.credentialId,
          publicKey: new Uint8Array(passkey.publicKey),
          counter: passkey.counter,
        },
      },
    );
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    return undefined;
  }
}

/** The name under which an authenticator keeps a user: it tells nothing, and never changes. */
function userBytes({ host }: Site, userId: UserId): Buffer {
  return createHash("sha256").update(`Kith user ${userId} at ${host}`).digest();
}

const MAX_TRANSPORTS = 10;

/** Only a hint for browsers: what is no word is left out. */
function readTransports(given: unknown): string[] {
  const list: unknown[] = Array.isArray(given) ? given : [];
  return list
    .slice(0, MAX_TRANSPORTS)
    .filter((it) => typeof it === "string")
    .filter((it) => /^[a-z-]{1,20}$/.test(it));
}
