import { randomBytes } from "node:crypto";
import type { Tx } from "../../../db/db.ts";
import { later, timestamp, type Timestamp } from "../../../lib/time/clock.ts";
import { KithError } from "../../../lib/errors.ts";
import type { UserId } from "../../ids.ts";
import type { AccessToken, IssuedToken, SignedIn } from "../account.ts";
import { updateLastSeen } from "../account-store.ts";
import {
  acceptCode,
  beginCode,
  type SecondFactorDeps,
} from "../two-factor/second-factor.ts";
import { hasFactor } from "../stores/second-factor-store.ts";
import {
  checkPassword,
  isUnchanged,
  suspendedError,
  type SignInDeps,
} from "../sign-in/sign-in.ts";
import type { TokenRow, TokenSeal } from "../keys/token-seal.ts";
import {
  deleteUnusedTokens,
  findToken,
  findTokenUse,
  listTokens,
  replaceToken,
  saveToken,
  updateTokenUse,
} from "../stores/token-store.ts";
import { isUnseen } from "../sign-in/visit.ts";

export type TokenDeps = SignInDeps & { readonly tokenSeal: TokenSeal };

const DAY_MS = 24 * 3_600_000;
const UNUSED_TOKEN_ENDS_MS = 400 * DAY_MS;

/** The password was right, but the second factor is missing. */
export class CodeNeeded extends KithError {
  constructor() {
    super("unauthorized", "The second factor is missing or wrong");
    this.name = "CodeNeeded";
  }
}

/**
 * Issues an access token to a client: its existing one, or a new one.
 * @throws {KithError} `user_not_found`, `unauthorized`, `suspended` or `too_many_requests`
 * @throws {CodeNeeded} if the account has a second factor
 */
export async function issueToken(
  deps: TokenDeps & SecondFactorDeps,
  input: {
    readonly username: string;
    readonly password: string;
    readonly clientId: string;
    /** A code of the second factor. */
    readonly code?: string | undefined;
    /** The source network, if any. */
    readonly from?: string;
  },
): Promise<IssuedToken> {
  const { username, password, from } = input;
  const check = await checkPassword(deps, username, password, from);
  if (check.kind === "unknown_user")
    throw new KithError("user_not_found", "No such user.");
  if (check.kind === "wrong_password")
    throw new KithError("unauthorized", "Wrong password.");
  if (check.kind === "suspended") throw suspendedError();
  const userId = check.account.id;
  const attempt = beginCode(deps, check.account, input.code, from);
  const issued = await deps.db.transaction(async (tx) => {
    if (!(await isUnchanged(deps, tx, check.account)))
      throw new KithError(
        "unauthorized",
        "The password was changed meanwhile.",
      );
    if (
      (await hasFactor(tx, userId)) &&
      !(await acceptCode(deps, tx, userId, input.code))
    )
      throw new CodeNeeded();
    return giveToken(deps, tx, { userId, clientId: input.clientId });
  });
  attempt.succeed();
  return issued;
}

/** Returns the client's token, or a new one if there is none or it cannot be opened. */
async function giveToken(
  deps: TokenDeps,
  tx: Tx,
  row: TokenRow,
): Promise<IssuedToken> {
  const { clock, tokenSeal } = deps;
  const now = timestamp(clock.now());
  const secret = randomBytes(32).toString("hex");
  const sealed = tokenSeal.seal(secret, row);
  await deleteUnusedTokens(tx, row.userId, oldestUse(deps));
  await saveToken(tx, { ...row, secret, sealed, now });
  const found = await findToken(tx, row.userId, row.clientId);
  if (!found) throw new Error("The token cannot be read");
  const { id, clientId, createdAt, lastUsedAt } = found;
  const opened = tokenSeal.open(found.sealed, found);
  if (opened === undefined) await replaceToken(tx, id, secret, sealed);
  const token = opened ?? secret;
  return { id, clientId, createdAt, lastUsedAt, token };
}

/** Lists a user's unexpired tokens, newest first. */
export async function listLivingTokens(
  deps: TokenDeps,
  userId: UserId,
): Promise<AccessToken[]> {
  return listTokens(deps.db.read, userId, oldestUse(deps));
}

/** Tokens last used before this time have expired. */
function oldestUse({ clock }: TokenDeps): Timestamp {
  return timestamp(later(clock.now(), -UNUSED_TOKEN_ENDS_MS));
}

/** Finds the user of a token, and records once a day that the token is used. */
export async function authenticate(
  { db, clock }: TokenDeps,
  token: string,
): Promise<SignedIn | undefined> {
  const use = await findTokenUse(db.read, token);
  if (!use) return undefined;
  const now = clock.now();
  const unusedMs = now.getTime() - Date.parse(use.lastUsedAt);
  if (unusedMs > UNUSED_TOKEN_ENDS_MS) return undefined;
  if (unusedMs > DAY_MS || isUnseen(use.lastSeenAt, now))
    await db.transaction(async (tx) => {
      await updateTokenUse(tx, use.tokenId, timestamp(now));
      await updateLastSeen(tx, use.user.userId, timestamp(now));
    });
  return use.user;
}
