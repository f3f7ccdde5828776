/** Records as they stand on the wire: what a program written for this API reads. */

export type ProfileRecord = {
  ID: number;
  CreatedAt: string;
  UpdatedAt: string;
  Author: string;
  FirstName: string;
  LastName: string;
  FullName: string;
  ImageUrl: string;
  ImageUrlSmall: string;
  ImageUrlMedium: string;
  Birthday: string | null;
  Gender: string;
  Bio: string;
  Location: string;
  Searchable: boolean;
  Public: boolean;
  Nsfw: boolean;
  PersonID: number;
};

export type PersonRecord = {
  ID: number;
  CreatedAt: string;
  UpdatedAt: string;
  Guid: string;
  Author: string;
  SerializedPublicKey: string;
  UserID: number | null;
  Profile: ProfileRecord;
};

export type CommentRecord = {
  ID: number;
  CreatedAt: string;
  UpdatedAt: string;
  Guid: string;
  Text: string;
  ShareableID: number;
  ShareableType: string;
  PersonID: number;
  ParentGuid: string | null;
  LikesCount: number;
  Person: PersonRecord;
};

export type PostRecord = {
  ID: number;
  CreatedAt: string;
  UpdatedAt: string;
  PersonID: number;
  Public: boolean;
  Guid: string;
  Type: string;
  Text: string;
  ProviderName: string;
  RootGuid: string | null;
  RootPersonID: number;
  Person: PersonRecord;
  Comments: CommentRecord[];
  Photos: PhotoRecord[];
  Poll: PollRecord | null;
  Location?: { Address: string; Lat: number; Lng: number };
  LikesCount: number;
  DislikesCount: number;
  CommentsCount: number;
  ResharesCount: number;
  Root: PostRecord | null;
  Event: EventRecord | null;
  Url: string;
  Quote?: QuoteRecord;
};

export type QuoteRecord = {
  State: "pending" | "accepted" | "rejected" | "revoked";
  ID: number;
  Guid: string;
  Url: string;
  CreatedAt?: string;
  Text?: string;
  Nsfw?: boolean;
  ContentWarning?: string;
  PersonID?: number;
  Person?: PersonRecord | null;
};

export type PollRecord = {
  Guid: string;
  Question: string;
  Answers: { Guid: string; Text: string; Votes: number }[];
  Multiple: boolean;
  VotersCount: number;
  EndsAt: string | null;
  OwnVotes: string[];
};

export type UserStreamRecord = {
  ID: number;
  CreatedAt: string;
  UpdatedAt: string;
  UserID: number;
  Name: string;
  Tags: string;
  People: string;
  Expression: string;
};

export type FollowedTagRecord = {
  ID: number;
  Name: string;
  CreatedAt: string;
};

export type PhotoRecord = {
  ID: number;
  CreatedAt: string;
  UpdatedAt: string;
  Guid: string;
  Url: string;
  ThumbnailUrl: string;
  Text: string;
  Height: number;
  Width: number;
  Blurhash: string;
  PostID: number | null;
  PersonID: number;
};

export type LikeRecord = {
  ID: number;
  CreatedAt: string;
  UpdatedAt: string;
  Guid: string;
  Positive: boolean;
  ShareableID: number;
  ShareableType: string;
  PersonID: number;
  TargetID: number;
  TargetType: string;
};

export type MembershipRecord = {
  ID: number;
  CreatedAt: string;
  UpdatedAt: string;
  AspectID: number;
  PersonID: number;
};

export type AspectRecord = {
  ID: number;
  CreatedAt: string;
  UpdatedAt: string;
  Name: string;
  UserID: number;
  Default: boolean;
  Memberships: MembershipRecord[];
};

export type CalendarRecord = {
  ID: number;
  CreatedAt: string;
  UpdatedAt: string;
  Name: string;
  UserID: number;
  Default: boolean;
};

export type EventRecord = {
  ID: number;
  CreatedAt: string;
  UpdatedAt: string;
  PersonID: number;
  Guid: string;
  Start: string;
  End?: string;
  AllDay: boolean;
  Location: string;
  Description: string;
  Summary: string;
  CalendarID: number;
  Public: boolean;
  Timezone: string;
  Status?: string;
  Uid: string;
  Person: PersonRecord;
  Participations: ParticipationRecord[];
};

export type ParticipationRecord = {
  ID: number;
  PersonID: number;
  CalendarEventID: number;
  Status: string;
  Person: PersonRecord;
};

export type SettingsRecord = { Locale: string; TimeZone: string };

export type NotificationRecord = {
  ID: number;
  CreatedAt: string;
  UpdatedAt: string;
  UserID: number;
  PersonID: number;
  Unread: boolean;
  ShareableType: string;
  ShareableGuid: string;
  TargetType: string;
  TargetGuid: string;
  Person: PersonRecord;
};

export type IssuedTokenRecord = {
  ID: number;
  token: string;
  CreatedAt: string;
  ClientID: string;
};

export type TokenRecord = {
  ID: number;
  ClientID: string;
  CreatedAt: string;
  LastUsedAt: string;
};

/** RFC 3339 in UTC with milliseconds. */
export const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** A Guid made here. */
export const OWN_GUID = /^[0-9a-f]{32}$/;
