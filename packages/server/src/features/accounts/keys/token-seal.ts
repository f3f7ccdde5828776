import type { UserId } from "../../ids.ts";
import { createBoundSeal, openBytes } from "./seal.ts";
import { hashSecret } from "./hash-secret.ts";

/** The row of a sealed token: the token opens in no other row. */
export type TokenRow = {
  readonly userId: UserId;
  readonly clientId: string;
};

/** Encrypts access tokens before they are stored, so that a client can be given its token again. */
export type TokenSeal = {
  seal(secret: string, row: TokenRow): string;
  /** @returns undefined if it was sealed with another key or for another row, or was changed */
  open(
    stored: string,
    row: TokenRow & { readonly tokenHash: string },
  ): string | undefined;
};

/**
 * Prefix of every token bound to its row; older ones have none, and base64 cannot begin
 * with it.
 */
export const TOKEN_MARK = "sealed:1:";
const PURPOSE = "kith access tokens";

/**
 * AES-256-GCM, with a key derived from the server's for this purpose only (RFC 5869).
 * @param secretKey 32 bytes
 */
export function createTokenSeal(secretKey: Uint8Array): TokenSeal {
  const bound = createBoundSeal(secretKey, PURPOSE);
  const openBound = (stored: string, row: TokenRow): string =>
    bound.open(stored.slice(TOKEN_MARK.length), nameOf(row)).toString();
  return {
    seal: (secret, row) =>
      TOKEN_MARK + bound.seal(Buffer.from(secret), nameOf(row)),
    open: (stored, row) => {
      try {
        return isBound(stored)
          ? openBound(stored, row)
          : openUnbound(secretKey, stored, row.tokenHash);
      } catch {
        return undefined;
      }
    },
  };
}

export function isBound(stored: string): boolean {
  return stored.startsWith(TOKEN_MARK);
}

/**
 * Opens a token sealed with the secret key itself and bound to nothing: the hash in the
 * row tells whether the token belongs to it.
 */
function openUnbound(
  secretKey: Uint8Array,
  stored: string,
  tokenHash: string,
): string | undefined {
  const secret = openBytes(secretKey, stored, "").toString();
  return hashSecret(secret) === tokenHash ? secret : undefined;
}

/**
 * Part of the authenticated data: if this format changes, sealed tokens no longer open.
 * The client's name comes last because the client chose it.
 */
function nameOf({ userId, clientId }: TokenRow): string {
  return `token_sealed of access_tokens, user ${userId}, client ${clientId}`;
}
