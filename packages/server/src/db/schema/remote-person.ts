import { sql, type RawBuilder, type SqlBool } from "kysely";

// The data that federation keeps of people elsewhere, in remote_people. Every query of
// people reads it in the same statement, by the primary key.
// Features hand it on as it is.

/** How we reach somebody elsewhere. Decided at discovery. */
export type Protocol = "activitypub" | "diaspora";

/** Where somebody elsewhere is reached; all null for people here. */
export type Addresses = {
  readonly actorUri: string | null;
  readonly inboxUri: string | null;
  readonly sharedInboxUri: string | null;
  readonly followersUri: string | null;
  /** Base URL of the person's diaspora* server, ending in `/`. */
  readonly seedLocation: string | null;
  readonly profileUrl: string | null;
};

/** The addresses that name the servers which somebody is of. */
export type Sites = Pick<Addresses, "actorUri" | "seedLocation">;

export type RemotePerson = {
  /** The Guid that its own diaspora* server told, by which that server alone finds it; null where none did, and of people here. */
  readonly diasporaGuid: string | null;
  /** Is its key the diaspora* key? That one is pinned for ever. */
  readonly hasDiasporaKey: boolean;
  /** null for people here. */
  readonly protocol: Protocol | null;
  readonly addresses: Addresses;
};

export const NO_ADDRESSES: Addresses = {
  actorUri: null,
  inboxUri: null,
  sharedInboxUri: null,
  followersUri: null,
  seedLocation: null,
  profileUrl: null,
};

/** To select with remote_people, joined as `remote`. */
export const REMOTE_COLUMNS = [
  "remote.has_diaspora_key",
  "remote.diaspora_guid",
  "remote.protocol",
  "remote.uri",
  "remote.inbox_uri",
  "remote.shared_inbox_uri",
  "remote.followers_uri",
  "remote.seed_location",
  "remote.profile_url",
] as const;

export const SITE_COLUMNS = ["remote.uri", "remote.seed_location"] as const;

type SitesRow = {
  readonly uri: string | null;
  readonly seed_location: string | null;
};

type RemoteRow = SitesRow & {
  /** null for people here, who have no row. */
  readonly has_diaspora_key: boolean | number | null;
  readonly diaspora_guid: string | null;
  readonly protocol: string | null;
  readonly inbox_uri: string | null;
  readonly shared_inbox_uri: string | null;
  readonly followers_uri: string | null;
  readonly profile_url: string | null;
};

export function toRemotePerson(row: RemoteRow): RemotePerson {
  return {
    diasporaGuid: row.diaspora_guid,
    hasDiasporaKey: Boolean(row.has_diaspora_key ?? true),
    protocol: row.protocol as Protocol | null,
    addresses: {
      ...toSites(row),
      inboxUri: row.inbox_uri,
      sharedInboxUri: row.shared_inbox_uri,
      followersUri: row.followers_uri,
      profileUrl: row.profile_url,
    },
  };
}

export function toSites(row: SitesRow): Sites {
  return { actorUri: row.uri, seedLocation: row.seed_location };
}

export function listSites({ actorUri, seedLocation }: Sites): string[] {
  return [actorUri, seedLocation].filter((uri) => uri !== null);
}

/** Does the person of this id sign what it says, with the Guid that it gives it? Over diaspora* alone one does. */
export function signsGuids(personId: string): RawBuilder<SqlBool> {
  return sql`exists (select 1 from remote_people as signing
    where signing.person_id = ${sql.ref(personId)} and signing.has_diaspora_key)`;
}

/** Is the person of this id elsewhere, and does it sign no Guids? */
export function onlyClaimsGuids(personId: string): RawBuilder<SqlBool> {
  return sql`exists (select 1 from remote_people as claiming
    where claiming.person_id = ${sql.ref(personId)} and not claiming.has_diaspora_key)`;
}

/** Is the person of this id followed without being asked, as it is over diaspora*? */
export function isFollowedUnasked(personId: string): RawBuilder<SqlBool> {
  return sql`exists (select 1 from remote_people as unasked
    where unasked.person_id = ${sql.ref(personId)} and unasked.protocol = 'diaspora')`;
}

/** Is this the actor of a relay? */
export function isOfRelay(uri: string): RawBuilder<SqlBool> {
  return sql`exists (select 1 from relays
    where relays.actor_uri = ${sql.ref(uri)})`;
}
