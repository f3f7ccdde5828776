import type { Db, Tx } from "../../db/db.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import { KithError } from "../../lib/errors.ts";
import { storableText } from "../../lib/well-formed.ts";
import { isAtLeast, type Accounts, type SignedIn } from "../accounts/index.ts";
import type { Aspects } from "../aspects/index.ts";
import type { Action, Audit } from "../audit/index.ts";
import type { Contacts } from "../contacts/index.ts";
import { endContacts } from "../host-policies/index.ts";
import type { PersonId, UserId } from "../ids.ts";
import type { People, Person, PersonDecision } from "../people/index.ts";
import { checkMessage, type Strikes } from "../strikes/index.ts";

export type DecideDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly accounts: Accounts;
  readonly aspects: Aspects;
  readonly audit: Audit;
  readonly contacts: Contacts;
  readonly people: People;
  readonly strikes: Pick<
    Strikes,
    "appeals" | "end" | "record" | "reword" | "settle"
  >;
};

/** The signed-in moderator or admin, or null for the command line. */
export type Decider = Pick<SignedIn, "userId" | "username" | "role"> | null;

/** A warning tells a local person something, and changes nothing else. */
export type Decision =
  "suspend" | "unsuspend" | "silence" | "unsilence" | "warn";

export type DecideInput = {
  readonly by: Decider;
  readonly personId: PersonId;
  readonly decision: Decision;
  /** For moderators and admins; absent: unchanged. */
  readonly reason?: string | undefined;
  /** For a local person, who reads it; absent: unchanged. */
  readonly message?: string | undefined;
};

const MAX_REASON_LENGTH = 1_000;

/**
 * Suspends, silences, warns or reinstates a person. All but warnings are idempotent, also when
 * run concurrently.
 * @returns false if nothing has changed
 * @throws {KithError} `not_found` for an unknown person, `forbidden` if the decider's role
 * does not reach over the person, `conflict` for the last admin, `bad_request` for a long
 * reason or message and for a message to somebody elsewhere, `empty_string` for a warning
 * without words
 */
export async function decide(
  deps: DecideDeps,
  input: DecideInput,
): Promise<boolean> {
  const { people } = deps;
  const words = readWords(input);
  const person = await people.find({ id: input.personId });
  if (!person || person.state === "closed")
    throw new KithError("not_found", "No such person.");
  if (person.userId === null && (words.message || input.decision === "warn"))
    throw new KithError(
      "bad_request",
      "The parameter message must be for an account here.",
    );
  const isChanged = await deps.db.transaction((tx) =>
    decideWithin(deps, tx, person, { ...input, ...words }),
  );
  if (input.decision === "suspend" && person.userId === null)
    await endContacts(deps, person.id);
  return isChanged;
}

function readWords({ decision, ...input }: DecideInput) {
  const reason = input.reason && storableText(input.reason).trim();
  if (reason && [...reason].length > MAX_REASON_LENGTH)
    throw new KithError(
      "bad_request",
      `The reason must have at most ${MAX_REASON_LENGTH} characters.`,
    );
  const message =
    input.message === undefined ? undefined : checkMessage(input.message);
  if (decision === "warn" && !message)
    throw new KithError("empty_string", "A warning must not be blank.");
  return { reason, message };
}

/** The same within a transaction, for a person and words that were checked. */
export async function decideWithin(
  deps: DecideDeps,
  tx: Tx,
  person: Person,
  input: DecideInput,
): Promise<boolean> {
  const { people, audit } = deps;
  const { decision, reason } = input;
  await holdAccount(deps, tx, person, input);
  const now = timestamp(deps.clock.now());
  const { before, after } = await people.decide(tx, person, (held) =>
    changed(held, decision, reason, now),
  );
  const isSame = isSameState(before, after) && isSameReason(before, after);
  const isNotified =
    person.userId !== null &&
    (await recordStrike(deps, tx, input, isSameState(before, after)));
  if (isSame && !isNotified) return false;
  // Announces the profile, so that other servers hide or show the person as well.
  if (person.userId !== null && before.suspended !== after.suspended)
    await people.changeProfileIn(tx, person.id, {});
  await audit.recordAct(tx, {
    by: input.by,
    action: ACTIONS[decision],
    target: person.handle,
    ...(reason && { details: reason }),
  });
  return true;
}

