import type { Tx } from "../../../db/db.ts";
import type { UserId } from "../../ids.ts";
import {
  deleteChallengesOf,
  deletePasskeysOf,
} from "../passkeys/passkey-store.ts";
import { deletePendingSignInsOf } from "./pending-sign-in-store.ts";
import { deleteFactor } from "../two-factor/second-factor-store.ts";
import { deleteSessionsOf } from "./session-store.ts";
import { deleteTokensOf } from "../tokens/token-store.ts";

/**
 * Ends whatever was begun in somebody's name: sessions, tokens, sign-ins that
 * wait for the second factor, passkeys that are about to be added.
 * @param kept secrets of those that stay: of the one that asks for it
 */
export async function endAccess(
  tx: Tx,
  userId: UserId,
  kept: { readonly session?: string; readonly token?: string } = {},
): Promise<void> {
  await deleteSessionsOf(tx, userId, kept.session);
  await deleteTokensOf(tx, userId, kept.token);
  await deletePendingSignInsOf(tx, userId);
  await deleteChallengesOf(tx, userId);
}

/** Forgets the second factor, the recovery codes and the passkeys. */
export async function forgetFactors(tx: Tx, userId: UserId): Promise<void> {
  await deleteFactor(tx, userId);
  await deletePasskeysOf(tx, userId);
}
