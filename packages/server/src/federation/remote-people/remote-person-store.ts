import type { Insertable } from "kysely";
import type { Tx } from "../../db/db.ts";
import { prepareQuery } from "../../db/prepared-query.ts";
import type { Addresses, Protocol } from "../../db/schema/remote-person.ts";
import type { Database } from "../../db/schema/schema.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { PersonId } from "../../features/ids.ts";

type NewRemotePerson = {
  readonly personId: PersonId;
  readonly hasDiasporaKey: boolean;
  readonly diasporaGuid: string | null;
  readonly protocol: Protocol;
  /** The preferred protocol gave no answer, and may still replace this one. */
  readonly isProtocolOpen: boolean;
  readonly addresses: Addresses;
};

/** @returns false where the actor belongs to another person already */
export async function insertRemotePerson(
  tx: Tx,
  person: NewRemotePerson,
  now: Timestamp,
): Promise<boolean> {
  const columns = {
    person_id: person.personId,
    has_diaspora_key: person.hasDiasporaKey,
    diaspora_guid: person.diasporaGuid,
    protocol: person.protocol,
    protocol_open: person.isProtocolOpen,
    ...addressColumns(person.addresses),
    discovered_at: now,
  };
  return (await insertRow(tx, columns)).length > 0;
}

type Columns = Pick<
  Insertable<Database["remote_people"]>,
  | "person_id"
  | "has_diaspora_key"
  | "diaspora_guid"
  | "protocol"
  | "discovered_at"
> & { protocol_open: boolean } & ReturnType<typeof addressColumns>;

const insertRow = prepareQuery<Columns, { person_id: PersonId }>(
  (reader, value) =>
    reader
      .insertInto("remote_people")
      .values({
        person_id: value("person_id"),
        has_diaspora_key: value("has_diaspora_key"),
        diaspora_guid: value("diaspora_guid"),
        protocol: value("protocol"),
        protocol_open: value("protocol_open"),
        uri: value("uri"),
        inbox_uri: value("inbox_uri"),
        shared_inbox_uri: value("shared_inbox_uri"),
        followers_uri: value("followers_uri"),
        seed_location: value("seed_location"),
        profile_url: value("profile_url"),
        discovered_at: value("discovered_at"),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning("person_id")
      .compile(),
);

/** Stores a person's current addresses. Guid, key and protocol are pinned and stay. */
export async function updateAddresses(
  tx: Tx,
  personId: PersonId,
  addresses: Addresses,
  now: Timestamp,
): Promise<void> {
  await tx
    .updateTable("remote_people")
    .set({ ...addressColumns(addresses), discovered_at: now })
    .where("person_id", "=", personId)
    .execute();
}

/** @param isOpen the preferred protocol gave no answer, and may still replace this one */
export async function updateProtocol(
  tx: Tx,
  personId: PersonId,
  protocol: Protocol,
  isOpen: boolean,
): Promise<void> {
  await tx
    .updateTable("remote_people")
    .set({ protocol, protocol_open: isOpen })
    .where("person_id", "=", personId)
    .execute();
}

/** Did the preferred protocol give no answer when a person's protocol was chosen? */
export async function isProtocolOpen(
  tx: Tx,
  personId: PersonId,
): Promise<boolean> {
  const row = await tx
    .selectFrom("remote_people")
    .select("protocol_open")
    .where("person_id", "=", personId)
    .executeTakeFirst();
  return Boolean(row?.protocol_open);
}

/** Stores a person's Guid as confirmed by its diaspora* server. An existing one stays. */
export async function pinDiasporaGuid(
  tx: Tx,
  personId: PersonId,
  guid: string,
): Promise<void> {
  await tx
    .updateTable("remote_people")
    .set({ diaspora_guid: guid })
    .where("person_id", "=", personId)
    .where("diaspora_guid", "is", null)
    .execute();
}

/** @returns false where the person has a diaspora* key, which is never replaced */
export async function pinDiasporaKey(
  tx: Tx,
  personId: PersonId,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("remote_people")
    .set({ has_diaspora_key: true })
    .where("person_id", "=", personId)
    .where("has_diaspora_key", "=", false)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes what federation keeps of people, before they are deleted. */
export async function deleteRemotePeople(
  tx: Tx,
  ids: readonly PersonId[],
): Promise<void> {
  await tx.deleteFrom("person_keys").where("person_id", "in", ids).execute();
  await tx.deleteFrom("remote_people").where("person_id", "in", ids).execute();
}

function addressColumns(addresses: Addresses) {
  return {
    uri: addresses.actorUri,
    inbox_uri: addresses.inboxUri,
    shared_inbox_uri: addresses.sharedInboxUri,
    followers_uri: addresses.followersUri,
    seed_location: addresses.seedLocation,
    profile_url: addresses.profileUrl,
  };
}
