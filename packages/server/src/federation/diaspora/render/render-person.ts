import { createHash } from "node:crypto";
import type {
  AccountDeletion,
  Contact,
  Participation,
  Profile,
} from "@kith/diaspora";
import { detailsFor, type Person } from "../../../features/people/index.ts";
import type { Post } from "../../../features/posts/index.ts";
import { absoluteImageUrl, wireGuid, wireTime } from "./wire-values.ts";

/**
 * Renders the whole profile that its recipients may see: peers clear absent properties. A pod shows
 * all details either to everyone or to contacts, by `public`; so where some are for contacts alone,
 * the public ones are shown there to contacts alone, too.
 */
export function renderProfile(
  person: Person,
  baseUrl: string,
  reader: "stranger" | "contact",
): Profile {
  const { profile } = person;
  const details = detailsFor(profile, reader);
  const texts = {
    firstName: profile.firstName,
    lastName: profile.lastName,
    imageUrl: absoluteImageUrl(profile.imageUrl, baseUrl),
    imageUrlMedium: absoluteImageUrl(profile.imageUrlMedium, baseUrl),
    imageUrlSmall: absoluteImageUrl(profile.imageUrlSmall, baseUrl),
    bio: details.bio,
    birthday: details.birthday ?? undefined,
    gender: details.gender,
    location: details.location,
  };
  return {
    type: "profile",
    author: person.handle,
    editedAt: wireTime(profile.updatedAt),
    ...withoutEmpty(texts),
    searchable: profile.searchable,
    public: profile.public || isForEveryone(profile, details),
    nsfw: profile.nsfw,
  };
}

/** Are there details, and are all of them public? */
function isForEveryone(
  profile: Person["profile"],
  details: Readonly<Record<string, string | null>>,
): boolean {
  const open = Object.entries(detailsFor(profile, "stranger"));
  return (
    open.some(([, value]) => Boolean(value)) &&
    open.every(([name, value]) => details[name] === value)
  );
}

function withoutEmpty<K extends string>(
  values: Readonly<Record<K, string | undefined>>,
): Partial<Record<K, string>> {
  const filled: Partial<Record<K, string>> = {};
  for (const key of Object.keys(values) as K[])
    if (values[key]) filled[key] = values[key];
  return filled;
}

/** Pods read `sharing` and Friendica reads `following`, so both have the same value. */
export function renderContact(
  author: Person,
  recipient: Person,
  following: boolean,
): Contact {
  return {
    type: "contact",
    author: author.handle,
    recipient: recipient.handle,
    following,
    sharing: following,
    blocking: false,
  };
}

/** Renders a contact that shares nothing, with the property that makes it a block or not. */
export function renderBlock(
  author: Person,
  recipient: Person,
  blocking: boolean,
): Contact {
  return { ...renderContact(author, recipient, false), blocking };
}

export function renderAccountDeletion(author: Person): AccountDeletion {
  return { type: "account_deletion", author: author.handle };
}

/**
 * Subscribes to the updates of a post at its server. There is one for each person and post, always
 * with the same Guid.
 */
export function renderParticipation(author: Person, post: Post): Participation {
  const guid = createHash("sha256")
    .update(`participation:${author.guid}:${post.guid}`)
    .digest("hex")
    .slice(0, 32);
  return {
    type: "participation",
    author: author.handle,
    guid,
    parentGuid: wireGuid(post),
    parentType: "Post",
  };
}
