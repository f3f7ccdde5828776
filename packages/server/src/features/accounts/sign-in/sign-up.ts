import type { Db, Tx } from "../../../db/db.ts";
import { timestamp, type Clock } from "../../../lib/time/clock.ts";
import { readTimeZone } from "../../../lib/time/datetime.ts";
import { KithError } from "../../../lib/errors.ts";
import { storableText } from "../../../lib/well-formed.ts";
import type { Audit, Doer } from "../../audit/index.ts";
import type { Bans, BanSeverity } from "../../bans/index.ts";
import type { InvitationId, UserId } from "../../ids.ts";
import type { Invitations } from "../../invitations/index.ts";
import {
  canonicalUsername,
  isReservedName,
  isUsername,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
  type Account,
  type Role,
} from "../account.ts";
import {
  findAccount,
  insertAccount,
  updateInvitation,
} from "../account-store.ts";
import type { Credentials } from "./credentials.ts";
import type { Limit } from "../../../lib/limits/limits.ts";
import { refuseSecondFounder } from "./founding.ts";
import type { Guessing } from "./guessing.ts";
import type { KeyPairs } from "../keys/key-pairs.ts";
import { checkBirth, type BirthFault } from "./check-birth.ts";
import { makePerson, type MakePersonDeps } from "./make-person.ts";

export type SignUpDeps = MakePersonDeps & {
  readonly db: Db;
  readonly clock: Clock;
  readonly credentials: Credentials;
  readonly guessing: Guessing;
  readonly audit: Audit;
  readonly invitations: Pick<Invitations, "isUsable" | "use">;
  readonly bans: Pick<Bans, "judge" | "judgeWithin">;
  /** The age in years from which people may sign up; 0: any. */
  readonly findMinAge: () => Promise<number>;
  /** Limits the sign-ups from one network. */
  readonly signUps: Limit;
  /** Tells moderators of an account that waits for them. */
  readonly notifyStaff: (tx: Tx) => Promise<void>;
};

export type SignUp = {
  readonly username: string;
  readonly password: string;
  readonly role?: Role;
  /** Becomes the first admin: there is no other. */
  readonly isFounder?: boolean;
  /** `pending`: waits for approval, and is not yet visible to others. */
  readonly state?: "active" | "pending";
  /** The reason for joining, for moderators. At most 1,000 characters. */
  readonly reason?: string;
  /** The code of an invitation, which makes the account active at once. */
  readonly invitation?: string;
  /** The administrator who creates the account, if any. */
  readonly by?: Doer;
  /** The source network, if any: it becomes a usual network of the account. */
  readonly from?: string;
  /** The mail address that is to be confirmed, if any: it may be banned. */
  readonly mail?: string;
  /** A date such as `1990-12-31`, where there is a minimum age: it is checked and not stored. */
  readonly dateOfBirth?: string;
  /** The language of the account; English by default. */
  readonly locale?: string;
  /** Its time zone, an IANA name; UTC by default, and where there is no such zone. */
  readonly timeZone?: string;
  /** Done with the new account, in the same transaction. */
  readonly also?: (tx: Tx, id: UserId) => Promise<void>;
};

/** Reasons for refusing a sign-up, in the order in which a form shows its messages. */
export type SignUpFault =
  | "username_blank"
  | "username_malformed"
  | "username_taken"
  | "username_reserved"
  | "password_too_short"
  | "password_too_long"
  | "reason_too_long"
  | "network_refused"
  | "email_refused";

export type SignUpResult =
  | { readonly kind: "created"; readonly account: Account }
  | {
      readonly kind: "refused";
      readonly faults: readonly (BirthFault | SignUpFault)[];
    };

/** Counted in code points. */
export const MAX_REASON_LENGTH = 1_000;

/**
 * Creates an account with its keys, person and profile. It has no aspect: the user creates
 * the first. A pending account gets its keys and person on approval.
 * @throws {KithError} `invitation_refused` if the invitation is not valid,
 *   `too_many_requests` if its network has created many, `not_found` for a second founder
 */
export async function signUp(
  deps: SignUpDeps,
  input: SignUp,
): Promise<SignUpResult> {
  const { db, invitations } = deps;
  const username = canonicalUsername(input.username);
  const faults = [
    ...checkSignUp(username, input),
    ...(await checkAge(deps, input)),
  ];
  if (faults.length > 0) return { kind: "refused", faults };
  const { invitation } = input;
  if (invitation !== undefined && !(await invitations.isUsable(invitation)))
    throw refusedInvitation();
  const met = await meetBans(input, deps.bans.judge);
  if (met.faults.length > 0) return { kind: "refused", faults: met.faults };
  // Keys and hash are slow, so check first whether the name is taken.
  if (await findAccount(db.read, { username })) return TAKEN;
  // Sign-ups with an invitation count towards the inviter's limit instead.
  const { from } = input;
  const counted = invitation === undefined ? from : undefined;
  if (counted !== undefined && !deps.signUps.take(counted))
    throw deps.signUps.refuse(counted);
  const result = await make(deps, {
    ...{ ...input, username },
    ...(met.needsApproval && { state: "pending" }),
  });
  if (result.kind === "refused" && counted !== undefined)
    deps.signUps.giveBack(counted);
  if (result.kind === "created" && from !== undefined)
    deps.guessing.noteHome(username, from);
  return result;
}

