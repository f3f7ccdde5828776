import type { InferResult } from "kysely";
import type { Reader } from "../../db/db.ts";
import { loadJson } from "../../db/schema/columns/json-text.ts";
import {
  isAfter,
  isListed,
  isListedText,
  prepareQuery,
} from "../../db/prepared-query.ts";
import {
  REMOTE_COLUMNS,
  SITE_COLUMNS,
  toRemotePerson,
  toSites,
} from "../../db/schema/remote-person.ts";
import type { PersonId, UserId } from "../ids.ts";
import { loadList } from "../stored-list.ts";
import type {
  DetailAudiences,
  Person,
  Profile,
  Recipient,
  RemoteModerationState,
} from "./person.ts";

const selectPeople = (reader: Reader) =>
  reader
    .selectFrom("people")
    .innerJoin("profiles", "profiles.person_id", "people.id")
    .leftJoin("remote_people as remote", "remote.person_id", "people.id")
    .select(REMOTE_COLUMNS)
    .select([
      "people.id",
      "people.guid",
      "people.handle",
      "people.user_id",
      "people.public_key_pem",
      "people.state",
      "people.moved_to_id",
      "people.moved_at",
      "people.also_known_as",
      "people.media_rejected",
      "people.created_at",
      "people.updated_at",
      "profiles.id as profile_id",
      "profiles.first_name",
      "profiles.last_name",
      "profiles.full_name",
      "profiles.image_url",
      "profiles.image_url_small",
      "profiles.image_url_medium",
      "profiles.birthday",
      "profiles.gender",
      "profiles.bio",
      "profiles.location",
      "profiles.searchable",
      "profiles.bio_for",
      "profiles.birthday_for",
      "profiles.gender_for",
      "profiles.location_for",
      "profiles.nsfw",
      "profiles.fields",
      "profiles.emojis",
      "profiles.header_url",
      "profiles.locked",
      "profiles.indexable",
      "profiles.kind",
      "profiles.created_at as profile_created_at",
      "profiles.updated_at as profile_updated_at",
    ]);

type Row = Awaited<
  ReturnType<ReturnType<typeof selectPeople>["executeTakeFirstOrThrow"]>
>;

function toProfile(row: Row): Profile {
  const shownTo: DetailAudiences = {
    bio: row.bio_for,
    birthday: row.birthday_for,
    gender: row.gender_for,
    location: row.location_for,
  };
  return {
    id: row.profile_id,
    firstName: row.first_name,
    lastName: row.last_name,
    fullName: row.full_name,
    ...toPictures(row),
    birthday: row.birthday,
    gender: row.gender,
    bio: row.bio,
    location: row.location,
    searchable: Boolean(row.searchable),
    public: Object.values(shownTo).every((who) => who === "everyone"),
    shownTo,
    nsfw: Boolean(row.nsfw),
    fields: loadList(row.fields),
    locked: Boolean(row.locked),
    indexable: Boolean(row.indexable),
    kind: row.kind,
    createdAt: row.profile_created_at,
    updatedAt: row.profile_updated_at,
  };
}

type Pictures = Pick<
  Profile,
  "imageUrl" | "imageUrlSmall" | "imageUrlMedium" | "headerUrl" | "emojis"
>;

const NO_PICTURES: Pictures = {
  imageUrl: "",
  imageUrlSmall: "",
  imageUrlMedium: "",
  headerUrl: "",
  emojis: [],
};

function toPictures(row: Row): Pictures {
  if (Boolean(row.media_rejected)) return NO_PICTURES;
  return {
    headerUrl: row.header_url ?? "",
    emojis: loadList(row.emojis),
    imageUrl: row.image_url,
    imageUrlSmall: row.image_url_small,
    imageUrlMedium: row.image_url_medium,
  };
}

function toPerson(row: Row): Person {
  return {
    ...toRemotePerson(row),
    id: row.id,
    guid: row.guid,
    handle: row.handle,
    userId: row.user_id,
    publicKeyPem: row.public_key_pem,
    state: row.state,
    movedToId: row.moved_to_id,
    movedAt: row.moved_at,
    alsoKnownAs: loadJson(row.also_known_as),
    isPictured: !Boolean(row.media_rejected),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    profile: toProfile(row),
  };
}

/** The keys by which a person can be found. Each is unique. */
export type PersonKey =
  | { readonly id: PersonId }
  | { readonly guid: string }
  | { readonly handle: string }
  | { readonly uri: string }
  | { readonly userId: UserId };

export async function findPerson(
  reader: Reader,
  key: PersonKey,
): Promise<Person | undefined> {
  const [row] = await ("id" in key
    ? byId(reader, key)
    : "guid" in key
      ? byGuid(reader, key)
      : "handle" in key
        ? byHandle(reader, key)
        : "uri" in key
          ? byUri(reader, key)
          : byUserId(reader, key));
  return row && toPerson(row);
}

const byId = prepareQuery<{ id: PersonId }, Row>(
  (reader, value) =>
    selectPeople(reader).where("people.id", "=", value("id")).compile(),
  { types: { id: "bigint" } },
);
const byGuid = prepareQuery<{ guid: string }, Row>(
  (reader, value) =>
    selectPeople(reader).where("people.guid", "=", value("guid")).compile(),
  { types: { guid: "text" } },
);
const byHandle = prepareQuery<{ handle: string }, Row>(
  (reader, value) =>
    selectPeople(reader).where("people.handle", "=", value("handle")).compile(),
  { types: { handle: "text" } },
);
const byUri = prepareQuery<{ uri: string }, Row>(
  (reader, value) =>
    selectPeople(reader)
      .where("people.id", "=", (eb) =>
        eb
          .selectFrom("remote_people as named")
          .select("named.person_id")
          .where("named.uri", "=", value("uri")),
      )
      .compile(),
  { types: { uri: "text" } },
);
const byUserId = prepareQuery<{ userId: UserId }, Row>(
  (reader, value) =>
    selectPeople(reader)
      .where("people.user_id", "=", value("userId"))
      .compile(),
  { types: { userId: "bigint" } },
);

