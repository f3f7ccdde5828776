import type { Reader, Tx } from "../../db/db.ts";
import { isListed } from "../../db/prepared-query.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { PersonId, UserId } from "../ids.ts";

export async function listNotesAmong(
  reader: Reader,
  userId: UserId,
  personIds: readonly PersonId[],
): Promise<Map<PersonId, string>> {
  if (personIds.length === 0) return new Map();
  const rows = await reader
    .selectFrom("person_notes")
    .select(["person_id", "text"])
    .where("user_id", "=", userId)
    .where(isListed(reader, "person_id", JSON.stringify(personIds)))
    .execute();
  return new Map(rows.map((row) => [row.person_id, row.text]));
}

export async function saveNote(
  tx: Tx,
  userId: UserId,
  personId: PersonId,
  text: string,
  now: Timestamp,
): Promise<void> {
  await tx
    .insertInto("person_notes")
    .values({
      ...{ user_id: userId, person_id: personId, text },
      ...{ created_at: now, updated_at: now },
    })
    .onConflict((conflict) =>
      conflict
        .columns(["user_id", "person_id"])
        .doUpdateSet({ text, updated_at: now }),
    )
    .execute();
}

export async function deleteNote(
  tx: Tx,
  userId: UserId,
  personId: PersonId,
): Promise<void> {
  await tx
    .deleteFrom("person_notes")
    .where("user_id", "=", userId)
    .where("person_id", "=", personId)
    .execute();
}

/** Deletes notes by or about a person who has left. @returns how many */
export async function deleteSomeNotesOf(
  tx: Tx,
  { personId, userId }: { personId: PersonId; userId: UserId | null },
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("person_notes")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("person_notes as gone")
        .select("gone.id")
        .where((or) =>
          or.or([
            or("gone.person_id", "=", personId),
            ...(userId === null ? [] : [or("gone.user_id", "=", userId)]),
          ]),
        )
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
