import type { KeyObject } from "node:crypto";
import { createLruCache } from "../../lib/caching/lru-cache.ts";
import type { Reader, Tx } from "../../db/db.ts";
import type { Notices } from "../../db/postgres/notices.ts";
import { timestamp } from "../../lib/time/clock.ts";
import { KithError } from "../../lib/errors.ts";
import { keepOnce } from "../../lib/caching/keep-once.ts";
import { withCurrentReads } from "../../lib/caching/old-reads.ts";
import type { Limits } from "../../lib/limits/limits.ts";
import type { AppPasswordId, TokenId, UserId } from "../ids.ts";
import { usernameToSignIn, type Account, type SignedIn } from "./account.ts";
import {
  hasAdmin,
  countPending,
  findAccount,
  updateAccountClosed,
  updateLastSeen,
  type StoredAccount,
} from "./account-store.ts";
import { listAppPasswords } from "./stores/app-password-store.ts";
import {
  addAppPassword,
  MAX_APP_PASSWORDS,
  removeAppPassword,
} from "./app-passwords/app-passwords.ts";
import { createBasicSignIn } from "./app-passwords/basic-sign-in.ts";
import {
  hasAnother,
  listRecordsAfter,
} from "./administration/administration-queries.ts";
import { isSetupCode } from "./sign-in/founding.ts";
import type { KeyKind } from "./keys/key-seal.ts";
import { deleteKeys, findStoredKey } from "./keys/key-store.ts";
import {
  changePassword,
  changeWithPassword,
  closeAccount,
  provePassword,
  replacePassword,
  type PasswordProof,
} from "./sign-in/own-password.ts";
import { endAccess, forgetFactors } from "./sign-in/end-access.ts";
import { CODES, createGuessing, RECOVERY_CODES } from "./sign-in/guessing.ts";
import { beginPasskeySignIn, signInWithPasskey } from "./passkeys/passkeys.ts";
import {
  deletePendingSignIn,
  findPendingSignIn,
} from "./stores/pending-sign-in-store.ts";
import {
  finishSignIn,
  type SecondFactorDeps,
} from "./two-factor/second-factor.ts";
import { hasFactor } from "./stores/second-factor-store.ts";
import { createSecurity } from "./security.ts";
import { siteOf } from "./passkeys/webauthn.ts";
import { getPushKey, getServerKey } from "./keys/server-key.ts";
import { createLastAudiences } from "./sign-in/last-audiences.ts";
import { deleteSession } from "./stores/session-store.ts";
import { visit } from "./sign-in/visit.ts";
import { changeSettings, getSettings } from "./settings.ts";
import {
  lockAccount,
  lockAdmins,
  lockLivingSession,
  signIn,
  type SignInFrom,
} from "./sign-in/sign-in.ts";
import {
  takeOverAccount,
  type AccountToTakeOver,
} from "./sign-in/take-over-account.ts";
export { isPossibleUsername } from "./sign-in/take-over-account.ts";
export { setupCodeOf } from "./sign-in/founding.ts";
import { signUp, type SignUp, type SignUpDeps } from "./sign-in/sign-up.ts";
import { deleteToken } from "./stores/token-store.ts";
import {
  authenticate,
  issueToken,
  listLivingTokens,
  type TokenDeps,
} from "./tokens/tokens.ts";

export type {
  AccessToken,
  IssuedToken,
  Role,
  Session,
  Settings,
  SignedIn,
} from "./account.ts";
export {
  isAtLeast,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
} from "./account.ts";
export {
  createAdministration,
  type AccountKey,
  type Administration,
} from "./administration/administer.ts";
export type {
  AccountFilter,
  AccountRecord,
} from "./administration/administration-queries.ts";
export { createCredentials, type Credentials } from "./sign-in/credentials.ts";
export { createPasswords } from "./sign-in/passwords.ts";
export type { KeyPairs } from "./keys/key-pairs.ts";
export { hashSecret } from "./keys/hash-secret.ts";
export { createKeySeal, type KeySeal } from "./keys/key-seal.ts";
export {
  createFactorSeal,
  createMailSeal,
  createPushSeal,
  type BoundSeal,
} from "./keys/seal.ts";
export {
  describeOpenSecret,
  examineSecretKey,
  openSecretKey,
} from "./open-secret-key.ts";
export { createTokenSeal } from "./keys/token-seal.ts";
export type { AppPassword } from "./stores/app-password-store.ts";
export {
  MAX_APP_PASSWORD_NAME,
  type NewAppPassword,
} from "./app-passwords/app-passwords.ts";
export { MAX_PASSKEY_NAME } from "./passkeys/passkeys.ts";
export type { WaysIn } from "./security.ts";
export type { TotpKey } from "./two-factor/totp.ts";
export { CodeNeeded } from "./tokens/tokens.ts";
export type { BirthFault } from "./sign-in/check-birth.ts";
export { MAX_REASON_LENGTH, type SignUpFault } from "./sign-in/sign-up.ts";

