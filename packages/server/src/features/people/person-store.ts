import type { Reader, Tx } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { PersonId, UserId } from "../ids.ts";
import { storeList } from "../stored-list.ts";
import { findDecision } from "./decision-store.ts";
import {
  unite,
  type Addresses,
  type ProfileChanges,
  type Protocol,
  type ModerationState,
  type DetailAudiences,
} from "./person.ts";

type NewPerson = {
  readonly guid: string;
  readonly handle: string;
  readonly userId: UserId | null;
  readonly publicKeyPem: string;
  readonly hasDiasporaKey: boolean;
  readonly diasporaGuid: string | null;
  readonly protocol: Protocol | null;
  readonly isProtocolOpen?: boolean;
  readonly addresses: Addresses;
};

/** @returns undefined where guid, handle or actor URI belong to somebody already */
export async function insertPerson(
  tx: Tx,
  person: NewPerson,
  now: Timestamp,
): Promise<PersonId | undefined> {
  const row = await tx
    .insertInto("people")
    .values({
      guid: person.guid,
      handle: person.handle,
      user_id: person.userId,
      public_key_pem: person.publicKeyPem,
      has_diaspora_key: person.hasDiasporaKey,
      diaspora_guid: person.diasporaGuid,
      protocol: person.protocol,
      protocol_open: person.isProtocolOpen ?? false,
      state: "active",
      ...addressColumns(person.addresses),
      discovered_at: person.userId === null ? now : null,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!row) return undefined;
  await insertProfile(tx, row.id, now);
  return row.id as PersonId;
}

async function insertProfile(
  tx: Tx,
  personId: number,
  now: Timestamp,
): Promise<void> {
  await tx
    .insertInto("profiles")
    .values({
      person_id: personId,
      first_name: "",
      last_name: "",
      full_name: "",
      image_url: "",
      image_url_small: "",
      image_url_medium: "",
      birthday: null,
      gender: "",
      bio: "",
      location: "",
      searchable: true,
      bio_for: "everyone",
      birthday_for: "contacts",
      gender_for: "contacts",
      location_for: "contacts",
      nsfw: false,
      created_at: now,
      updated_at: now,
    })
    .execute();
}

export async function updateProfile(
  tx: Tx,
  personId: PersonId,
  changes: ProfileChanges,
  now: Timestamp,
  editedAt?: Timestamp,
): Promise<void> {
  const shownTo = audiencesOf(changes);
  const columns = {
    first_name: changes.firstName,
    last_name: changes.lastName,
    full_name: changes.fullName,
    image_url: changes.imageUrl,
    image_url_small: changes.imageUrlSmall,
    image_url_medium: changes.imageUrlMedium,
    birthday: changes.birthday,
    gender: changes.gender,
    bio: changes.bio,
    location: changes.location,
    searchable: changes.searchable,
    bio_for: shownTo.bio,
    birthday_for: shownTo.birthday,
    gender_for: shownTo.gender,
    location_for: shownTo.location,
    nsfw: changes.nsfw,
    fields: changes.fields && storeList(changes.fields),
    emojis: changes.emojis && storeList(changes.emojis),
    header_url:
      changes.headerUrl === undefined ? undefined : changes.headerUrl || null,
    locked: changes.locked,
    indexable: changes.indexable,
    edited_at: editedAt,
  };
  // Kysely leaves out what is undefined, so that absent means unchanged.
  await tx
    .updateTable("profiles")
    .set({ ...columns, updated_at: now })
    .where("person_id", "=", personId)
    .execute();
}

/** Whether all are for everyone, and then what is said of each. */
function audiencesOf({
  public: all,
  shownTo,
}: ProfileChanges): Partial<DetailAudiences> {
  if (all === undefined) return shownTo ?? {};
  const each = all ? "everyone" : "contacts";
  return {
    bio: each,
    birthday: each,
    gender: each,
    location: each,
    ...shownTo,
  };
}

/** When its author says that a profile was changed last; null where it never said. */
export async function findEditedAt(
  reader: Reader,
  personId: PersonId,
): Promise<Timestamp | null> {
  const row = await reader
    .selectFrom("profiles")
    .select("edited_at")
    .where("person_id", "=", personId)
    .executeTakeFirst();
  return row?.edited_at ?? null;
}

/** Stores where a person is reached now. Guid, key and protocol are pinned and stay. */
export async function updateAddresses(
  tx: Tx,
  personId: PersonId,
  addresses: Addresses,
  now: Timestamp,
): Promise<void> {
  await tx
    .updateTable("people")
    .set({ ...addressColumns(addresses), discovered_at: now, updated_at: now })
    .where("id", "=", personId)
    .execute();
}

/** The caller has made sure that nobody else has it. */
export async function updateHandle(
  tx: Tx,
  personId: PersonId,
  handle: string,
): Promise<void> {
  await tx
    .updateTable("people")
    .set({ handle })
    .where("id", "=", personId)
    .execute();
}

/** @param isOpen the preferred one gave no answer, and may yet take its place */
export async function updateProtocol(
  tx: Tx,
  personId: PersonId,
  protocol: Protocol,
  isOpen: boolean,
): Promise<void> {
  await tx
    .updateTable("people")
    .set({ protocol, protocol_open: isOpen })
    .where("id", "=", personId)
    .execute();
}

/** Did the preferred protocol give no answer when that of a person was chosen? */
export async function isProtocolOpen(
  tx: Tx,
  personId: PersonId,
): Promise<boolean> {
  const row = await tx
    .selectFrom("people")
    .select("protocol_open")
    .where("id", "=", personId)
    .executeTakeFirst();
  return Boolean(row?.protocol_open);
}

/**
 * Writes down what follows from what was decided of somebody's server, and of the
 * person itself: the stricter of the two. Who is gone stays gone.
 */
export async function updateModerationState(
  tx: Tx,
  personId: PersonId,
  ofHost: ModerationState,
): Promise<void> {
  const decided = await findDecision(tx, personId);
  const { shutOut, silenced, mediaRejected } = unite(ofHost, decided);
  await tx
    .updateTable("people")
    .set({
      state: shutOut ? "shut_out" : "active",
      silenced,
      media_rejected: mediaRejected,
    })
    .where("id", "=", personId)
    .where("state", "<>", "closed")
    .execute();
}

/** Sets the diaspora* key and Guid of a person who had none. What is there is never replaced. */
export async function pinDiasporaSide(
  tx: Tx,
  personId: PersonId,
  { publicKeyPem, guid }: { publicKeyPem: string; guid: string | undefined },
): Promise<void> {
  if (guid !== undefined)
    await tx
      .updateTable("people")
      .set({ diaspora_guid: guid })
      .where("id", "=", personId)
      .where("diaspora_guid", "is", null)
      .execute();
  await tx
    .updateTable("people")
    .set({ public_key_pem: publicKeyPem, has_diaspora_key: true })
    .where("id", "=", personId)
    .where("has_diaspora_key", "=", false)
    .execute();
}

function addressColumns(addresses: Addresses) {
  return {
    actor_uri: addresses.actorUri,
    inbox_uri: addresses.inboxUri,
    shared_inbox_uri: addresses.sharedInboxUri,
    followers_uri: addresses.followersUri,
    seed_location: addresses.seedLocation,
    profile_url: addresses.profileUrl,
  };
}

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
      personId: row.person_id as PersonId,
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

/** Says as whom a person goes on. */
export async function updateMovedTo(
  tx: Tx,
  personId: PersonId,
  to: PersonId | null,
  now: Timestamp,
): Promise<void> {
  await tx
    .updateTable("people")
    .set({
      moved_to_id: to,
      moved_at: to === null ? null : now,
      updated_at: now,
    })
    .where("id", "=", personId)
    .execute();
}

/** Nobody goes on any more as somebody who is gone. */
export async function forgetMovesTo(tx: Tx, to: PersonId): Promise<void> {
  await tx
    .updateTable("people")
    .set({ moved_to_id: null, moved_at: null })
    .where("moved_to_id", "=", to)
    .execute();
}

/** @param actorUris who may move to this person */
export async function updateAlsoKnownAs(
  tx: Tx,
  personId: PersonId,
  actorUris: readonly string[],
  now: Timestamp,
): Promise<void> {
  await tx
    .updateTable("people")
    .set({ also_known_as: JSON.stringify(actorUris), updated_at: now })
    .where("id", "=", personId)
    .execute();
}

/** The person is gone for good: nothing is left of its profile. */
export async function updateClosed(
  tx: Tx,
  personId: PersonId,
  now: Timestamp,
): Promise<void> {
  await tx
    .updateTable("people")
    .set({ state: "closed", also_known_as: "[]", updated_at: now })
    .where("id", "=", personId)
    .execute();
  await updateProfile(tx, personId, EMPTY_PROFILE, now);
}

/** What actors alone say of somebody, where none says it. */
export const OF_NO_ACTOR = {
  fields: [],
  emojis: [],
  headerUrl: "",
  locked: false,
  indexable: false,
} satisfies ProfileChanges;

const EMPTY_PROFILE: ProfileChanges = {
  firstName: "",
  lastName: "",
  fullName: "",
  imageUrl: "",
  imageUrlSmall: "",
  imageUrlMedium: "",
  birthday: null,
  gender: "",
  bio: "",
  location: "",
  searchable: false,
  public: false,
  nsfw: false,
  ...OF_NO_ACTOR,
};

/** Notes that the last posts of a person are asked for. @returns false where they were before */
export async function noteStreamRead(
  tx: Tx,
  personId: PersonId,
  now: Timestamp,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("people")
    .set({ stream_read_at: now })
    .where("id", "=", personId)
    .where("stream_read_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
