import type { NotNull } from "kysely";
import type { Reader, Tx } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { PersonId, UserId } from "../ids.ts";

/** The moderators' decision on one person. */
export type PersonDecision = {
  /** Nothing is accepted from it, nothing is delivered to it, and no one sees anything of it. */
  readonly suspended: boolean;
  /** The reason; shown to administrators and moderators only. */
  readonly suspensionReason: string;
  readonly suspendedAt: Timestamp | null;
  /** Only accounts that have it among their contacts see its public posts and activities. */
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

/** Deletes the decision on a person who is gone: there is nothing left to decide. */
export async function deleteDecision(
  tx: Tx,
  personId: PersonId,
): Promise<void> {
  await tx
    .deleteFrom("person_decisions")
    .where("person_id", "=", personId)
    .execute();
}

/** Lists the suspended local users: few, because each decision was made by hand. */
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
