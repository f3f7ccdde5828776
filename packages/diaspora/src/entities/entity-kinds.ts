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
 * The `targetType` for retracting an entity: a reshare is a Post as well.
 * @returns undefined for entities that cannot be retracted
 * @see diaspora* federation protocol, Retraction
 */
export function retractionTypeOf(type: EntityType): string | undefined {
  return RETRACTION_TYPES[type];
}

/**
 * Whether a profile contains only its public part. A profile that is not `public` may be sent to the public endpoint only
 * in this form, and then replaces only this part.
 * @see diaspora* federation protocol, Profile
 */
export function isBaseProfile(profile: Profile): boolean {
  const { bio, birthday, gender, location } = profile;
  return [bio, birthday, gender, location].every((one) => one === undefined);
}
