import type { Reader, Tx } from "../../db/db.ts";
import { prepareQuery } from "../../db/prepared-query.ts";
import { storeJson } from "../../db/schema/columns/json-text.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { PersonId, UserId } from "../ids.ts";
import { storeList } from "../stored-list.ts";
import { findDecision } from "./decision-store.ts";
import {
  UNMODERATED,
  unite,
  type ProfileChanges,
  type ModerationState,
  type DetailAudiences,
} from "./person.ts";

type NewPerson = {
  readonly guid: string;
  readonly handle: string;
  readonly userId: UserId | null;
  readonly publicKeyPem: string;
  /** The moderation state of its server. There is no decision on the person itself yet. */
  readonly ofHost?: ModerationState;
};

/**
 * Stores a person complete, with profile and moderation state: an update right after the insert would
 * make caches drop everything (`shown-tables.ts`).
 * @returns undefined if the Guid or the handle is already taken
 */
export async function insertPerson(
  tx: Tx,
  person: NewPerson,
  profile: ProfileChanges,
  now: Timestamp,
): Promise<PersonId | undefined> {
  const { ofHost } = person;
  const [row] = await insertRow(tx, {
    guid: person.guid,
    handle: person.handle,
    user_id: person.userId,
    public_key_pem: person.publicKeyPem,
    ...moderationColumns(ofHost ?? UNMODERATED),
    now,
  });
  if (!row) return undefined;
  await insertProfile(tx, row.id, profile, now);
  return row.id;
}

function moderationColumns({
  shutOut,
  silenced,
  mediaRejected,
}: ModerationState) {
  return {
    state: shutOut ? ("shut_out" as const) : ("active" as const),
    silenced,
    media_rejected: mediaRejected,
  };
}

type InsertedPerson = ReturnType<typeof moderationColumns> & {
  guid: string;
  handle: string;
  user_id: UserId | null;
  public_key_pem: string;
  now: Timestamp;
};

const insertRow = prepareQuery<InsertedPerson, { id: PersonId }>(
  (reader, value) =>
    reader
      .insertInto("people")
      .values({
        guid: value("guid"),
        handle: value("handle"),
        user_id: value("user_id"),
        public_key_pem: value("public_key_pem"),
        state: value("state"),
        silenced: value("silenced"),
        media_rejected: value("media_rejected"),
        created_at: value("now"),
        updated_at: value("now"),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning("id")
      .compile(),
);

async function insertProfile(
  tx: Tx,
  personId: PersonId,
  profile: ProfileChanges,
  now: Timestamp,
): Promise<void> {
  const given = Object.entries(profileColumns(profile)).filter(
    ([, value]) => value !== undefined,
  );
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
      ...Object.fromEntries(given),
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
  // Kysely leaves out undefined values, so absent means unchanged.
  await tx
    .updateTable("profiles")
    .set({
      ...profileColumns(changes),
      edited_at: editedAt,
      updated_at: now,
    })
    .where("person_id", "=", personId)
    .execute();
}

function profileColumns(changes: ProfileChanges) {
  const shownTo = audiencesOf(changes);
  return {
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
    kind: changes.kind,
  };
}

/** Applies the setting for all details first, then the one for each detail. */
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

/** Returns when the author last edited the profile; null if the author never gave a time. */
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

/** Deletes people, to whom nothing refers but their profiles. */
export async function deletePeople(
  tx: Tx,
  ids: readonly PersonId[],
): Promise<void> {
  await tx.deleteFrom("profiles").where("person_id", "in", ids).execute();
  await tx.deleteFrom("people").where("id", "in", ids).execute();
}

/** Records that data about a person in another table has changed. */
export async function updateTime(
  tx: Tx,
  personId: PersonId,
  now: Timestamp,
): Promise<void> {
  await tx
    .updateTable("people")
    .set({ updated_at: now })
    .where("id", "=", personId)
    .execute();
}

export async function updatePublicKey(
  tx: Tx,
  personId: PersonId,
  publicKeyPem: string,
): Promise<void> {
  await tx
    .updateTable("people")
    .set({ public_key_pem: publicKeyPem })
    .where("id", "=", personId)
    .execute();
}

/** The caller has made sure that the handle is free. */
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

/**
 * Saves the moderation state that follows from the decisions on a person's server and on
 * the person: the stricter of the two. Closed people stay closed.
 */
export async function updateModerationState(
  tx: Tx,
  personId: PersonId,
  ofHost: ModerationState,
): Promise<void> {
  const decided = await findDecision(tx, personId);
  await tx
    .updateTable("people")
    .set(moderationColumns(unite(ofHost, decided)))
    .where("id", "=", personId)
    .where("state", "<>", "closed")
    .execute();
}

/** Records the account to which a person has moved. */
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

/** Removes all references to a deleted account as the target of a move. */
export async function forgetMovesTo(tx: Tx, to: PersonId): Promise<void> {
  await tx
    .updateTable("people")
    .set({ moved_to_id: null, moved_at: null })
    .where("moved_to_id", "=", to)
    .execute();
}

/** @param uris of the accounts that may move to this person */
export async function updateAlsoKnownAs(
  tx: Tx,
  personId: PersonId,
  uris: readonly string[],
  now: Timestamp,
): Promise<void> {
  await tx
    .updateTable("people")
    .set({ also_known_as: storeJson(uris), updated_at: now })
    .where("id", "=", personId)
    .execute();
}

/** Closes a person for good and deletes its profile data. */
export async function updatePersonClosed(
  tx: Tx,
  personId: PersonId,
  now: Timestamp,
): Promise<void> {
  await tx
    .updateTable("people")
    .set({ state: "closed", also_known_as: storeJson([]), updated_at: now })
    .where("id", "=", personId)
    .execute();
  await updateProfile(tx, personId, EMPTY_PROFILE, now);
}

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
  fields: [],
  emojis: [],
  headerUrl: "",
  locked: false,
  indexable: false,
  kind: "person",
};

/**
 * Records that a person's last posts are requested.
 * @returns false if they were requested before
 */
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
