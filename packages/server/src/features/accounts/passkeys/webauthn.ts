import { createHash } from "node:crypto";
import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import type { UserId } from "../../ids.ts";
import { isUsablePasskeyKey, stripAttestation } from "./passkey-key.ts";
import type { PasskeyCredential } from "../stores/passkey-store.ts";

/** Loaded only by the first passkey: it takes a fifth of a second, and 13 MB. */
const load = () => import("@simplewebauthn/server");

const NAME = "Kith";
/** EdDSA, ES256, RS256 (COSE): every browser and every authenticator supports one of them. */
const ALGORITHMS = [-8, -7, -257];
export const CHALLENGE_MS = 5 * 60_000;

/** The scope of passkeys: one origin of one host. */
export type Site = { readonly origin: string; readonly host: string };

/** @param baseUrl the URL at which browsers reach Kith */
export function siteOf(baseUrl: string): Site {
  const { origin, hostname } = new URL(baseUrl);
  return { origin, host: hostname };
}

/** Options for the browser: JSON, with a challenge to sign. */
export type PasskeyOptions = { readonly challenge: string };

/** A browser's response, not yet verified. */
export type Claim = {
  /** JSON, as received from the browser. */
  readonly response: object;
  readonly challenge: string;
  readonly credentialId: string;
  /** The user handle stored by the authenticator. */
  readonly userHandle: string | undefined;
};

/** Requests a new discoverable passkey, which identifies the user without a username. */
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

/** Requests any passkey of this site: it identifies its user. */
export async function askForAny(site: Site): Promise<PasskeyOptions> {
  const { generateAuthenticationOptions } = await load();
  return generateAuthenticationOptions({
    rpID: site.host,
    timeout: CHALLENGE_MS,
    userVerification: "required",
  });
}

/**
 * Parses a browser's response.
 * @returns undefined if it is malformed
 */
export function readClaim(json: string): Claim | undefined {
  try {
    const response = JSON.parse(json) as RegistrationResponseJSON &
      AuthenticationResponseJSON;
    const { clientDataJSON, userHandle } = response.response;
    const data = JSON.parse(
      Buffer.from(clientDataJSON, "base64url").toString("utf8"),
    ) as { challenge?: unknown; crossOrigin?: unknown };
    // Reject responses from a frame in another site's page.
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

/**
 * Verifies a new passkey.
 * @returns undefined if verification fails: another site or challenge, no user
 *   verification, a malformed response, an expensive key
 */
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

/** @returns the new counter, or undefined if verification fails */
export async function verifyUse(
  site: Site,
  { response, challenge, userHandle }: Claim,
  passkey: PasskeyCredential & { readonly userId: UserId },
): Promise<number | undefined> {
  if (userHandle !== userBytes(site, passkey.userId).toString("base64url"))
    return undefined;
  const { verifyAuthenticationResponse } = await load();
  try {
    // Also checks passkeys stored by an older Kith.
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

/** The user handle for authenticators: it reveals nothing, and never changes. */
function userBytes({ host }: Site, userId: UserId): Buffer {
  return createHash("sha256").update(`Kith user ${userId} at ${host}`).digest();
}

const MAX_TRANSPORTS = 10;

/** Only a hint for browsers: anything that is not a word is dropped. */
function readTransports(given: unknown): string[] {
  const list: unknown[] = Array.isArray(given) ? given : [];
  return list
    .slice(0, MAX_TRANSPORTS)
    .filter((it) => typeof it === "string")
    .filter((it) => /^[a-z-]{1,20}$/.test(it));
}
