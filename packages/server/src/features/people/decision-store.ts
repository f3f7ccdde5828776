import type { NotNull } from "kysely";
import type { Reader, Tx } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { PersonId, UserId } from "../ids.ts";

/** What those who run this server have decided of one person. */
export type PersonDecision = {
  /** Nothing is taken from it, nothing goes to it, and nobody sees anything of it. */
  readonly suspended: boolean;
  /** Why; for those who run this server. */
  readonly suspensionReason: string;
  readonly suspendedAt: Timestamp | null;
  /** Its public posts, and what it does, come to those alone who have it among their contacts. */
  readonly silenced: boolean;
  readonly silenceReason: string;
  readonly silencedAt: Timestamp | null;
};

export const UNDECIDED: PersonDecision = {
  suspended: false,
  suspensionReason: "",
  suspendedAt: null,
  silenced: false,
  silenceReason: "",
  silencedAt: null,
};

export async function findDecision(
  reader: Reader,
  personId: PersonId,
): Promise<PersonDecision> {
  const row = await reader
    .selectFrom("person_decisions")
    .selectAll()
    .where("person_id", "=", personId)
    .executeTakeFirst();
  if (!row) return UNDECIDED;
  return {
    suspended: Boolean(row.suspended),
    suspensionReason: row.suspension_reason,
    suspendedAt: row.suspended_at,
    silenced: Boolean(row.silenced),
    silenceReason: row.silence_reason,
    silencedAt: row.silenced_at,
  };
}

export async function saveDecision(
  tx: Tx,
  personId: PersonId,
  decision: PersonDecision,
): Promise<void> {
  await deleteDecision(tx, personId);
  if (!decision.suspended && !decision.silenced) return;
  await tx
    .insertInto("person_decisions")
    .values({
      person_id: personId,
      suspended: decision.suspended,
      suspension_reason: decision.suspensionReason,
      suspended_at: decision.suspendedAt,
      silenced: decision.silenced,
      silence_reason: decision.silenceReason,
      silenced_at: decision.silencedAt,
    })
    .execute();
}

/** Of somebody who is gone there is nothing left to decide. */
export async function deleteDecision(
  tx: Tx,
  personId: PersonId,
): Promise<void> {
  await tx
    .deleteFrom("person_decisions")
    .where("person_id", "=", personId)
    .execute();
}

/** The users here who are suspended: few, as each was decided by hand. */
export async function listSuspendedUsers(reader: Reader): Promise<Set<UserId>> {
  const rows = await reader
    .selectFrom("person_decisions")
    .innerJoin("people", "people.id", "person_decisions.person_id")
    .select("people.user_id")
    .where("person_decisions.suspended", "=", true)
    .where("people.user_id", "is not", null)
    .$narrowType<{ user_id: NotNull }>()
    .execute();
  return new Set(rows.map((row) => row.user_id));
}
