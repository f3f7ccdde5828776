import type { ColumnType, Generated } from "kysely";
import type { JsonText } from "./columns/json-text.ts";
import type { QuotablePeople, RepliesPolicy } from "./columns/stored-names.ts";
import type { Emojis, OptionalJson } from "./columns/json-columns.ts";
import type {
  NotificationReason,
  ShareableType,
} from "./columns/notification.ts";
import type * as Jobs from "./schema-jobs.ts";
import type * as Accounts from "./schema-accounts.ts";
import type * as Events from "./schema-events.ts";
import type * as Posts from "./schema-posts.ts";
import type * as Drafts from "./schema-drafts.ts";
import type * as Filters from "./schema-filters.ts";
import type * as Oauth from "./schema-oauth.ts";
import type { MailTables } from "./schema-mail.ts";
import type * as Programs from "./schema-programs.ts";
import type * as Administration from "./schema-administration.ts";
import type * as Federation from "./schema-federation.ts";
import type * as Moderation from "./schema-moderation.ts";
import type {
  AspectId,
  HostBlockId,
  InvitationId,
  MembershipId,
  NotificationId,
  PersonId,
  UserId,
  UserStreamId,
} from "./ids.ts";

/** A boolean: `boolean` on PostgreSQL, 0 or 1 on SQLite. Stores read it with `Boolean(…)`. */
type Flag = ColumnType<boolean | number, boolean, boolean>;
/** RFC 3339 in UTC with milliseconds. */
type Time = string;
type OptionalText = ColumnType<
  string | null,
  string | null | undefined,
  string | null
>;

type UsersTable = {
  id: Generated<UserId>;
  username: string;
  password_hash: string;
  role: "user" | "moderator" | "admin";
  /** Suspension is stored with the person. */
  state: "active" | "pending" | "closed";
  locale: string;
  time_zone: string;
  /** The audience of posts without one; null for everyone. */
  default_audience: OptionalJson<
    | { readonly kind: "everyone" | "unlisted" | "followers" }
    | { readonly kind: "all_aspects" | "self" }
    | { readonly kind: "aspects"; readonly aspectIds: readonly AspectId[] }
  >;
  /** Does this server read the pages that the user's posts link? */
  link_previews: ColumnType<boolean | number, boolean | undefined, boolean>;
  /** The language of what the user writes without naming one: a BCP 47 tag. */
  post_language: OptionalText;
  /** Primary language subtags; null for all languages. */
  read_languages: OptionalJson<readonly string[]>;
  /** The people who may quote the user's posts; null for everyone. */
  quotable_by: ColumnType<
    QuotablePeople | null,
    QuotablePeople | null | undefined,
    QuotablePeople | null
  >;
  /** Minutes before an event, and before the day of one that lasts all day; null for none. */
  event_reminder: Generated<number | null>;
  day_reminder: Generated<number | null>;
  last_seen_at: Time | null;
  created_at: Time;
  updated_at: Time;
  /** The text of a sign-up that waits for approval; null from then on. */
  sign_up_reason: ColumnType<string | null, string | null | undefined>;
  /** By which it came, where it came by one. */
  invitation_id: ColumnType<
    InvitationId | null,
    InvitationId | null | undefined
  >;
};

type UserKeysTable = {
  user_id: UserId;
  rsa_private_key: string;
  ed25519_private_key: string;
};

type ServerKeysTable = {
  name: string;
  private_key: string;
  public_pem: string;
};

