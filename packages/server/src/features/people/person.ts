import {
  listSites,
  type RemotePerson,
  type Sites,
} from "../../db/schema/remote-person.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { CustomEmoji } from "../custom-emojis.ts";
import type { PersonId, UserId } from "../ids.ts";
import type { ProfileField } from "./profile-fields.ts";

/** The details that a person may hide from some viewers, or from all. */
export type Details = Pick<Profile, "bio" | "birthday" | "gender" | "location">;

/** The audience of a detail; contacts are the people with whom its owner shares. */
export type DetailAudience = "everyone" | "contacts" | "nobody";

export type DetailAudiences = Readonly<Record<keyof Details, DetailAudience>>;

/** A program (`bot`) or a group says so itself, which nobody checks. */
export type PersonKind = "person" | "bot" | "group";

export type Profile = {
  readonly id: number;
  readonly firstName: string;
  readonly lastName: string;
  readonly fullName: string;
  readonly imageUrl: string;
  readonly imageUrlSmall: string;
  readonly imageUrlMedium: string;
  /** `YYYY-MM-DD`, or null if not given. */
  readonly birthday: string | null;
  readonly gender: string;
  /** Markdown. */
  readonly bio: string;
  readonly location: string;
  readonly searchable: boolean;
  /** The audience of each detail. */
  readonly shownTo: DetailAudiences;
  /** Are all details visible to everyone? */
  readonly public: boolean;
  readonly nsfw: boolean;
  /** Visible to everyone who can see the bio. */
  readonly fields: readonly ProfileField[];
  /** The pictures for `:shortcodes:` in its names, bio and fields. */
  readonly emojis: readonly CustomEmoji[];
  /** The wide picture above the profile; empty if there is none. */
  readonly headerUrl: string;
  /** Does the person approve each follower? */
  readonly locked: boolean;
  /** May its public posts be found by search (FEP-5feb)? */
  readonly indexable: boolean;
  readonly kind: PersonKind;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
};

/** A local or remote person. An account is a person who signs in here. */
export type Person = RemotePerson & {
  readonly id: PersonId;
  /**
   * Unique on this server. For a remote person, the Guid that its server gives, unless
   * that belongs to another person.
   */
  readonly guid: string;
  readonly handle: string;
  /** null for a remote person. */
  readonly userId: UserId | null;
  /** SPKI in PEM. */
  readonly publicKeyPem: string;
  /**
   * `shut_out`: its server is blocked here, or it is suspended. Its content is kept, but
   * shown to no one.
   */
  readonly state: "active" | "closed" | "shut_out";
  /** The account to which the person has moved; null if it has not. It may be closed as well. */
  readonly movedToId: PersonId | null;
  readonly movedAt: Timestamp | null;
  /** For a local person: the URIs of the accounts that may move to it. */
  readonly alsoKnownAs: readonly string[];
  /** Are pictures from its server shown on this one? */
  readonly isPictured: boolean;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
  readonly profile: Profile;
};

/** Somebody to whom something is delivered: a fan-out reads hundreds of them. */
export type Recipient = RemotePerson &
  Pick<Person, "id" | "guid" | "handle" | "userId" | "publicKeyPem" | "state">;

/** The result of the decisions on a person's server and on the person. */
export type ModerationState = {
  readonly shutOut: boolean;
  readonly silenced: boolean;
  /** Its pictures are shown to no one. */
  readonly mediaRejected: boolean;
};

/** A remote person's current moderation state, with the decisions from which it follows. */
export type RemoteModerationState = ModerationState &
  Pick<Person, "id" | "handle"> & {
    readonly addresses: Sites;
    /** The decision on the person itself. */
    readonly decided: Decided;
  };

type Decided = { readonly suspended: boolean; readonly silenced: boolean };

export const UNMODERATED: ModerationState = {
  shutOut: false,
  silenced: false,
  mediaRejected: false,
};

/** Returns the stricter of the decisions on a server and on a person there. */
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

/** Returns a remote person's hosts: the host of its handle and the hosts of its server's URLs. */
export function hostsOf({
  handle,
  addresses,
}: Pick<RemoteModerationState, "handle" | "addresses">): string[] {
  const host = handle.slice(handle.lastIndexOf("@") + 1);
  return [host, ...listSites(addresses)];
}

/** The parts of a profile that the person, or its server, can set. */
export type ProfileChanges = Partial<
  Omit<Profile, "id" | "createdAt" | "updatedAt" | "shownTo">
> & {
  /** Details that are not named stay as they are; `public` is applied to all of them first. */
  readonly shownTo?: Partial<DetailAudiences>;
};

/** The name that the person chose; empty if none. */
export function givenName({ profile }: Pick<Person, "profile">): string {
  const { fullName, firstName, lastName } = profile;
  return fullName || `${firstName} ${lastName}`.trim();
}

/** They would turn around the words beside the name, and an isolate cannot hold them all. */
const DIRECTION_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;

/** The name shown to readers. */
export function displayName(
  person: Pick<Person, "handle" | "profile">,
): string {
  const name = givenName(person).replace(DIRECTION_CONTROLS, "").trim();
  return name || person.handle;
}

/** The part of a local person's handle before the host. */
export function usernameOf(person: Pick<Person, "handle">): string {
  return person.handle.slice(0, person.handle.indexOf("@"));
}

/** How close the viewer is to the person whose profile they view. */
export type Nearness = "stranger" | "contact" | "self";

const NO_DETAILS: Details = {
  bio: "",
  birthday: null,
  gender: "",
  location: "",
};

/** Does a viewer this close see a detail of the profile? */
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

/** Returns the profile details that the viewer may see; the others are as if not given. */
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

/** Returns the profile fields that the viewer may see. */
export function fieldsFor(
  profile: Profile,
  viewer: Nearness,
): Profile["fields"] {
  return isShownTo(profile, "bio", viewer) ? profile.fields : [];
}