const HOUR_MS = 3_600_000;

export type AccountsDeps = Omit<
  SignUpDeps & TokenDeps & SecondFactorDeps,
  "guessing" | "guessingCodes" | "guessingRecoveryCodes" | "signUps"
> & {
  readonly limits: Limits;
  /** Lets the first admin sign up. */
  readonly setupCode: string;
  /** Sign-ups without an invitation per network; unlimited if absent. */
  readonly signUpsPerHour?: number;
  /** The URL at which browsers reach Kith: passkeys are valid only there. */
  readonly baseUrl: string;
  /** Notifies other processes, which cache accounts' keys, too. */
  readonly notices?: Notices;
};

/** Accounts: who signs in here and how, and their signing keys. */
export type Accounts = ReturnType<typeof createAccounts>;

const MAX_CACHED_KEYS = 1000;

export function createAccounts(given: AccountsDeps) {
  const deps = {
    ...given,
    guessing: createGuessing(given.limits),
    signUps: given.limits.create("sign_up", "address", {
      max: given.signUpsPerHour ?? Infinity,
      windowMs: HOUR_MS,
    }),
    guessingCodes: createGuessing(given.limits, CODES),
    guessingRecoveryCodes: createGuessing(given.limits, RECOVERY_CODES),
    site: siteOf(given.baseUrl),
  };
  const { db, clock } = deps;
  const keys = createLruCache<string, KeyObject>({ max: MAX_CACHED_KEYS });

  /**
   * Opening and parsing a key costs as much as using it, so parsed keys are cached. An
   * account's key never changes.
   */
  async function getKey(userId: UserId, kind: KeyKind): Promise<KeyObject> {
    const cached = keys.get(`${kind}:${userId}`);
    if (cached) return cached;
    const stored = await withCurrentReads(() =>
      findStoredKey(db.read, userId, kind),
    );
    if (stored === undefined)
      throw new KithError("not_found", "No such account.");
    const key = deps.keySeal.open(stored, { userId, kind });
    keys.set(`${kind}:${userId}`, key);
    return key;
  }

  /** @param userId all users, if absent */
  function dropKeys(userId?: string): void {
    if (userId === undefined) keys.clear();
    for (const kind of ["rsa", "ed25519"]) keys.delete(`${kind}:${userId}`);
  }
  deps.notices?.listen("account-keys", dropKeys);

  return {
    signUp: (input: SignUp) => signUp(deps, input),
    /** Of a server that moves here: nobody is notified. @returns undefined for a taken name */
    takeOver: (account: AccountToTakeOver) => takeOverAccount(deps, account),
    /** Is there an admin who can sign in? */
    hasAdmin: () => hasAdmin(db.read),
    /** Has there never been an account? */
    isNew: async () => (await listRecordsAfter(db.read, 0, 1)).length === 0,
    /** For the operator, who hands it to the first admin. */
    setupCode: deps.setupCode,
    /** Is it the code of the first admin? It has no effect once there is one. */
    isSetupCode: (typed: string) => isSetupCode(deps.setupCode, typed),
    signIn: (username: string, password: string, from?: SignInFrom) =>
      signIn(deps, username, password, from),
    /** Does this sign-in wait for the second factor? */
    isSignInPending: async (pending: string) =>
      (await findPendingSignIn(db.read, pending, timestamp(clock.now()))) !==
      undefined,
    finishSignIn: (pending: string, code: string, from: SignInFrom) =>
      finishSignIn(deps, pending, code, from),
    dropPendingSignIn: (pending: string) =>
      db.transaction((tx) => deletePendingSignIn(tx, pending)),
    beginPasskeySignIn: () => beginPasskeySignIn(deps),
    signInWithPasskey: (response: string, userAgent: string | undefined) =>
      signInWithPasskey(deps, response, userAgent),
    /** The owner's view of all ways to sign in to the account. */
    security: createSecurity(deps),
    hasSecondFactor: (userId: UserId) => hasFactor(db.read, userId),
    signOut: (secret: string) =>
      db.transaction((tx) => deleteSession(tx, secret)),
    findSession: (secret: string) => visit(deps, secret),
    lastAudiences: createLastAudiences(deps),
    issueToken: (input: Parameters<typeof issueToken>[1]) =>
      issueToken(deps, input),
    authenticate: (token: string) => authenticate(deps, token),
    /** Makes the changes of an account wait for each other. */
    lock: (tx: Tx, userId: UserId) => lockAccount(db, tx, userId),
    /** @throws {KithError} `unauthorized` if the session has ended */
    lockSession: (tx: Tx, userId: UserId, session: string) =>
      lockLivingSession(deps, tx, userId, session),
    /** Records that the user was there. */
    noteSeen: (userId: UserId) =>
      db.transaction((tx) =>
        updateLastSeen(tx, userId, timestamp(clock.now())),
      ),
    listTokens: (userId: UserId) => listLivingTokens(deps, userId),
    deleteToken: (userId: UserId, id: TokenId) =>
      db.transaction(async (tx) => {
        if (!(await deleteToken(tx, userId, id)))
          throw new KithError("not_found", "No such token.");
      }),
    /** Signs in a program that sends a password with each request. */
    signInBasic: createBasicSignIn(deps),
    listAppPasswords: (userId: UserId) =>
      listAppPasswords(db.read, userId, MAX_APP_PASSWORDS),
    addAppPassword: (
      user: SignedIn,
      proof: Parameters<typeof addAppPassword>[2],
      name: string,
    ) => addAppPassword(deps, user, proof, name),
    removeAppPassword: (userId: UserId, id: AppPasswordId) =>
      db.transaction((tx) => removeAppPassword(tx, userId, id)),
    getSettings: (userId: UserId) => getSettings(db.read, userId),
    changeSettings: (
      userId: UserId,
      changes: Parameters<typeof changeSettings>[2],
      check?: Parameters<typeof changeSettings>[3],
    ) => changeSettings(deps, userId, changes, check),
    /** By the username, or the whole address of somebody here. */
    find: async (username: string): Promise<Account | undefined> =>
      findAccount(db.read, {
        username: usernameToSignIn(username, deps.handleHost),
      }),
    /** Counts the accounts that wait for approval. */
    countPending: () => countPending(db.read),
    changePassword: (
      user: SignedIn,
      change: Parameters<typeof changePassword>[2],
    ) => changePassword(deps, user, change),
    /** Makes a change for a user who gave the password. @throws as `provePassword` */
    changeWithPassword: <T>(
      user: SignedIn,
      proof: PasswordProof,
      change: (tx: Tx) => Promise<T>,
    ) => changeWithPassword(deps, user, proof, change),
    replacePassword: (
      wanted: string,
      proof: Parameters<typeof replacePassword>[2],
    ) => replacePassword(deps, wanted, proof),
    /** @throws {KithError} `unauthorized` or `too_many_requests` */
    provePassword: (user: SignedIn, password: string, from?: string) =>
      provePassword(deps, user, password, from),
    /**
     * Closes an account whose password was proven.
     * @throws {KithError} `unauthorized` if it was changed meanwhile
     */
    close: (tx: Tx, proven: StoredAccount) => closeAccount(deps, tx, proven),
    /** Closes a moved account: the move was announced by other servers, and verified. */
    closeMoved: async (tx: Tx, userId: UserId) => {
      await updateAccountClosed(tx, userId, timestamp(clock.now()));
      await endAccess(deps, tx, userId);
      await forgetFactors(tx, userId);
    },
    /**
     * Locks the account for the transaction that suspends it, and ends every session and
     * token: a concurrent sign-in waits and then finds the account suspended. Changes that
     * take away an admin's rights wait for each other.
     * @param check refuses by throwing, under the locks and before anything is written
     */
    shutOut: async (tx: Tx, userId: UserId, check: () => Promise<void>) => {
      await lockAccount(db, tx, userId);
      await lockAdmins(db, tx);
      await check();
      await endAccess(deps, tx, userId);
    },
    findById: (userId: UserId, reader: Reader = db.read) =>
      findAccount(reader, { id: userId }),
    /** Is there another admin who can sign in? */
    hasOtherAdmin: (tx: Tx, userId: UserId) => hasAnother(tx, "admin", userId),
    /** Can messages still be signed, or read, on behalf of this user? */
    hasKeys: async (userId: UserId) =>
      (await findStoredKey(db.read, userId, "rsa")) !== undefined,
    /** Deletes the keys of a closed account, once no delivery needs them any more. */
    forgetKeys: async (userId: UserId) => {
      await db.transaction((tx) => deleteKeys(tx, userId));
      dropKeys(String(userId));
      deps.notices?.notify("account-keys", String(userId));
    },
    /**
     * RSA: signs requests, envelopes and relayables.
     * @throws {KithError} `not_found`
     */
    getPrivateKey: (userId: UserId) => getKey(userId, "rsa"),
    /**
     * Ed25519: creates the integrity proofs of public content.
     * @throws {KithError} `not_found`
     */
    getProofKey: (userId: UserId) => getKey(userId, "ed25519"),
    /** The server's own key, which signs requests made for no user. Created on first use. */
    getServerKey: keepOnce(() => getServerKey(deps)),
    /** The key that identifies the server to push services. Created on first use. */
    getPushKey: keepOnce(() => getPushKey(deps)),
  };
}