type PeopleTable = {
  id: Generated<PersonId>;
  guid: string;
  handle: string;
  /** That of the handle, with its port: computed by the database. */
  host: ColumnType<string, never, never>;
  user_id: UserId | null;
  public_key_pem: string;
  state: "active" | "closed" | "shut_out";
  moved_to_id: ColumnType<
    PersonId | null,
    PersonId | undefined,
    PersonId | null
  >;
  moved_at: ColumnType<Time | null, Time | undefined, Time | null>;
  /** Addresses of ActivityPub actors. */
  also_known_as: ColumnType<
    JsonText<readonly string[]>,
    JsonText<readonly string[]> | undefined,
    JsonText<readonly string[]>
  >;
  stream_read_at: Generated<Time | null>;
  /** Its public posts are for those who know it: of a silenced host, or silenced itself. */
  silenced: ColumnType<boolean | number, boolean | undefined, boolean>;
  /** Of a host whose pictures are not shown. */
  media_rejected: ColumnType<boolean | number, boolean | undefined, boolean>;
  created_at: Time;
  updated_at: Time;
};

/** The document that proves a move, as it is sent again to servers that do not know of it. */
type MoveDocumentsTable = {
  person_id: PersonId;
  document: string;
  public: Flag;
  created_at: Time;
};

type PersonKeysTable = {
  key_id: string;
  person_id: PersonId;
  public_key_pem: string;
  fetched_at: Time;
};

type ProfilesTable = {
  id: Generated<number>;
  person_id: PersonId;
  first_name: string;
  last_name: string;
  full_name: string;
  image_url: string;
  image_url_small: string;
  image_url_medium: string;
  birthday: string | null;
  gender: string;
  bio: string;
  location: string;
  searchable: Flag;
  bio_for: DetailAudience;
  birthday_for: DetailAudience;
  gender_for: DetailAudience;
  location_for: DetailAudience;
  nsfw: Flag;
  fields: OptionalJson<
    readonly { readonly name: string; readonly value: string }[]
  >;
  emojis: Emojis;
  header_url: OptionalText;
  locked: ColumnType<boolean | number, boolean | undefined, boolean>;
  indexable: ColumnType<boolean | number, boolean | undefined, boolean>;
  kind: ColumnType<PersonKind, PersonKind | undefined>;
  edited_at: Time | null;
  created_at: Time;
  updated_at: Time;
};

/** A program (`bot`) or a group says so itself. */
type PersonKind = "person" | "bot" | "group";

/** The audience of a detail of a profile. */
type DetailAudience = "everyone" | "contacts" | "nobody";

type AspectsTable = {
  id: Generated<AspectId>;
  user_id: UserId;
  name: string;
  is_default: Flag;
  /** In the user's own order; equal ones the oldest first. */
  position: Generated<number>;
  /** Whose replies programs show in it. */
  replies_policy: ColumnType<RepliesPolicy, RepliesPolicy | undefined>;
  /** Are the posts of its members left out of the home? */
  exclusive: ColumnType<boolean | number, boolean | undefined, boolean>;
  created_at: Time;
  updated_at: Time;
};

type AspectMembershipsTable = {
  id: Generated<MembershipId>;
  aspect_id: AspectId;
  person_id: PersonId;
  created_at: Time;
  updated_at: Time;
};

type ContactsTable = {
  id: Generated<number>;
  user_id: UserId;
  person_id: PersonId;
  following: Flag;
  sharing: Flag;
  request_guid: string | null;
  confirmed: Flag;
  /** The person has refused the user's follow. */
  refused: ColumnType<boolean | number, boolean | undefined, boolean>;
  /** The id of the Follow by which the person shares. */
  sharing_uri: OptionalText;
  /** The user does not want the person's reshares in its home. */
  hides_reshares: ColumnType<boolean | number, boolean | undefined, boolean>;
  /** The user is notified of each post of the person. */
  notifies: ColumnType<boolean | number, boolean | undefined, boolean>;
  /** The user shows the person on its profile. */
  featured: ColumnType<boolean | number, boolean | undefined, boolean>;
  /** Primary language subtags of the posts in the user's home; null for all languages. */
  languages: OptionalJson<readonly string[]>;
  created_at: Time;
  updated_at: Time;
};

/** Somebody who wants to follow the user, who approves each follower. */
type FollowRequestsTable = {
  id: Generated<number>;
  user_id: UserId;
  person_id: PersonId;
  /** The id of the message that asks, if it had one. */
  uri: string | null;
  created_at: Time;
};