/**
 * The founder is nobody's guest, and an administrator may create any account. An invitation
 * vouches for its guest where approval would be needed, and opens no door that is shut.
 */
async function meetBans(
  { from, mail, isFounder = false, by }: SignUp,
  judge: Bans["judge"],
): Promise<{ faults: SignUpFault[]; needsApproval: boolean }> {
  if (isFounder || by !== undefined)
    return { faults: [], needsApproval: false };
  const met = await judge({ from, mail });
  const isRefused = (severity: BanSeverity | undefined) =>
    severity !== undefined && severity !== "approval";
  return {
    faults: [
      ...(isRefused(met.network) ? ["network_refused" as const] : []),
      ...(isRefused(met.mail) ? ["email_refused" as const] : []),
    ],
    needsApproval: (met.network ?? met.mail) !== undefined,
  };
}

/** The founder runs the server, and an administrator may create any account. */
async function checkAge(
  { clock, findMinAge }: SignUpDeps,
  { isFounder = false, by, dateOfBirth = "" }: SignUp,
): Promise<BirthFault[]> {
  if (isFounder || by !== undefined) return [];
  const minAge = await findMinAge();
  const fault =
    minAge > 0 ? checkBirth(dateOfBirth, minAge, clock.now()) : undefined;
  return fault === undefined ? [] : [fault];
}

async function make(deps: SignUpDeps, input: SignUp): Promise<SignUpResult> {
  const { db, credentials } = deps;
  const waits = input.state === "pending" && input.invitation === undefined;
  const [passwordHash, keys] = await Promise.all([
    credentials.passwords.hash(input.password),
    waits ? undefined : credentials.makeKeyPairs(),
  ]);
  const account = { ...input, passwordHash, keys };
  return db.transaction((tx) => create(deps, tx, account));
}

async function create(
  deps: SignUpDeps,
  tx: Tx,
  input: SignUp & {
    readonly passwordHash: string;
    /** undefined for an account that waits for approval. */
    readonly keys: KeyPairs | undefined;
  },
): Promise<SignUpResult> {
  const { username, passwordHash, isFounder, reason = "" } = input;
  // A ban may have been set while the password was hashed.
  const met = await meetBans(input, (it) => deps.bans.judgeWithin(tx, it));
  if (met.faults.length > 0) return { kind: "refused", faults: met.faults };
  const waits = met.needsApproval && input.invitation === undefined;
  const keys = waits ? undefined : input.keys;
  if (isFounder) await refuseSecondFounder(deps.db, tx);
  const role = isFounder ? "admin" : (input.role ?? "user");
  const now = timestamp(deps.clock.now());
  const id = await insertAccount(
    tx,
    {
      ...{ username, passwordHash, role },
      state: keys ? "active" : "pending",
      reason: keys || reason === "" ? null : storableText(reason),
      locale: input.locale,
      timeZone: readTimeZone(input.timeZone ?? ""),
    },
    now,
  );
  if (id === undefined) return TAKEN;
  if (input.invitation !== undefined)
    await updateInvitation(tx, id, await accept(deps, tx, input.invitation));
  if (keys) await makePerson(deps, tx, { id, username }, keys);
  else await deps.notifyStaff(tx);
  await input.also?.(tx, id);
  if (input.by !== undefined)
    await deps.audit.recordAct(tx, {
      by: input.by,
      action: "account.create",
      target: username,
    });
  const account = await findAccount(tx, { id });
  if (!account) throw new Error("The new account cannot be read");
  return { kind: "created", account };
}

/** The invitation may have been used up concurrently: then no account is created. */
async function accept(
  { invitations }: SignUpDeps,
  tx: Tx,
  code: string,
): Promise<InvitationId> {
  const id = await invitations.use(tx, code);
  if (id === undefined) throw refusedInvitation();
  return id;
}

function refusedInvitation(): KithError {
  return new KithError("invitation_refused", "It lets nobody in.");
}

const TAKEN: SignUpResult = { kind: "refused", faults: ["username_taken"] };

function checkSignUp(
  username: string,
  { password, reason = "" }: SignUp,
): SignUpFault[] {
  const faults: SignUpFault[] = [];
  if (username === "") faults.push("username_blank");
  else if (!isUsername(username)) faults.push("username_malformed");
  else if (isReservedName(username)) faults.push("username_reserved");
  const length = [...password].length;
  // Many programs treat a parameter of white space as blank.
  if (length < MIN_PASSWORD_LENGTH || password.trim() === "")
    faults.push("password_too_short");
  if (length > MAX_PASSWORD_LENGTH) faults.push("password_too_long");
  if ([...reason].length > MAX_REASON_LENGTH) faults.push("reason_too_long");
  return faults;
}