/** @returns undefined if no person has this id */
export async function findPersonState(
  reader: Reader,
  id: PersonId,
): Promise<Person["state"] | undefined> {
  const [row] = await stateById(reader, { id });
  return row?.state;
}

const stateById = prepareQuery<{ id: PersonId }, { state: Person["state"] }>(
  (reader, value) =>
    reader
      .selectFrom("people")
      .select("state")
      .where("id", "=", value("id"))
      .compile(),
  { types: { id: "bigint" } },
);

const byIds = prepareQuery<{ ids: string }, Row>(
  (reader, value) =>
    selectPeople(reader)
      .where(isListed(reader, "people.id", value("ids")))
      .compile(),
  { types: { ids: "text" } },
);

/** Lists any number of people by id. Unknown ids are left out. */
export async function listPeopleById(
  reader: Reader,
  ids: Iterable<PersonId>,
): Promise<Map<PersonId, Person>> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return new Map();
  const rows = await byIds(reader, { ids: JSON.stringify(wanted) });
  return new Map(rows.map((row) => [row.id, toPerson(row)]));
}

const selectRecipients = (reader: Reader) =>
  reader
    .selectFrom("people")
    .leftJoin("remote_people as remote", "remote.person_id", "people.id")
    .select(REMOTE_COLUMNS)
    .select([
      ...(["people.id", "people.guid", "people.handle"] as const),
      ...(["people.public_key_pem", "people.state"] as const),
    ])
    .where("people.user_id", "is", null);

type RecipientRow = InferResult<ReturnType<typeof selectRecipients>>[number];

const recipientsByIds = prepareQuery<{ ids: string }, RecipientRow>(
  (reader, value) =>
    selectRecipients(reader)
      .where(isListed(reader, "people.id", value("ids")))
      .compile(),
  { types: { ids: "text" } },
);

/** Lists those of these people who are on other servers. */
export async function listRecipientsById(
  reader: Reader,
  ids: Iterable<PersonId>,
): Promise<Recipient[]> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return [];
  const rows = await recipientsByIds(reader, { ids: JSON.stringify(wanted) });
  return rows.map((row) => ({
    ...toRemotePerson(row),
    id: row.id,
    guid: row.guid,
    handle: row.handle,
    userId: null,
    publicKeyPem: row.public_key_pem,
    state: row.state,
  }));
}

const byHandles = prepareQuery<{ handles: string }, Row>((reader, value) =>
  selectPeople(reader)
    .where(isListedText(reader, "people.handle", value("handles")))
    .compile(),
);
const byUris = prepareQuery<{ uris: string }, Row>((reader, value) =>
  selectPeople(reader)
    .where("people.id", "in", (eb) =>
      eb
        .selectFrom("remote_people as named")
        .select("named.person_id")
        .where(isListedText(reader, "named.uri", value("uris"))),
    )
    .compile(),
);

/** Lists any number of people by handle. Unknown handles are left out. */
export async function listPeopleByHandle(
  reader: Reader,
  handles: Iterable<string>,
): Promise<Map<string, Person>> {
  const wanted = [...new Set(handles)];
  if (wanted.length === 0) return new Map();
  const rows = await byHandles(reader, { handles: JSON.stringify(wanted) });
  return new Map(rows.map((row) => [row.handle, toPerson(row)]));
}

/** Lists any number of people by URI. Unknown URIs are left out. */
export async function listPeopleByUri(
  reader: Reader,
  uris: Iterable<string>,
): Promise<Map<string, Person>> {
  const wanted = [...new Set(uris)];
  if (wanted.length === 0) return new Map();
  const rows = await byUris(reader, { uris: JSON.stringify(wanted) });
  return new Map(rows.map((row) => [row.uri ?? "", toPerson(row)]));
}

/** Counts the local people with an active account. */
export async function countLocalPeople(reader: Reader): Promise<number> {
  const row = await reader
    .selectFrom("people")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("user_id", "is not", null)
    .where("state", "=", "active")
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/**
 * Lists some remote people after an id, by id, with their current moderation state. Closed
 * accounts are left out.
 */
export async function listRemoteModerationStates(
  reader: Reader,
  afterId: number,
  limit: number,
): Promise<RemoteModerationState[]> {
  const rows = await reader
    .selectFrom("people")
    .leftJoin("person_decisions as decided", "decided.person_id", "people.id")
    .innerJoin("remote_people as remote", "remote.person_id", "people.id")
    .select(["people.id", "handle", "state"])
    .select(SITE_COLUMNS)
    .select(["people.silenced", "media_rejected"])
    .select(["decided.suspended", "decided.silenced as silenced_itself"])
    .where("state", "<>", "closed")
    .where(isAfter("people.id", afterId))
    .orderBy("people.id")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    handle: row.handle,
    addresses: toSites(row),
    shutOut: row.state === "shut_out",
    silenced: Boolean(row.silenced),
    mediaRejected: Boolean(row.media_rejected),
    decided: {
      suspended: Boolean(row.suspended),
      silenced: Boolean(row.silenced_itself),
    },
  }));
}

/** The handle of the first person who had an account here. */
export async function findFirstHandle(
  reader: Reader,
): Promise<string | undefined> {
  const row = await reader
    .selectFrom("people")
    .select("handle")
    .where("user_id", "is not", null)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row?.handle;
}