/** The person wants nothing of the other one, and shows it nothing. */
type BlocksTable = {
  person_id: PersonId;
  blocked_person_id: PersonId;
  created_at: Time;
  /** Follows from the block of the other person's server, and ends with it. */
  by_host: ColumnType<boolean | number, boolean | undefined, boolean>;
};

/** The person wants nothing to do with anybody there. */
type HostBlocksTable = {
  id: Generated<HostBlockId>;
  person_id: PersonId;
  host: string;
  created_at: Time;
};

/** The person does not want to read the other one. */
type IgnoresTable = {
  person_id: PersonId;
  ignored_person_id: PersonId;
  created_at: Time;
  /** null for good. */
  ends_at: OptionalText;
};

type UserStreamsTable = {
  id: Generated<UserStreamId>;
  user_id: UserId;
  name: string;
  tags: string;
  people: string;
  expression: string;
  created_at: Time;
  updated_at: Time;
};

type FollowedTagsTable = {
  id: Generated<number>;
  user_id: UserId;
  tag: string;
  created_at: Time;
};

type TombstonesTable = {
  kind: string;
  guid: string;
  person_id: PersonId;
  uri: string | null;
  details: string;
  created_at: Time;
  /** The server that took it back before it came; null for what was here. */
  origin: OptionalText;
};

type NotificationsTable = {
  id: Generated<NotificationId>;
  user_id: UserId;
  person_id: PersonId;
  reason: NotificationReason;
  shareable_type: ShareableType;
  shareable_guid: string;
  /** The name of an event that is gone, or the beginning of a draft. */
  thing_name: string | null;
  unread: Flag;
  created_at: Time;
  updated_at: Time;
};

type RelayableSignaturesTable = {
  kind: string;
  guid: string;
  properties: string;
  author_signature: string;
};

type RemoteHostsTable = {
  host: string;
  failing_since: Time | null;
  failures: number;
  last_error: string | null;
  software: string | null;
  held_until: Time | null;
  updated_at: Time;
  answers: ColumnType<boolean | number, boolean | undefined, boolean>;
};

