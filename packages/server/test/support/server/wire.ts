import type {
  AspectId,
  CalendarId,
  CommentId,
  EventId,
  LikeId,
  NotificationId,
  PersonId,
  SubscriptionId,
  PhotoId,
  PostId,
  TokenId,
  UserId,
} from "../../../src/db/schema/ids.ts";

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
  Locked?: boolean;
  Bot?: boolean;
  Public: boolean;
  Nsfw: boolean;
  PersonID: PersonId;
};

export type PersonRecord = {
  ID: PersonId;
  CreatedAt: string;
  UpdatedAt: string;
  Guid: string;
  Author: string;
  SerializedPublicKey: string;
  UserID: UserId | null;
  Profile: ProfileRecord;
};

export type CommentRecord = {
  ID: CommentId;
  CreatedAt: string;
  UpdatedAt: string;
  Guid: string;
  Text: string;
  ShareableID: number;
  ShareableType: string;
  PersonID: PersonId;
  ParentGuid: string | null;
  LikesCount: number;
  Person: PersonRecord;
  Photos?: PhotoRecord[];
  Filtered?: FilterMatchRecord[];
};

export type PostRecord = {
  ContentWarning?: string;
  ID: PostId;
  CreatedAt: string;
  UpdatedAt: string;
  PersonID: PersonId;
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
  LinkPreview?: {
    Url: string;
    Title: string;
    Description: string | null;
    SiteName: string | null;
    AuthorName: string | null;
    ImageUrl: string | null;
  };
  Audience?: AudienceRecord;
  Pinned?: boolean;
  Bookmarked?: boolean;
  Filtered?: FilterMatchRecord[];
};

export type FilterMatchRecord = {
  FilterID: number;
  Title: string;
  Action: string;
  Keywords: string[];
};

export type AudienceRecord = {
  Kind: string;
  Names: string[];
  AspectIDs?: number[];
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
  Answers: { Guid: string; Text: string; Votes: number | null }[];
  Multiple: boolean;
  VotersCount: number;
  EndsAt: string | null;
  OwnVotes: string[];
};

export type UserStreamRecord = {
  ID: number;
  CreatedAt: string;
  UpdatedAt: string;
  UserID: UserId;
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
  ID: PhotoId;
  CreatedAt: string;
  UpdatedAt: string;
  Guid: string;
  Url: string;
  ThumbnailUrl: string;
  Text: string;
  Height: number;
  Width: number;
  Blurhash: string;
  MediaType?: string;
  Duration?: number;
  PostID: PostId | null;
  PersonID: PersonId;
};

export type LikeRecord = {
  ID: LikeId;
  CreatedAt: string;
  UpdatedAt: string;
  Guid: string;
  Positive: boolean;
  ShareableID: number;
  ShareableType: string;
  PersonID: PersonId;
  TargetID: number;
  TargetType: string;
};

export type MembershipRecord = {
  ID: number;
  CreatedAt: string;
  UpdatedAt: string;
  AspectID: AspectId;
  PersonID: PersonId;
};

export type AspectRecord = {
  ID: AspectId;
  CreatedAt: string;
  UpdatedAt: string;
  Name: string;
  UserID: UserId;
  Default: boolean;
  Exclusive?: boolean;
  Memberships: MembershipRecord[];
};

export type CalendarRecord = {
  ID: CalendarId;
  CreatedAt: string;
  UpdatedAt: string;
  Name: string;
  UserID: UserId;
  Default: boolean;
  Color?: string;
};

export type CalendarShareRecord = {
  ID: number;
  CreatedAt: string;
  CalendarID: CalendarId;
  Write: boolean;
  AspectID?: number;
  AspectName?: string;
  PersonID?: PersonId;
};

export type SharedCalendarRecord = {
  ID: CalendarId;
  CreatedAt: string;
  UpdatedAt: string;
  Name: string;
  Color?: string;
  Write: boolean;
  PersonID: PersonId;
};

export type SubscribedCalendarRecord = {
  ID: SubscriptionId;
  CreatedAt: string;
  UpdatedAt: string;
  Name: string;
  Color?: string;
  Url: string;
  ReadAt: string | null;
  DueAt: string;
  Fault?: string;
};

export type SubscribedEventRecord = {
  SubscribedCalendarID: SubscriptionId;
  Uid: string;
  Start: string;
  End?: string;
  LastDay?: string;
  AllDay: boolean;
  Summary: string;
  Location: string;
};

export type CalendarAddressesRecord = {
  PublicURL: string;
  SecretURL?: string;
  SecretSince?: string;
};

export type EventRecord = {
  Capacity?: number;
  Approval?: boolean;
  ID: EventId;
  CreatedAt: string;
  UpdatedAt: string;
  PersonID: PersonId;
  Guid: string;
  Start: string;
  End?: string;
  LastDay?: string;
  AllDay: boolean;
  Location: string;
  Description: string;
  Summary: string;
  CalendarID: CalendarId;
  Public: boolean;
  Timezone: string;
  Status?: string;
  Recurrence?: {
    Rule: string;
    Added?: string[];
    Removed?: string[];
    Occurrences?: {
      At: string;
      Start: string;
      End?: string;
      Summary: string;
      Status?: string;
    }[];
  };
  Uid: string;
  Person: PersonRecord;
  Participations: ParticipationRecord[];
};

export type ParticipationRecord = {
  ID: number;
  PersonID: PersonId;
  CalendarEventID: EventId;
  Status: string;
  Reply?: string;
  Person: PersonRecord;
};

export type SettingsRecord = {
  Locale: string;
  TimeZone: string;
  Audience: string;
  AspectIDs: number[];
  LinkPreviews: boolean;
  PostLanguage: string | null;
  ReadLanguages: string[];
};

export type NotificationRecord = {
  ID: NotificationId;
  CreatedAt: string;
  UpdatedAt: string;
  UserID: UserId;
  PersonID: PersonId;
  Unread: boolean;
  ShareableType: string;
  ShareableGuid: string;
  TargetType: string;
  TargetGuid: string;
  Person: PersonRecord;
  Filtered?: FilterMatchRecord[];
};

export type IssuedTokenRecord = {
  ID: TokenId;
  token: string;
  CreatedAt: string;
  ClientID: string;
};

export type TokenRecord = {
  ID: TokenId;
  ClientID: string;
  CreatedAt: string;
  LastUsedAt: string;
};

/** RFC 3339 in UTC with milliseconds. */
export const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** A Guid made here. */
export const OWN_GUID = /^[0-9a-f]{32}$/;

export type MessageRecord = {
  ID: number;
  CreatedAt: string;
  UpdatedAt: string;
  Guid: string;
  ConversationID: PostId;
  PersonID: PersonId;
  Text: string;
  Person: PersonRecord;
};

export type ConversationRecord = {
  ID: PostId;
  CreatedAt: string;
  UpdatedAt: string;
  Guid: string;
  PersonID: PersonId;
  Subject: string | null;
  State: string;
  Unread: number;
  Participants: PersonRecord[];
  LastMessage: MessageRecord | null;
  MayNotArrive?: PersonId[];
};
