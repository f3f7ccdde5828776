import type { EntityType } from "./entity-types.ts";
import type { Profile } from "./person-types.ts";

const RETRACTION_TYPES: Partial<Record<EntityType, string>> = {
  comment: "Comment",
  like: "Like",
  photo: "Photo",
  poll_participation: "PollParticipation",
  reshare: "Post",
  status_message: "Post",
};

/**
 * The `targetType` by which a retraction takes back an entity: a reshare is a Post as well.
 * @returns undefined for what cannot be taken back
 * @see diaspora* federation protocol, Retraction
 */
export function retractionTypeOf(type: EntityType): string | undefined {
  return RETRACTION_TYPES[type];
}

/**
 * Whether a profile says only what everybody may know. One that is not `public` may travel the public way in this form
 * alone, and then replaces this part alone.
 * @see diaspora* federation protocol, Profile
 */
export function isBaseProfile(profile: Profile): boolean {
  const { bio, birthday, gender, location } = profile;
  return [bio, birthday, gender, location].every((one) => one === undefined);
}
