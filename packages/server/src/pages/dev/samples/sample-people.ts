import type { Session } from "../../../features/accounts/index.ts";
import type { Aspect } from "../../../features/aspects/index.ts";
import type {
  AspectId,
  MembershipId,
  PersonId,
  UserId,
} from "../../../features/ids.ts";
import type { Person } from "../../../features/people/index.ts";

const DAY = "2026-01-02T03:04:05.678Z";

const PROFILE: Person["profile"] = {
  ...{ id: 1, firstName: "", lastName: "", fullName: "" },
  ...{ imageUrl: "", imageUrlSmall: "", imageUrlMedium: "", headerUrl: "" },
  kind: "person",
  ...{ birthday: null, gender: "", bio: "", location: "" },
  ...{ searchable: true, public: true, nsfw: false, locked: false },
  shownTo: {
    ...{ bio: "everyone", birthday: "nobody" },
    ...{ gender: "everyone", location: "everyone" },
  },
  ...{ fields: [], emojis: [], indexable: true },
  ...{ createdAt: DAY, updatedAt: DAY },
};

function samplePerson(
  id: number,
  handle: string,
  name: string,
  more: Partial<Pick<Person, "userId">> & { readonly picture?: string } = {},
): Person {
  const { picture = "", userId = null } = more;
  return {
    id: id as PersonId,
    guid: `person${id}`.padEnd(16, "0"),
    ...{ handle, userId, publicKeyPem: "", state: "active" },
    ...{ movedToId: null, movedAt: null, alsoKnownAs: [], isPictured: true },
    ...{ createdAt: DAY, updatedAt: DAY },
    ...{ diasporaGuid: null, hasDiasporaKey: false, protocol: null },
    addresses: {
      ...{ actorUri: null, inboxUri: null, sharedInboxUri: null },
      ...{ followersUri: null, seedLocation: null, profileUrl: null },
    },
    profile: { ...PROFILE, firstName: name, fullName: name, imageUrl: picture },
  };
}

const ME = 1;

/** People with names of every kind. */
export const SAMPLES = {
  me: samplePerson(ME, "ann@kith.example", "Ann", {
    userId: ME as UserId,
    picture: "/assets/icon-192.png",
  }),
  short: samplePerson(2, "bo@kith.example", "Bo", { userId: 2 as UserId }),
  long: samplePerson(
    3,
    "maximiliana.featherstonehaugh-cholmondeley@a-very-long-name-of-a-server.example",
    "Maximiliana Wilhelmina Featherstonehaugh-Cholmondeley of the Lower Meadows, Secretary of the Allotment Association",
    { picture: "/assets/recording.png" },
  ),
  rightToLeft: samplePerson(4, "layla@bustan.example", "ليلى البستاني"),
  nameless: samplePerson(5, "nobody-in-particular@far.example", ""),
};

export const ALL_SAMPLES: readonly Person[] = Object.values(SAMPLES);

export const SAMPLE_SESSION: Session = {
  user: {
    ...{ userId: ME as UserId, personId: ME as PersonId },
    ...{ username: "ann", role: "user" },
  },
  csrfToken: "sample",
  settings: { locale: "en", timeZone: "UTC" },
};

function sampleAspect(id: number, name: string, members: number): Aspect {
  const aspectId = id as AspectId;
  return {
    ...{
      id: aspectId,
      userId: ME as UserId,
      name,
      isDefault: false,
      repliesPolicy: "none",
      exclusive: false,
    },
    ...{ createdAt: DAY, updatedAt: DAY, memberCount: members },
    memberships: ALL_SAMPLES.slice(0, members).map((person, at) => ({
      ...{ id: at as MembershipId, aspectId, personId: person.id },
      ...{ createdAt: DAY, updatedAt: DAY },
    })),
  };
}

export const SAMPLE_ASPECTS: readonly Aspect[] = [
  sampleAspect(1, "Family", 4),
  sampleAspect(2, "Everybody who helps with the harvest and the long table", 1),
  sampleAspect(3, "أصدقاء", 0),
];
