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

export type DecideDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly accounts: Accounts;
  readonly aspects: Aspects;
  readonly audit: Audit;
  readonly contacts: Contacts;
  readonly people: People;
};

/** The signed-in moderator or admin, or null for the command line. */
export type Decider = Pick<SignedIn, "userId" | "username" | "role"> | null;

export type Decision = "suspend" | "unsuspend" | "silence" | "unsilence";

export type DecideInput = {
  readonly by: Decider;
  readonly personId: PersonId;
  readonly decision: Decision;
  /** For moderators and admins; absent: unchanged. */
  readonly reason?: string | undefined;
};

const MAX_REASON_LENGTH = 1_000;

/**
 * Suspends, silences or reinstates a person. Idempotent, also when run concurrently.
 * @returns false if nothing has changed
 * @throws {KithError} `not_found` for an unknown person, `forbidden` if the decider's role
 * does not reach over the person, `conflict` for the last admin, `bad_request` for a long
 * reason
 */
export async function decide(
  deps: DecideDeps,
  input: DecideInput,
): Promise<boolean> {
  const { people, audit } = deps;
  const reason = input.reason && storableText(input.reason).trim();
  if (reason && [...reason].length > MAX_REASON_LENGTH)
    throw new KithError(
      "bad_request",
      `The reason must have at most ${MAX_REASON_LENGTH} characters.`,
    );
  const person = await people.find({ id: input.personId });
  if (!person || person.state === "closed")
    throw new KithError("not_found", "No such person.");
  const isChanged = await deps.db.transaction(async (tx) => {
    await holdAccount(deps, tx, person, input);
    const now = timestamp(deps.clock.now());
    const { before, after } = await people.decide(tx, person, (held) =>
      changed(held, input.decision, reason, now),
    );
    if (isSame(before, after)) return false;
    // Announces the profile, so that other servers hide or show the person as well.
    if (person.userId !== null && before.suspended !== after.suspended)
      await people.changeProfileIn(tx, person.id, {});
    await audit.recordAct(tx, {
      by: input.by,
      action: ACTIONS[input.decision],
      target: person.handle,
      ...(reason && { details: reason }),
    });
    return true;
  });
  if (input.decision === "suspend" && person.userId === null)
    await endContacts(deps, person.id);
  return isChanged;
}

const ACTIONS: Readonly<Record<Decision, Action>> = {
  suspend: "person.suspend",
  unsuspend: "person.unsuspend",
  silence: "person.silence",
  unsilence: "person.unsilence",
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

async function checkAccount(
  { accounts }: DecideDeps,
  tx: Tx,
  userId: UserId,
  { by, decision }: DecideInput,
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
  }
}

function isSame(before: PersonDecision, after: PersonDecision): boolean {
  return (
    before.suspended === after.suspended &&
    before.suspensionReason === after.suspensionReason &&
    before.silenced === after.silenced &&
    before.silenceReason === after.silenceReason
  );
}