/** Every table, one type for both dialects. The owner of each is the folder with its `*-store.ts`. */
export type Database = MailTables &
  Posts.CommentPlaceTables &
  Events.OwnCalendarTables & {
    users: UsersTable;
    user_keys: UserKeysTable;
    server_keys: ServerKeysTable;
    sessions: Accounts.SessionsTable;
    access_tokens: Accounts.AccessTokensTable;
    app_passwords: Accounts.AppPasswordsTable;
    second_factors: Accounts.SecondFactorsTable;
    recovery_codes: Accounts.RecoveryCodesTable;
    pending_sign_ins: Accounts.PendingSignInsTable;
    passkeys: Accounts.PasskeysTable;
    passkey_challenges: Accounts.PasskeyChallengesTable;
    people: PeopleTable;
    person_keys: PersonKeysTable;
    move_documents: MoveDocumentsTable;
    profiles: ProfilesTable;
    aspects: AspectsTable;
    aspect_memberships: AspectMembershipsTable;
    contacts: ContactsTable;
    follow_requests: FollowRequestsTable;
    blocks: BlocksTable;
    host_blocks: HostBlocksTable;
    ignores: IgnoresTable;
    posts: Posts.PostsTable;
    post_recipients: Posts.PostRecipientsTable;
    post_arrivals: Posts.PostArrivalsTable;
    unplaced_posts: Posts.UnplacedPostsTable;
    post_subscribers: Posts.PostSubscribersTable;
    hidden_posts: Posts.HiddenPostsTable;
    conversation_readers: Posts.ConversationReadersTable;
    unread_messages: Posts.UnreadMessagesTable;
    bookmarks: Posts.BookmarksTable;
    drafts: Drafts.DraftsTable;
    draft_photos: Drafts.DraftPhotosTable;
    filters: Filters.FiltersTable;
    server_profile: Administration.ServerProfileTable;
    filter_keywords: Filters.FilterKeywordsTable;
    filter_statuses: Filters.FilterStatusesTable;
    oauth_apps: Oauth.OauthAppsTable;
    oauth_codes: Oauth.OauthCodesTable;
    oauth_accesses: Oauth.OauthAccessesTable;
    markers: Programs.MarkersTable;
    submissions: Programs.SubmissionsTable;
    person_notes: Programs.PersonNotesTable;
    push_subscriptions: Programs.PushSubscriptionsTable;
    post_tags: Posts.PostTagsTable;
    post_links: Posts.PostLinksTable;
    link_previews: Posts.LinkPreviewsTable;
    muted_posts: Posts.MutedPostsTable;
    text_mentions: Posts.TextMentionsTable;
    user_streams: UserStreamsTable;
    followed_tags: FollowedTagsTable;
    featured_tags: Programs.FeaturedTagsTable;
    polls: Posts.PollsTable;
    quotes: Posts.QuotesTable;
    revoked_quotes: Posts.RevokedQuotesTable;
    poll_answers: Posts.PollAnswersTable;
    poll_votes: Posts.PollVotesTable;
    photos: Posts.PhotosTable;
    comments: Posts.CommentsTable;
    likes: Posts.LikesTable;
    calendars: Events.CalendarsTable;
    events: Events.EventsTable;
    calendar_objects: Events.CalendarObjectsTable;
    removed_objects: Events.RemovedObjectsTable;
    event_recipients: Events.EventRecipientsTable;
    event_versions: Events.EventVersionsTable;
    participations: Events.ParticipationsTable;
    remote_events: Federation.RemoteEventsTable;
    text_versions: Posts.TextVersionsTable;
    reactions: Posts.ReactionsTable;
    person_decisions: Moderation.PersonDecisionsTable;
    reports: Moderation.ReportsTable;
    report_notes: Moderation.ReportNotesTable;
    remote_actors: Federation.RemoteActorsTable;
    tombstones: TombstonesTable;
    notifications: NotificationsTable;
    notification_choices: Programs.NotificationChoicesTable;
    relayable_signatures: RelayableSignaturesTable;
    sent_activities: Federation.SentActivitiesTable;
    inbound_messages: Federation.InboundMessagesTable;
    creations: Federation.CreationsTable;
    followers_checks: Federation.FollowersChecksTable;
    remote_hosts: RemoteHostsTable;
    unproven_messages: Federation.UnprovenMessagesTable;
    waiting_messages: Federation.WaitingMessagesTable;
    known_networks: Federation.KnownNetworksTable;
    invitations: Administration.InvitationsTable;
    statistics: Administration.StatisticsTable;
    host_deliveries: Administration.HostDeliveriesTable;
    announcements: Administration.AnnouncementsTable;
    dismissed_announcements: Administration.DismissedAnnouncementsTable;
    announcement_reactions: Administration.AnnouncementReactionsTable;
    audit_log: Administration.AuditLogTable;
    bans: Moderation.BansTable;
    strikes: Moderation.StrikesTable;
    newcomer_acts: Moderation.NewcomerActsTable;
    imports: Drafts.ImportsTable;
    spam_rules: Moderation.SpamRulesTable;
    spam_hits: Moderation.SpamHitsTable;
    held_texts: Moderation.HeldTextsTable;
    host_policies: Federation.HostPoliciesTable;
    host_list_imports: Federation.HostListImportsTable;
    relays: Federation.RelaysTable;
    remote_people: Federation.RemotePeopleTable;
    gone_inboxes: Federation.GoneInboxesTable;
    peers: Federation.PeersTable;
    delivery_receipts: Federation.DeliveryReceiptsTable;
    forwarded_activities: Federation.ForwardedActivitiesTable;
    proved_documents: Federation.ProvedDocumentsTable;
    thread_news: Federation.ThreadNewsTable;
    jobs: Jobs.JobsTable;
    job_documents: Jobs.JobDocumentsTable;
  };
