import type { Db } from "../../db/db.ts";
import { timestamp, type Clock } from "../../lib/clock.ts";
import { newPersonGuid } from "../../lib/guids.ts";
import type { UserId } from "../ids.ts";
import type { People } from "../people/index.ts";
import {
  canonicalUsername,
  isReservedName,
  isUsername,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
  type Account,
  type Role,
} from "./account.ts";
import {
  findAccount,
  insertAccount,
  type NewAccountState,
} from "./account-store.ts";
import type { Credentials } from "./credentials.ts";
import type { KeyPairs } from "./key-pairs.ts";
import type { KeySeal } from "./key-seal.ts";
import { insertKeys } from "./key-store.ts";
import type { Guessing } from "./guessing.ts";

export type SignUpDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly people: People;
  readonly credentials: Credentials;
  readonly keySeal: KeySeal;
  readonly guessing: Guessing;
  /** `host[:port]` of the handles of this server. */
  readonly handleHost: string;
};

export type SignUp = {
  readonly username: string;
  readonly password: string;
  readonly role?: Role;
  readonly state?: NewAccountState;
  /** The network it comes from, if any: its owner is at home there. */
  readonly from?: string;
};

/** Why a sign-up was refused, in the order in which a form shows its messages. */
export type SignUpFault =
  | "username_blank"
  | "username_malformed"
  | "username_taken"
  | "password_too_short"
  | "password_too_long";

export type SignUpResult =
  | { readonly kind: "created"; readonly account: Account }
  | { readonly kind: "refused"; readonly faults: readonly SignUpFault[] };

/** Makes an account with its keys, person and profile. It has no aspect: the first is the user's to make. */
export async function signUp(
  deps: SignUpDeps,
  input: SignUp,
): Promise<SignUpResult> {
  const { db, clock, people, handleHost, credentials } = deps;
  const username = canonicalUsername(input.username);
  const faults = checkSignUp(username, input.password);
  if (faults.length > 0) return { kind: "refused", faults };
  // Keys and hash cost time, so a taken name is found out before.
  if (await findAccount(db.read, { username })) return TAKEN;
  const [passwordHash, keys] = await Promise.all([
    credentials.passwords.hash(input.password),
    credentials.makeKeyPairs(),
  ]);
  const result = await db.transaction<SignUpResult>(async (tx) => {
    const { role = "user", state = "active" } = input;
    const now = timestamp(clock.now());
    const account = { username, passwordHash, role, state };
    const userId = await insertAccount(tx, account, now);
    if (userId === undefined) return TAKEN;
    await insertKeys(tx, userId, sealed(deps, userId, keys));
    const personId = await people.createLocal(tx, {
      guid: newPersonGuid(),
      handle: `${username}@${handleHost}`,
      userId,
      publicKeyPem: keys.rsaPublicPem,
    });
    if (personId === undefined)
      throw new Error(`The handle of ${username} belongs to another person`);
    const created = await findAccount(tx, { id: userId });
    if (!created) throw new Error("The new account cannot be read");
    return { kind: "created", account: created };
  });
  if (result.kind === "created" && input.from !== undefined)
    deps.guessing.noteHome(username, input.from);
  return result;
}

/** Bound to the account, whose id is known only now. */
function sealed({ keySeal }: SignUpDeps, userId: UserId, keys: KeyPairs) {
  return {
    rsa: keySeal.seal(keys.rsaPrivatePem, { userId, kind: "rsa" }),
    ed25519: keySeal.seal(keys.ed25519PrivatePem, { userId, kind: "ed25519" }),
  };
}

const TAKEN: SignUpResult = { kind: "refused", faults: ["username_taken"] };

function checkSignUp(username: string, password: string): SignUpFault[] {
  const faults: SignUpFault[] = [];
  if (username === "") faults.push("username_blank");
  else if (!isUsername(username)) faults.push("username_malformed");
  else if (isReservedName(username)) faults.push("username_taken");
  const length = [...password].length;
  // Blanks alone would be a blank parameter wherever a program gives them.
  if (length < MIN_PASSWORD_LENGTH || password.trim() === "")
    faults.push("password_too_short");
  if (length > MAX_PASSWORD_LENGTH) faults.push("password_too_long");
  return faults;
}
