import type { TSchema } from "typebox";
import { Type } from "../../lib/json-schema.ts";
import { AUDIENCE_WORDS, DEFAULT_AUDIENCE_WORDS } from "./audience-words.ts";
import { ADMIN_RECORDS } from "./schemas-admin.ts";
import { EVENT_RECORDS } from "./schemas-events.ts";
import { DRAFT_RECORDS, IMPORT_RECORDS } from "./schemas-drafts.ts";
import { FILTERED, FILTER_RECORDS } from "./schemas-filters.ts";
import { NOTIFICATION_RECORDS } from "./schemas-notifications.ts";
import { EMOJIS, LANGUAGE, POST_RECORDS, REACTIONS } from "./schemas-posts.ts";
import { CONVERSATION_RECORDS } from "./schemas-conversations.ts";
import {
  color,
  count,
  dated,
  exactly,
  boolean,
  guid,
  id,
  name,
  orNull,
  ref,
  time,
} from "./schema-parts.ts";

const SHAREABLE = {
  ShareableID: id,
  ShareableType: Type.String({ enum: ["Post", "Comment"] }),
};

/**
 * The audience of a profile detail; for others it looks as if it were not
 * given.
 */
const AUDIENCE = Type.String({ enum: ["everyone", "contacts", "nobody"] });

const PERSON = {
  ...dated,
  Guid: guid,
  Author: name,
  SerializedPublicKey: name,
  UserID: orNull(id),
  Profile: Type.Optional(ref("Profile")),
};

const APP_PASSWORD = {
  ID: id,
  Name: name,
  CreatedAt: time,
  /** To the hour; missing before the first use. */
  LastUsedAt: Type.Optional(time),
};

const COMMENT = {
  ...dated,
  Guid: guid,
  Text: name,
  ContentWarning: Type.Optional(name),
  Language: LANGUAGE,
  Emojis: EMOJIS,
  ...SHAREABLE,
  PersonID: id,
  ParentGuid: orNull(guid),
  LikesCount: count,
  Reactions: REACTIONS,
  Person: orNull(ref("Person")),
  /** Absent without any. */
  Photos: Type.Optional(Type.Array(ref("Photo"))),
  Filtered: FILTERED,
};

/**
 * Every record of the service API, by name: all its fields are present unless
 * optional.
 */
