import { timestamp } from "../../lib/time/clock.ts";
import { KithError } from "../../lib/errors.ts";
import type { AppPasswordId, PasskeyId, TokenId, UserId } from "../ids.ts";
import type { AccessToken, ListedSession, SignedIn } from "./account.ts";
import {
  listAppPasswords,
  type AppPassword,
} from "./stores/app-password-store.ts";
import {
  addAppPassword,
  MAX_APP_PASSWORDS,
  removeAppPassword,
} from "./app-passwords/app-passwords.ts";
import { changeWithPassword } from "./sign-in/own-password.ts";
import { listPasskeys, type Passkey } from "./stores/passkey-store.ts";
import {
  addPasskey,
  beginPasskey,
  removePasskey,
  type PasskeyDeps,
} from "./passkeys/passkeys.ts";
import {
  confirm,
  enrol,
  renewRecoveryCodes,
  turnOff,
  type FactorProof,
  type SecondFactorDeps,
  type SessionProof,
} from "./two-factor/second-factor.ts";
import { countRecoveryCodes, hasFactor } from "./stores/second-factor-store.ts";
import {
  deleteNamedSession,
  deleteSessionsOf,
  listSessions,
} from "./stores/session-store.ts";
import { deleteToken } from "./stores/token-store.ts";
import { listLivingTokens, type TokenDeps } from "./tokens/tokens.ts";

/** All the ways to sign in to an account, as shown to its owner. */
export type WaysIn = {
  readonly sessions: readonly ListedSession[];
  readonly tokens: readonly AccessToken[];
  readonly appPasswords: readonly AppPassword[];
  readonly passkeys: readonly Passkey[];
  /** undefined if there is none. */
  readonly secondFactor: { readonly recoveryCodesLeft: number } | undefined;
};

type SecurityDeps = TokenDeps & SecondFactorDeps & PasskeyDeps;

/**
 * The signed-in user's view of the ways to sign in, and changes to them. Every change
 * requires the password: `unauthorized` if it is wrong, and `too_many_requests` if it was
 * wrong too often.
 */
export function createSecurity(deps: SecurityDeps) {
  return {
    /** @param session the secret of the requesting session */
    list: async (userId: UserId, session: string): Promise<WaysIn> => {
      const { read } = deps.db;
      const now = timestamp(deps.clock.now());
      return {
        sessions: await listSessions(read, userId, session, now),
        tokens: await listLivingTokens(deps, userId),
        appPasswords: await listAppPasswords(read, userId, MAX_APP_PASSWORDS),
        passkeys: await listPasskeys(read, userId),
        secondFactor: (await hasFactor(read, userId))
          ? { recoveryCodesLeft: await countRecoveryCodes(read, userId) }
          : undefined,
      };
    },
    /** @throws {KithError} `not_found`, also for another user's session */
    endSession: (user: SignedIn, proof: SessionProof, name: string) =>
      changeWithPassword(deps, user, proof, async (tx) => {
        if (!(await deleteNamedSession(tx, user.userId, name)))
          throw new KithError("not_found", "No such session.");
      }),
    endOtherSessions: (user: SignedIn, proof: SessionProof) =>
      changeWithPassword(deps, user, proof, (tx) =>
        deleteSessionsOf(tx, user.userId, proof.session),
      ),
    /** @throws {KithError} `not_found`, also for another user's token */
    deleteToken: (user: SignedIn, proof: SessionProof, id: TokenId) =>
      changeWithPassword(deps, user, proof, async (tx) => {
        if (!(await deleteToken(tx, user.userId, id)))
          throw new KithError("not_found", "No such token.");
      }),
    addAppPassword: (user: SignedIn, proof: SessionProof, name: string) =>
      addAppPassword(deps, user, proof, name),
    /** @throws {KithError} `not_found`, also for another user's app password */
    removeAppPassword: (
      user: SignedIn,
      proof: SessionProof,
      id: AppPasswordId,
    ) =>
      changeWithPassword(deps, user, proof, (tx) =>
        removeAppPassword(tx, user.userId, id),
      ),
    enrol: (user: SignedIn, proof: SessionProof) => enrol(deps, user, proof),
    confirm: (user: SignedIn, proof: Omit<FactorProof, "password">) =>
      confirm(deps, user, proof),
    renewRecoveryCodes: (user: SignedIn, proof: FactorProof) =>
      renewRecoveryCodes(deps, user, proof),
    turnOff: (user: SignedIn, proof: FactorProof) => turnOff(deps, user, proof),
    beginPasskey: (user: SignedIn, proof: SessionProof) =>
      beginPasskey(deps, user, proof),
    addPasskey: (user: SignedIn, made: Parameters<typeof addPasskey>[2]) =>
      addPasskey(deps, user, made),
    removePasskey: (user: SignedIn, proof: SessionProof, id: PasskeyId) =>
      removePasskey(deps, user, proof, id),
  };
}
