import type { Reader, Tx } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { PersonId } from "../../features/ids.ts";

export type PersonKeyRow = {
  readonly personId: PersonId;
  readonly publicKeyPem: string;
  readonly fetchedAt: Timestamp;
};

/** An ActivityPub key by its full id, fragment included. */
export async function findPersonKey(
  reader: Reader,
  keyId: string,
): Promise<PersonKeyRow | undefined> {
  const row = await reader
    .selectFrom("person_keys")
    .select(["person_id", "public_key_pem", "fetched_at"])
    .where("key_id", "=", keyId)
    .executeTakeFirst();
  return (
    row && {
      personId: row.person_id,
      publicKeyPem: row.public_key_pem,
      fetchedAt: row.fetched_at,
    }
  );
}

/** Replaces all ActivityPub keys of a person: those that its actor no longer lists are gone. */
export async function replacePersonKeys(
  tx: Tx,
  personId: PersonId,
  keys: readonly { keyId: string; publicKeyPem: string }[],
  now: Timestamp,
): Promise<void> {
  await tx
    .deleteFrom("person_keys")
    .where("person_id", "=", personId)
    .execute();
  for (const key of keys)
    await tx
      .insertInto("person_keys")
      .values({
        key_id: key.keyId,
        person_id: personId,
        public_key_pem: key.publicKeyPem,
        fetched_at: now,
      })
      .onConflict((conflict) => conflict.column("key_id").doNothing())
      .execute();
}
