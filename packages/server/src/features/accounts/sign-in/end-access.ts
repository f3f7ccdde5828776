import type { Tx } from "../../../db/db.ts";
import type { UserId } from "../../ids.ts";
import { deleteAppPasswordsOf } from "../stores/app-password-store.ts";
import {
  deleteChallengesOf,
  deletePasskeysOf,
} from "../stores/passkey-store.ts";
import { deletePendingSignInsOf } from "../stores/pending-sign-in-store.ts";
import { deleteFactor } from "../stores/second-factor-store.ts";
import { deleteSessionsOf } from "../stores/session-store.ts";
import { deleteTokensOf } from "../stores/token-store.ts";

/** Tokens of apps belong to another feature, which needs accounts. */
export type EndAccessDeps = {
  readonly endAppAccess: (tx: Tx, userId: UserId) => Promise<void>;
};

/**
 * Ends all access to an account: sessions, tokens, those of apps too, app passwords, sign-ins
 * that wait for the second factor, passkeys about to be added.
 * @param kept secrets of the sessions and tokens that stay: the requesting one
 */
export async function endAccess(
  { endAppAccess }: EndAccessDeps,
  tx: Tx,
  userId: UserId,
  kept: { readonly session?: string; readonly token?: string } = {},
): Promise<void> {
  await deleteSessionsOf(tx, userId, kept.session);
  await deleteTokensOf(tx, userId, kept.token);
  await endAppAccess(tx, userId);
  await deleteAppPasswordsOf(tx, userId);
  await deletePendingSignInsOf(tx, userId);
  await deleteChallengesOf(tx, userId);
}

/** Deletes the second factor, the recovery codes and the passkeys. */
export async function forgetFactors(tx: Tx, userId: UserId): Promise<void> {
  await deleteFactor(tx, userId);
  await deletePasskeysOf(tx, userId);
}