export const RECORDS: Readonly<Record<string, TSchema>> = {
  Person: exactly(PERSON),
  /** A person, and until when it is ignored if not for good. */
  IgnoredPerson: exactly({ ...PERSON, Until: Type.Optional(time) }),
  /** A person who asks to follow, and since when. */
  FollowRequest: exactly({ ...PERSON, RequestedAt: time }),
  /** The choices about a followed person; no languages mean all of them. */
  FollowChoices: exactly({
    Reshares: boolean,
    Notify: boolean,
    Languages: Type.Array(name),
  }),
  /**
   * A person; for the URL of a post or comment its author, and the id of the
   * object.
   */
  Found: exactly({
    ...PERSON,
    ShareableType: Type.Optional(Type.String({ enum: ["Post", "Comment"] })),
    ShareableGuid: Type.Optional(guid),
  }),
  Profile: exactly({
    ...dated,
    Author: name,
    FirstName: name,
    LastName: name,
    FullName: name,
    ImageUrl: name,
    ImageUrlSmall: name,
    ImageUrlMedium: name,
    Birthday: orNull(Type.String({ format: "date" })),
    Gender: name,
    Bio: name,
    Location: name,
    Searchable: boolean,
    /** Are the four details visible to everyone? */
    Public: boolean,
    BioFor: Type.Optional(AUDIENCE),
    BirthdayFor: Type.Optional(AUDIENCE),
    GenderFor: Type.Optional(AUDIENCE),
    LocationFor: Type.Optional(AUDIENCE),
    Nsfw: boolean,
    /** Visible to the same viewers as the Bio. */
    Fields: Type.Optional(Type.Array(ref("ProfileField"))),
    HeaderUrl: Type.Optional(name),
    /** Approves followers manually. */
    Locked: Type.Optional(boolean),
    /** Allows public posts to be found by search. */
    Indexable: Type.Optional(boolean),
    /** A program posts there. */
    Bot: Type.Optional(boolean),
    Emojis: EMOJIS,
    PersonID: id,
  }),
  /** A line of a profile: the name in plain text, the value in Markdown. */
  ProfileField: exactly({ Name: name, Value: name }),
  /** The picture for `:Shortcode:` in a text. */
  Emoji: exactly({ Shortcode: name, Url: name }),
  ...POST_RECORDS,
  /** A post in the shape of a diaspora* stream. */
  DiasporaPost: exactly({
    public: boolean,
    guid,
    author: exactly({ id, guid }),
    post_type: name,
    text: name,
    provider_display_name: name,
    created_at: time,
  }),

  Poll: exactly({
    Guid: guid,
    Question: name,
    Answers: Type.Array(ref("PollAnswer")),
    Multiple: boolean,
    VotersCount: count,
    EndsAt: orNull(time),
    OwnVotes: Type.Array(guid),
  }),
  PollAnswer: exactly({ Guid: guid, Text: name, Votes: orNull(count) }),
  /** The state of a post's delivery to a server. */
  Delivery: exactly({
    Host: name,
    State: Type.String({ enum: ["delivered", "waiting", "failed"] }),
    DeliveredAt: orNull(time),
    FailedAt: orNull(time),
    NextAttemptAt: orNull(time),
  }),
  TextVersion: exactly({
    ID: id,
    Text: name,
    ContentWarning: Type.Optional(name),
    Photos: Type.Optional(Type.Array(ref("DescribedPhoto"))),
    WrittenAt: time,
  }),
  /** A picture of a version of a post, which may be deleted by now. */
  DescribedPhoto: exactly({ Guid: guid, Text: name }),
  Comment: exactly(COMMENT),
  /** A comment in a thread: 1 is a reply to the post or comment asked for. */
  ThreadComment: exactly({
    ...COMMENT,
    Depth: Type.Integer({ minimum: 1 }),
  }),
  /** A conversation: its comments in order, each directly above its replies. */
  Thread: exactly({
    Post: ref("Post"),
    /** The comments above the one asked for, from the post downwards. */
    Ancestors: Type.Array(ref("Comment"), { maxItems: 100 }),
    /** Null if the thread of the post was asked for. */
    Comment: orNull(ref("Comment")),
    Descendants: Type.Array(ref("ThreadComment"), { maxItems: 100 }),
  }),
  ...CONVERSATION_RECORDS,
  Like: exactly({
    ...dated,
    Guid: guid,
    Positive: boolean,
    ...SHAREABLE,
    PersonID: id,
    TargetID: id,
    TargetType: SHAREABLE.ShareableType,
  }),
  Aspect: exactly({
    ...dated,
    Name: name,
    UserID: id,
    Default: boolean,
    /** Are the posts of its members left out of the home? */
    Exclusive: Type.Optional(boolean),
    Memberships: Type.Array(ref("Membership")),
  }),
  Membership: exactly({ ...dated, AspectID: id, PersonID: id }),
  Calendar: exactly({
    ...dated,
    Name: name,
    UserID: id,
    Default: boolean,
    Color: color,
  }),
  ...EVENT_RECORDS,
  ...NOTIFICATION_RECORDS,
  /** The language, the time zone and the default audience of a user. */
  Settings: exactly({
    Locale: name,
    TimeZone: name,
    Audience: Type.String({ enum: DEFAULT_AUDIENCE_WORDS }),
    /** For the audience aspects. */
    AspectIDs: Type.Array(id),
    LinkPreviews: boolean,
    /** The language of what you write without naming one. */
    PostLanguage: orNull(name),
    /** The languages that you read; all if there are none. */
    ReadLanguages: Type.Array(name),
    /** The people who may quote posts that do not say it. */
    QuotableBy: Type.String({ enum: ["everyone", "followers", "nobody"] }),
    /** Minutes before an event; null for no reminder. */
    EventReminder: orNull(Type.Integer()),
    /** Minutes before the day of an event that lasts all day; null for no reminder. */
    DayReminder: orNull(Type.Integer()),
  }),
  /** The audience of a post, shown to its author. */
  Audience: exactly({
    Kind: Type.String({ enum: [...AUDIENCE_WORDS] }),
    /** The aspects, as they were called then; the people. */
    Names: Type.Array(name),
    AspectIDs: Type.Optional(Type.Array(id)),
  }),
  /** The people and servers that a post would be sent to; some of them by name. */
  AudiencePreview: exactly({
    Audience: ref("Audience"),
    Public: boolean,
    PeopleCount: count,
    People: Type.Array(ref("Person"), { maxItems: 20 }),
    /** Other servers. */
    HostsCount: count,
    Hosts: Type.Array(name, { maxItems: 20 }),
    NotKept: Type.Array(ref("Shortfall")),
  }),
  /** Something that an author may expect of an audience, and that will not happen. */
  Shortfall: exactly({
    Kind: Type.String({
      enum: [
        ...["nobody", "mentions", "unreachable", "listed", "edits"],
        "recordings",
      ],
    }),
    Text: name,
    PeopleCount: count,
    People: Type.Array(ref("Person"), { maxItems: 20 }),
    HostsCount: count,
    Hosts: Type.Array(name, { maxItems: 20 }),
  }),
  /**
   * The signature that the new server needs, so that both sides agree to a
   * move.
   */
  MoveSignature: exactly({
    OldHandle: name,
    NewHandle: name,
    Signature: name,
  }),
  /** URLs of the ActivityPub actors that may move to a user. */
  Aliases: exactly({ Aliases: Type.Array(name) }),
  IssuedToken: exactly({
    ID: id,
    token: Type.String({ pattern: "^[0-9a-f]{64}$" }),
    CreatedAt: time,
    ClientID: name,
  }),
  AppPassword: exactly(APP_PASSWORD),
  /** An app password, shown this once. */
  NewAppPassword: exactly({
    ...APP_PASSWORD,
    Password: Type.String({ pattern: "^[a-z2-7]{4}(-[a-z2-7]{4}){5}$" }),
  }),
  Token: exactly({
    ID: id,
    ClientID: name,
    CreatedAt: time,
    LastUsedAt: time,
  }),
  UserStream: exactly({
    ...dated,
    UserID: id,
    Name: name,
    Tags: name,
    People: name,
    Expression: name,
  }),
  FollowedTag: exactly({ ID: id, Name: name, CreatedAt: time }),
  SearchResult: exactly({
    People: Type.Array(ref("Person")),
    Posts: Type.Array(ref("Post")),
    Tags: Type.Array(name),
    Incomplete: boolean,
  }),
  /** A server that the user has blocked. */
  HostBlock: exactly({ ID: id, CreatedAt: time, Host: name }),
  ...DRAFT_RECORDS,
  ...IMPORT_RECORDS,
  ...FILTER_RECORDS,
  ...ADMIN_RECORDS,
  /**
   * Clients compare the error; the detail is a sentence for people and may
   * change.
   */
  Error: exactly({ error: name, detail: Type.Optional(name) }),
  Empty: exactly({}),
};

/** A response of one record. */
export const one = (record: string): TSchema => ref(record);

/** A response with a list of records of one kind. */
export const listOf = (record: string): TSchema => Type.Array(ref(record));

/** A response without content. */
export const EMPTY: TSchema = ref("Empty");
