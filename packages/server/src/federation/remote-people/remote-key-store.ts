import { sql } from "kysely";
import type { Reader, Tx } from "../../db/db.ts";
import { prepareQuery } from "../../db/prepared-query.ts";
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
  const [row] = await byKeyId(reader, { keyId });
  return row;
}

const byKeyId = prepareQuery<{ keyId: string }, PersonKeyRow>((reader, value) =>
  reader
    .selectFrom("person_keys")
    .select(["person_id as personId", "public_key_pem as publicKeyPem"])
    .select("fetched_at as fetchedAt")
    .where("key_id", "=", value("keyId"))
    .compile(),
);

/** Replaces all ActivityPub keys of a person: those that its actor no longer lists are gone. */
export async function replacePersonKeys(
  tx: Tx,
  personId: PersonId,
  keys: readonly { keyId: string; publicKeyPem: string }[],
  now: Timestamp,
): Promise<void> {
  await deleteKeys(tx, { personId });
  for (const key of keys) await insertKey(tx, { ...key, personId, now });
}

const deleteKeys = prepareQuery<{ personId: PersonId }, never>(
  (reader, value) =>
    sql<never>`delete from person_keys
      where person_id = ${value("personId")}`.compile(reader),
);

type NewKey = {
  keyId: string;
  personId: PersonId;
  publicKeyPem: string;
  now: Timestamp;
};

const insertKey = prepareQuery<NewKey, never>((reader, value) =>
  sql<never>`insert into person_keys (key_id, person_id, public_key_pem, fetched_at)
    values (${value("keyId")}, ${value("personId")}, ${value("publicKeyPem")}, ${value("now")})
    on conflict (key_id) do nothing`.compile(reader),
);
