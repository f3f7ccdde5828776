import type { UserId } from "../../ids.ts";
import { createBoundSeal, openBytes } from "./seal.ts";
import { hashSecret } from "../sign-in/session-store.ts";

/** The row that a sealed token is in: nothing opens in another one. */
export type TokenRow = {
  readonly userId: UserId;
  readonly clientId: string;
};

/** Seals access tokens, which programs are given again, before they are stored. */
export type TokenSeal = {
  seal(secret: string, row: TokenRow): string;
  /**
   * @returns undefined for what was sealed with another key, for another row, or was changed
   */
  open(
    stored: string,
    row: TokenRow & { readonly tokenHash: string },
  ): string | undefined;
};

/** Before every token that is bound to its row; older ones have no mark, which base64 cannot begin with. */
export const TOKEN_MARK = "sealed:1:";
const PURPOSE = "kith access tokens";

/**
 * AES-256-GCM, with a key made of the server's for this purpose alone (RFC 5869).
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
 * Opens what was sealed with the secret key itself, bound to nothing: the hash
 * beside it says whether it is this row's.
 */
function openUnbound(
  secretKey: Uint8Array,
  stored: string,
  tokenHash: string,
): string | undefined {
  const secret = openBytes(secretKey, stored, "").toString();
  return hashSecret(secret) === tokenHash ? secret : undefined;
}

/** Part of what is sealed: another form of it opens nothing any more. The client's name, which it chose, comes last. */
function nameOf({ userId, clientId }: TokenRow): string {
  return `token_sealed of access_tokens, user ${userId}, client ${clientId}`;
}
