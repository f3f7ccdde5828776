/** Keys of our own tables. Branded, so that a swapped argument does not compile. */
export type UserId = number & { readonly brand: "UserId" };
export type PersonId = number & { readonly brand: "PersonId" };
export type AspectId = number & { readonly brand: "AspectId" };
export type MembershipId = number & { readonly brand: "MembershipId" };
export type PostId = number & { readonly brand: "PostId" };
export type DraftId = number & { readonly brand: "DraftId" };
export type HostBlockId = number & { readonly brand: "HostBlockId" };
export type FilterId = number & { readonly brand: "FilterId" };
export type PhotoId = number & { readonly brand: "PhotoId" };
export type CommentId = number & { readonly brand: "CommentId" };
export type LikeId = number & { readonly brand: "LikeId" };
export type CalendarId = number & { readonly brand: "CalendarId" };
export type EventId = number & { readonly brand: "EventId" };
export type ParticipationId = number & { readonly brand: "ParticipationId" };
export type PollId = number & { readonly brand: "PollId" };
export type PollVoteId = number & { readonly brand: "PollVoteId" };
export type UserStreamId = number & { readonly brand: "UserStreamId" };
export type NotificationId = number & { readonly brand: "NotificationId" };
export type InvitationId = number & { readonly brand: "InvitationId" };
export type TokenId = number & { readonly brand: "TokenId" };
export type AppPasswordId = number & { readonly brand: "AppPasswordId" };
export type PasskeyId = number & { readonly brand: "PasskeyId" };
export type AppId = number & { readonly brand: "AppId" };
export type AccessId = number & { readonly brand: "AccessId" };
export type FeaturedTagId = number & { readonly brand: "FeaturedTagId" };
export type PushSubscriptionId = number & {
  readonly brand: "PushSubscriptionId";
};
