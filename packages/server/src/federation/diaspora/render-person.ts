import { createHash } from "node:crypto";
import type {
  AccountDeletion,
  Contact,
  Participation,
  Profile,
} from "@kith/diaspora";
import type { Person } from "../../features/people/index.ts";
import type { Post } from "../../features/posts/index.ts";
import { absoluteImageUrl, wireGuid, wireTime } from "./wire-values.ts";

/** The whole profile: peers clear what is absent. */
export function renderProfile(person: Person, baseUrl: string): Profile {
  const { profile } = person;
  const texts = {
    firstName: profile.firstName,
    lastName: profile.lastName,
    imageUrl: absoluteImageUrl(profile.imageUrl, baseUrl),
    imageUrlMedium: absoluteImageUrl(profile.imageUrlMedium, baseUrl),
    imageUrlSmall: absoluteImageUrl(profile.imageUrlSmall, baseUrl),
    bio: profile.bio,
    birthday: profile.birthday ?? undefined,
    gender: profile.gender,
    location: profile.location,
  };
  return {
    type: "profile",
    author: person.handle,
    editedAt: wireTime(profile.updatedAt),
    ...withoutEmpty(texts),
    searchable: profile.searchable,
    public: profile.public,
    nsfw: profile.nsfw,
  };
}

function withoutEmpty<K extends string>(
  values: Readonly<Record<K, string | undefined>>,
): Partial<Record<K, string>> {
  const filled: Partial<Record<K, string>> = {};
  for (const key of Object.keys(values) as K[])
    if (values[key]) filled[key] = values[key];
  return filled;
}

/** Pods go by `sharing` and Friendica by `following`, so both are sent alike. */
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

/** A contact that shares nothing, and says whether that is a block. */
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
 * Asks the post's server to pass on what happens to the post. One for each person
 * and post, always with the same Guid.
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