/** @returns has something changed for the person? */
async function recordStrike(
  { strikes }: DecideDeps,
  tx: Tx,
  { decision, personId, message }: DecideInput,
  isSame: boolean,
): Promise<boolean> {
  switch (decision) {
    case "unsuspend":
    case "unsilence":
      if (!isSame) await strikes.end(tx, personId, UNDOES[decision]);
      return !isSame;
    case "suspend":
    case "silence":
      if (isSame && message !== undefined)
        return strikes.reword(tx, personId, decision, message);
      if (isSame) return false;
      break;
    case "warn":
      break;
  }
  await strikes.record(tx, { personId, action: decision, message });
  return true;
}

const UNDOES = { unsuspend: "suspend", unsilence: "silence" } as const;

const ACTIONS: Readonly<Record<Decision, Action>> = {
  suspend: "person.suspend",
  unsuspend: "person.unsuspend",
  silence: "person.silence",
  unsilence: "person.unsilence",
  warn: "person.warn",
};

/** @throws {KithError} `forbidden`, or `conflict` */
async function holdAccount(
  deps: DecideDeps,
  tx: Tx,
  { userId }: Person,
  input: DecideInput,
): Promise<void> {
  if (userId === null) return;
  const check = () => checkAccount(deps, tx, userId, input);
  await (input.decision === "suspend"
    ? deps.accounts.shutOut(tx, userId, check)
    : check());
}

/**
 * May this account be decided about?
 * @throws {KithError} `not_found`, `forbidden`, or `conflict`
 */
export async function checkAccount(
  { accounts }: Pick<DecideDeps, "accounts">,
  tx: Tx,
  userId: UserId,
  { by, decision }: Pick<DecideInput, "by" | "decision">,
): Promise<void> {
  const account = await accounts.findById(userId, tx);
  if (!account) throw new KithError("not_found", "No such account.");
  if (by?.userId === userId)
    throw new KithError("forbidden", "Nobody decides this of itself.");
  if (
    by?.role !== "admin" &&
    by !== null &&
    isAtLeast(account.role, "moderator")
  )
    throw new KithError(
      "forbidden",
      "Moderators are for admins to decide about.",
    );
  const isLast =
    account.role === "admin" && !(await accounts.hasOtherAdmin(tx, userId));
  if (decision === "suspend" && isLast)
    throw new KithError("conflict", "The last admin cannot be suspended.");
}

function changed(
  held: PersonDecision,
  decision: Decision,
  reason: string | undefined,
  now: string,
): PersonDecision {
  switch (decision) {
    case "suspend":
      return {
        ...held,
        suspended: true,
        suspensionReason: reason ?? held.suspensionReason,
        suspendedAt: held.suspendedAt ?? now,
      };
    case "unsuspend":
      return {
        ...held,
        suspended: false,
        suspensionReason: "",
        suspendedAt: null,
      };
    case "silence":
      return {
        ...held,
        silenced: true,
        silenceReason: reason ?? held.silenceReason,
        silencedAt: held.silencedAt ?? now,
      };
    case "unsilence":
      return { ...held, silenced: false, silenceReason: "", silencedAt: null };
    case "warn":
      return held;
  }
}

function isSameState(before: PersonDecision, after: PersonDecision): boolean {
  return (
    before.suspended === after.suspended && before.silenced === after.silenced
  );
}

function isSameReason(before: PersonDecision, after: PersonDecision): boolean {
  return (
    before.suspensionReason === after.suspensionReason &&
    before.silenceReason === after.silenceReason
  );
}
