import {
  listSites,
  type RemotePerson,
  type Sites,
} from "../../db/schema/remote-person.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { CustomEmoji } from "../custom-emojis.ts";
import type { PersonId, UserId } from "../ids.ts";
import type { ProfileField } from "./profile-fields.ts";

/** What somebody may keep from some, or from all. */
export type Details = Pick<Profile, "bio" | "birthday" | "gender" | "location">;

/** Whom somebody shows a detail; contacts are those with whom it shares. */
export type DetailAudience = "everyone" | "contacts" | "nobody";

export type DetailAudiences = Readonly<Record<keyof Details, DetailAudience>>;

export type Profile = {
  readonly id: number;
  readonly firstName: string;
  readonly lastName: string;
  readonly fullName: string;
  readonly imageUrl: string;
  readonly imageUrlSmall: string;
  readonly imageUrlMedium: string;
  /** `YYYY-MM-DD`, or null where it is not given. */
  readonly birthday: string | null;
  readonly gender: string;
  /** Markdown. */
  readonly bio: string;
  readonly location: string;
  readonly searchable: boolean;
  /** Who sees each detail. */
  readonly shownTo: DetailAudiences;
  /** Are all details for everyone? */
  readonly public: boolean;
  readonly nsfw: boolean;
  /** Whoever sees the bio sees them. */
  readonly fields: readonly ProfileField[];
  /** The pictures for `:shortcodes:` in its names, bio and fields. */
  readonly emojis: readonly CustomEmoji[];
  /** The wide picture above the profile; empty where there is none, as with everybody here. */
  readonly headerUrl: string;
  /** Does it decide itself who may follow it? */
  readonly locked: boolean;
  /** May its public posts be found by searching (FEP-5feb)? */
  readonly indexable: boolean;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
};

/** Somebody, here or elsewhere. An account is a person who signs in here. */
export type Person = RemotePerson & {
  readonly id: PersonId;
  /** Unique here. Of somebody elsewhere it is the one that its server tells, unless that is another's. */
  readonly guid: string;
  readonly handle: string;
  /** null where the person lives elsewhere. */
  readonly userId: UserId | null;
  /** SPKI in PEM. */
  readonly publicKeyPem: string;
  /** `shut_out`: its server is blocked here, or it is suspended. Whatever it wrote is kept, and shown to nobody. */
  readonly state: "active" | "closed" | "shut_out";
  /** As whom the person goes on; null where it has not moved. It may be closed as well. */
  readonly movedToId: PersonId | null;
  readonly movedAt: Timestamp | null;
  /** Of a person here: the URIs of those who may move to it. */
  readonly alsoKnownAs: readonly string[];
  /** Are pictures from its server shown here? */
  readonly isPictured: boolean;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
  readonly profile: Profile;
};

/** What follows from what was decided of somebody's server, and of the person. */
export type ModerationState = {
  readonly shutOut: boolean;
  readonly silenced: boolean;
  /** Nobody is shown pictures of it. */
  readonly mediaRejected: boolean;
};

/** The standing that somebody has now, with what it follows from. */
export type RemoteModerationState = ModerationState &
  Pick<Person, "id" | "handle"> & {
    readonly addresses: Sites;
    /** What was decided of the person itself. */
    readonly decided: Decided;
  };

type Decided = { readonly suspended: boolean; readonly silenced: boolean };

/** Of what was decided of a server and of somebody there, the stricter. */
export function unite(
  ofHost: ModerationState,
  decided: Decided,
): ModerationState {
  return {
    shutOut: ofHost.shutOut || decided.suspended,
    silenced: ofHost.silenced || decided.silenced,
    mediaRejected: ofHost.mediaRejected,
  };
}

/** The hosts that somebody elsewhere is of: of its handle, and where its servers are. */
export function hostsOf({
  handle,
  addresses,
}: Pick<RemoteModerationState, "handle" | "addresses">): string[] {
  const host = handle.slice(handle.lastIndexOf("@") + 1);
  return [host, ...listSites(addresses)];
}

/** The parts of a profile that a person, or its server, can set. */
export type ProfileChanges = Partial<
  Omit<Profile, "id" | "createdAt" | "updatedAt" | "shownTo">
> & {
  /** Those that are not named stay as they are; `public` sets all of them before. */
  readonly shownTo?: Partial<DetailAudiences>;
};

/** The name that a person has given itself; empty where it has not. */
export function givenName({ profile }: Pick<Person, "profile">): string {
  const { fullName, firstName, lastName } = profile;
  return fullName || `${firstName} ${lastName}`.trim();
}

/** The name that people see. */
export function displayName(
  person: Pick<Person, "handle" | "profile">,
): string {
  return givenName(person) || person.handle;
}

/** The part of a local person's handle before the host. */
export function usernameOf(person: Pick<Person, "handle">): string {
  return person.handle.slice(0, person.handle.indexOf("@"));
}

/** How near somebody is to a person whose profile it looks at. */
export type Nearness = "stranger" | "contact" | "self";

const NO_DETAILS: Details = {
  bio: "",
  birthday: null,
  gender: "",
  location: "",
};

/** Does somebody this near see a detail of a profile? */
function isShownTo(
  { shownTo }: Profile,
  name: keyof Details,
  viewer: Nearness,
): boolean {
  return (
    viewer === "self" ||
    shownTo[name] === "everyone" ||
    (viewer === "contact" && shownTo[name] === "contacts")
  );
}

/** The details of a profile that somebody may see; the others are as if not given. */
export function detailsFor(profile: Profile, viewer: Nearness): Details {
  const { bio, birthday, gender, location } = profile;
  const isShown = (name: keyof Details) => isShownTo(profile, name, viewer);
  return {
    bio: isShown("bio") ? bio : NO_DETAILS.bio,
    birthday: isShown("birthday") ? birthday : NO_DETAILS.birthday,
    gender: isShown("gender") ? gender : NO_DETAILS.gender,
    location: isShown("location") ? location : NO_DETAILS.location,
  };
}

/** The fields of a profile that somebody may see. */
export function fieldsFor(
  profile: Profile,
  viewer: Nearness,
): Profile["fields"] {
  return isShownTo(profile, "bio", viewer) ? profile.fields : [];
}
