import type { Settings } from "../../features/accounts/index.ts";
import {
  detailsFor,
  fieldsFor,
  givenName,
  type Nearness,
  type Person,
} from "../../features/people/index.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import { toWireDay, toWireId, toWireTime, type Entity } from "../kit/wire.ts";
import { withoutMarkup, renderContent, renderLine } from "./content.ts";
import {
  acctOf,
  avatarUrl,
  headerUrl,
  personUrl,
  presentEmojis,
  type SiteAddresses,
} from "./site.ts";

/** The counts of a person, as far as they are known here. */
export type AccountCounts = {
  readonly followers: number;
  readonly following: number;
  readonly statuses: number;
  readonly lastPostAt: Timestamp | null;
};

export const NO_COUNTS: AccountCounts = {
  followers: 0,
  following: 0,
  statuses: 0,
  lastPostAt: null,
};

const NOBODY = new Map<string, Person>();

/** @param nearness how close the viewer is, which decides what details it sees */
export function presentAccount(
  site: SiteAddresses,
  person: Person,
  counts: AccountCounts = NO_COUNTS,
  nearness: Nearness = "stranger",
): Entity {
  const { profile } = person;
  const acct = acctOf(person);
  const url = personUrl(site, person);
  const [avatar, header] = [avatarUrl(site, person), headerUrl(site, person)];
  return {
    id: toWireId(person.id),
    username: acct.split("@", 1)[0] ?? acct,
    acct,
    display_name: givenName(person),
    locked: profile.locked,
    bot: profile.kind === "bot",
    group: profile.kind === "group",
    discoverable: profile.searchable,
    indexable: profile.indexable,
    created_at: toWireTime(person.createdAt),
    note: renderContent(site, detailsFor(profile, nearness).bio, NOBODY),
    url,
    uri: site.uris.ofPerson(person) ?? url,
    avatar,
    avatar_static: avatar,
    avatar_description: "",
    header,
    header_static: header,
    header_description: "",
    followers_count: counts.followers,
    following_count: counts.following,
    statuses_count: counts.statuses,
    last_status_at: counts.lastPostAt && toWireDay(counts.lastPostAt),
    hide_collections: true,
    emojis: presentEmojis(site, profile.emojis, person),
    fields: presentFields(site, person, nearness),
    ...(person.userId !== null && { noindex: !profile.indexable, roles: [] }),
    show_media: true,
    show_media_replies: true,
    show_featured: true,
  };
}

type Field = { readonly name: string; readonly value: string };

/** The details of the profile beside the bio are fields, too. */
function presentFields(
  site: SiteAddresses,
  { profile }: Person,
  nearness: Nearness,
): Entity[] {
  const { location, birthday, gender } = detailsFor(profile, nearness);
  const details: Field[] = [
    { name: "Location", value: location },
    { name: "Birthday", value: birthday ?? "" },
    { name: "Gender", value: gender },
  ];
  const given = details.filter(({ value }) => value !== "");
  return [...fieldsFor(profile, nearness), ...given].map(({ name, value }) => ({
    name,
    value: renderLine(site, value, NOBODY),
    verified_at: null,
  }));
}

/** The person's own account, with what it can edit. */
export function presentCredentials(
  site: SiteAddresses,
  person: Person,
  {
    counts,
    settings,
    requests,
    role,
  }: {
    readonly counts: AccountCounts;
    readonly settings: Settings;
    /** Follow requests that wait for an answer. */
    readonly requests: number;
    readonly role: string;
  },
): Entity {
  const { profile } = person;
  return {
    ...presentAccount(site, person, counts, "self"),
    source: {
      privacy: presentDefaultVisibility(settings.audience.kind),
      sensitive: profile.nsfw,
      language: settings.postLanguage,
      note: profile.bio,
      fields: presentSourceFields(person),
      follow_requests_count: requests,
      hide_collections: true,
      discoverable: profile.searchable,
      indexable: profile.indexable,
      attribution_domains: [],
      quote_policy: presentQuotable(settings.quotableBy),
    },
    role: presentRole(role),
  };
}

/** Unlike in an account, the text is the source, and a picture that is not set is null. */
export function presentEditableProfile(
  site: SiteAddresses,
  person: Person,
  featuredTags: readonly Entity[],
): Entity {
  const { profile } = person;
  const avatar = profile.imageUrl === "" ? null : avatarUrl(site, person);
  const header = profile.headerUrl === "" ? null : headerUrl(site, person);
  return {
    id: toWireId(person.id),
    display_name: givenName(person),
    note: profile.bio,
    fields: presentSourceFields(person),
    ...{ avatar, avatar_static: avatar, avatar_description: "" },
    ...{ header, header_static: header, header_description: "" },
    locked: profile.locked,
    bot: profile.kind === "bot",
    hide_collections: true,
    discoverable: profile.searchable,
    indexable: profile.indexable,
    ...{ show_media: true, show_media_replies: true, show_featured: true },
    attribution_domains: [],
    featured_tags: featuredTags,
  };
}

const presentSourceFields = ({ profile }: Person): Entity[] =>
  profile.fields.map(({ name, value }) => ({
    name,
    value: withoutMarkup(value),
    verified_at: null,
  }));

export const presentQuotable = (
  people: Settings["quotableBy"],
): "public" | "followers" | "nobody" =>
  people === "everyone" ? "public" : people;

export function presentDefaultVisibility(
  kind: Settings["audience"]["kind"],
): string {
  if (kind === "everyone") return "public";
  return kind === "unlisted" ? "unlisted" : "private";
}

const ROLE_IDS = ["user", "moderator", "admin"];

/** Apps let moderators manage reports, and people. */
const PERMISSIONS = 0x10 | 0x400;

export function presentRole(name: string): Entity {
  const id = Math.max(0, ROLE_IDS.indexOf(name));
  return {
    id: toWireId(id),
    name: id === 0 ? "" : name,
    color: "",
    permissions: String(id > 0 ? PERMISSIONS : 0),
    highlighted: id > 0,
  };
}

/** A person who is mentioned in a status. */
export const presentMention = (
  site: SiteAddresses,
  person: Person,
): Entity => ({
  id: toWireId(person.id),
  username: acctOf(person).split("@", 1)[0] ?? "",
  url: personUrl(site, person),
  acct: acctOf(person),
});
