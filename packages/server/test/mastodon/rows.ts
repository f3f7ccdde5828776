import type { Scope } from "../../src/features/oauth/index.ts";
import type { Answered } from "../support/mastodon/entity-schemas.ts";

/** The things that a row can name in its path or body, by `{name}`. */
export type Named =
  | "me"
  | "other"
  | "status"
  | "mine"
  | "quoting"
  | "private"
  | "media"
  | "poll"
  | "list"
  | "notice"
  | "group"
  | "asker"
  | "followed"
  | "filter"
  | "keyword"
  | "filtered"
  | "talk"
  | "scheduled"
  | "announcement"
  | "later";

/** One row of the table of calls: its answer, and what it needs. */
export type Row = {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below `/api`, as registered. */
  readonly path: string;
  /** The record that `:id` names. */
  readonly id?: Named;
  /** The record that a second one names. */
  readonly below?: Named;
  /** What `:name` is, as it is in an address; else the tag. */
  readonly name?: string;
  readonly query?: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly scope: Scope | readonly Scope[] | "any";
  /** Needs no token. */
  readonly isPublic?: true;
  /** `unsupported`: it answers 404 by name. */
  readonly answer: Answered | "unsupported";
};

const get = (
  path: string,
  scope: Row["scope"],
  answer: Row["answer"],
  more: Partial<Row> = {},
): Row => ({
  ...{ method: "GET", path, scope, answer },
  ...more,
});
const post = (
  path: string,
  scope: Row["scope"],
  answer: Row["answer"],
  more: Partial<Row> = {},
): Row => ({
  ...{ method: "POST", path, scope, answer },
  ...more,
});
const put = (
  path: string,
  scope: Row["scope"],
  answer: Row["answer"],
  more: Partial<Row> = {},
): Row => ({
  ...{ method: "PUT", path, scope, answer },
  ...more,
});
const remove = (
  path: string,
  scope: Row["scope"],
  answer: Row["answer"],
  more: Partial<Row> = {},
): Row => ({
  ...{ method: "DELETE", path, scope, answer },
  ...more,
});
const isPublic = { isPublic: true } as const;
const unsupported = (method: Row["method"], path: string): Row => ({
  ...{ method, path, scope: "any", answer: "unsupported" },
  isPublic: true,
});

const INSTANCE: readonly Row[] = [
  get("/v2/instance", "any", "Instance", isPublic),
  get("/v1/instance", "any", "OldInstance", isPublic),
  get("/v1/instance/peers", "any", "[Text]", isPublic),
  get("/v1/instance/activity", "any", "[Week]", isPublic),
  get("/v1/instance/rules", "any", "[Rule]", isPublic),
  get("/v1/instance/domain_blocks", "any", "[Anything]", isPublic),
  get("/v1/instance/extended_description", "any", "Anything", isPublic),
  get("/v1/instance/languages", "any", "[Anything]", isPublic),
  get("/v1/instance/translation_languages", "any", "Empty", isPublic),
  get("/v1/instance/privacy_policy", "any", "Anything", isPublic),
  get("/v1/instance/terms_of_service", "any", "Anything", isPublic),
  get("/v1/custom_emojis", "any", "[CustomEmoji]", isPublic),
  get("/v1/announcements", "any", "[Announcement]"),
  post("/v1/announcements/:id/dismiss", "write:accounts", "Empty", {
    id: "announcement",
  }),
  put("/v1/announcements/:id/reactions/:name", "write:favourites", "Empty", {
    ...{ id: "announcement", name: "%F0%9F%8E%89" },
  }),
  remove("/v1/announcements/:id/reactions/:name", "write:favourites", "Empty", {
    ...{ id: "announcement", name: "%F0%9F%8E%89" },
  }),
  get("/v1/trends/tags", "any", "[Tag]", isPublic),
  get("/v1/trends/statuses", "any", "[Status]", isPublic),
  get("/v1/trends/links", "any", "[PreviewCard]", isPublic),
  get("/v2/suggestions", "read:accounts", "[Suggestion]"),
  get("/v1/suggestions", "read:accounts", "[Account]"),
  get("/v1/endorsements", "read:accounts", "[Account]"),
  get("/v1/preferences", "read:accounts", "Preferences"),
  get("/v1/directory", "read:accounts", "[Account]"),
];

const ACCOUNTS: readonly Row[] = [
  get(
    "/v1/accounts/verify_credentials",
    ["read:accounts", "profile"],
    "CredentialAccount",
  ),
  {
    ...{ method: "PATCH", path: "/v1/accounts/update_credentials" },
    ...{ scope: "write:accounts", answer: "CredentialAccount" },
    body: { display_name: "Me" },
  },
  get("/v1/profile", "read:accounts", "Profile"),
  {
    ...{ method: "PATCH", path: "/v1/profile" },
    ...{ scope: "write:accounts", answer: "Profile" },
    body: { note: "row", fields_attributes: [{ name: "a", value: "b" }] },
  },
  remove("/v1/profile/avatar", "write:accounts", "CredentialAccount"),
  remove("/v1/profile/header", "write:accounts", "CredentialAccount"),
  get("/v1/accounts/:id", "read:accounts", "Account", {
    ...{ ...isPublic, id: "other" },
  }),
  get("/v1/accounts/lookup", "read:accounts", "Account", {
    ...{ ...isPublic, query: "acct={acct}" },
  }),
  get("/v1/accounts/search", "read:accounts", "[Account]", { query: "q=row" }),
  get("/v1/accounts/relationships", "read:follows", "[Relationship]", {
    query: "id[]={other}&id[]={me}",
  }),
  get("/v1/accounts/:id/statuses", "read:statuses", "[Status]", {
    ...{ ...isPublic, id: "other" },
  }),
  get("/v1/accounts/:id/followers", "read:accounts", "[Account]", {
    ...{ ...isPublic, id: "me" },
  }),
  get("/v1/accounts/:id/following", "read:accounts", "[Account]", {
    ...{ ...isPublic, id: "me" },
  }),
  ...(
    [
      ["follow", "write:follows"],
      ["unfollow", "write:follows"],
      ["mute", "write:mutes"],
      ["unmute", "write:mutes"],
      ["note", "write:accounts"],
      ["remove_from_followers", "write:follows"],
    ] as const
  ).map(([name, scope]) =>
    post(`/v1/accounts/:id/${name}`, scope, "Relationship", {
      ...{ id: "other", body: { comment: "a note" } },
    }),
  ),
  ...["endorse", "unendorse", "pin", "unpin"].map((name) =>
    post(`/v1/accounts/:id/${name}`, "write:accounts", "Relationship", {
      id: "followed",
    }),
  ),
  get("/v1/accounts/:id/lists", "read:lists", "[List]", { id: "other" }),
  get("/v1/accounts/:id/featured_tags", "read:accounts", "[FeaturedTag]", {
    ...{ ...isPublic, id: "other" },
  }),
  get("/v1/accounts/:id/endorsements", "read:accounts", "[Account]", {
    ...{ ...isPublic, id: "other" },
  }),
  get(
    "/v1/accounts/familiar_followers",
    "read:follows",
    "[FamiliarFollowers]",
    { query: "id[]={other}" },
  ),
  get("/v1/blocks", "read:blocks", "[Account]"),
  get("/v1/mutes", "read:mutes", "[Account]"),
  post("/v1/domain_blocks", "write:blocks", "Empty", {
    body: { domain: "row.example" },
  }),
  get("/v1/domain_blocks", "read:blocks", "[Text]"),
  remove("/v1/domain_blocks", "write:blocks", "Empty", {
    body: { domain: "row.example" },
  }),
  get("/v1/follow_requests", "read:follows", "[Account]"),
  post("/v1/follow_requests/:id/authorize", "write:follows", "Relationship", {
    id: "asker",
  }),
  post("/v1/featured_tags", "write:accounts", "FeaturedTag", {
    body: { name: "row" },
  }),
  get("/v1/featured_tags", "read:accounts", "[FeaturedTag]"),
  get("/v1/featured_tags/suggestions", "read:accounts", "[Tag]"),
  post("/v1/reports", "write:reports", "Report", {
    body: { account_id: "{other}", status_ids: ["{status}"], comment: "row" },
  }),
];

const STATUSES: readonly Row[] = [
  get("/v1/timelines/home", "read:statuses", "[Status]"),
  get("/v1/timelines/public", "read:statuses", "[Status]"),
  get("/v1/timelines/tag/:name", "read:statuses", "[Status]", {
    ...isPublic,
  }),
  get("/v1/timelines/list/:id", "read:lists", "[Status]", { id: "list" }),
  get("/v1/timelines/link", "read:statuses", "[Status]", {
    ...{ ...isPublic, query: "url=https%3A%2F%2Frow.example%2F" },
  }),
  unsupported("GET", "/v1/timelines/direct"),
  post("/v1/statuses", "write:statuses", "Status", {
    body: { status: "row #row" },
  }),
  get("/v1/statuses/:id", "read:statuses", "Status", {
    ...{ ...isPublic, id: "status" },
  }),
  get("/v1/statuses", "read:statuses", "[Status]", {
    ...{ ...isPublic, query: "id[]={status}&id[]={mine}" },
  }),
  get("/v1/statuses/:id/context", "read:statuses", "Context", {
    ...{ ...isPublic, id: "status" },
  }),
  put("/v1/statuses/:id", "write:statuses", "Status", {
    ...{ id: "mine", body: { status: "edited row" } },
  }),
  get("/v1/statuses/:id/source", "read:statuses", "StatusSource", {
    id: "mine",
  }),
  get("/v1/statuses/:id/history", "read:statuses", "[StatusEdit]", {
    ...{ ...isPublic, id: "mine" },
  }),
  ...(
    [
      ["favourite", "write:favourites"],
      ["unfavourite", "write:favourites"],
      ["reblog", "write:statuses"],
      ["unreblog", "write:statuses"],
      ["bookmark", "write:bookmarks"],
      ["unbookmark", "write:bookmarks"],
      ["mute", "write:mutes"],
      ["unmute", "write:mutes"],
    ] as const
  ).map(([name, scope]) =>
    post(`/v1/statuses/:id/${name}`, scope, "Status", { id: "status" }),
  ),
  post("/v1/statuses/:id/pin", "write:accounts", "Status", { id: "mine" }),
  post("/v1/statuses/:id/unpin", "write:accounts", "Status", { id: "mine" }),
  unsupported("POST", "/v1/statuses/:id/translate"),
  get("/v1/statuses/:id/favourited_by", "read:accounts", "[Account]", {
    ...{ ...isPublic, id: "status" },
  }),
  get("/v1/statuses/:id/reblogged_by", "read:accounts", "[Account]", {
    ...{ ...isPublic, id: "status" },
  }),
  get("/v1/statuses/:id/quotes", "read:statuses", "[Status]", {
    ...{ ...isPublic, id: "mine" },
  }),
  put("/v1/statuses/:id/interaction_policy", "write:statuses", "Status", {
    ...{ id: "mine", body: { quote_approval_policy: "followers" } },
  }),
  post(
    "/v1/statuses/:id/quotes/:quoting_status_id/revoke",
    "write:statuses",
    "Status",
    { id: "mine", below: "quoting" },
  ),
  get("/v1/favourites", "read:favourites", "[Status]"),
  get("/v1/bookmarks", "read:bookmarks", "[Status]"),
  get("/v1/polls/:id", "read:statuses", "Poll", { ...isPublic, id: "poll" }),
  post("/v1/polls/:id/votes", "write:statuses", "Poll", {
    ...{ id: "poll", body: { choices: [0] } },
  }),
  get("/v1/media/:id", "write:media", "MediaAttachment", { id: "media" }),
  put("/v1/media/:id", "write:media", "MediaAttachment", {
    ...{ id: "media", body: { description: "row" } },
  }),
  remove("/v1/media/:id", "write:media", "Empty", { id: "media" }),
  get("/v1/scheduled_statuses", "read:statuses", "[ScheduledStatus]"),
  get("/v1/scheduled_statuses/:id", "read:statuses", "ScheduledStatus", {
    id: "scheduled",
  }),
  put("/v1/scheduled_statuses/:id", "write:statuses", "ScheduledStatus", {
    ...{ id: "scheduled", body: { scheduled_at: "{later}" } },
  }),
  remove("/v1/scheduled_statuses/:id", "write:statuses", "Empty", {
    id: "scheduled",
  }),
];

const LISTS: readonly Row[] = [
  get("/v1/lists", "read:lists", "[List]"),
  post("/v1/lists", "write:lists", "List", { body: { title: "row" } }),
  get("/v1/lists/:id", "read:lists", "List", { id: "list" }),
  put("/v1/lists/:id", "write:lists", "List", {
    ...{ id: "list", body: { title: "new row" } },
  }),
  post("/v1/lists/:id/accounts", "write:lists", "Empty", {
    ...{ id: "list", body: { account_ids: ["{other}"] } },
  }),
  get("/v1/lists/:id/accounts", "read:lists", "[Account]", { id: "list" }),
  remove("/v1/lists/:id/accounts", "write:lists", "Empty", {
    ...{ id: "list", body: { account_ids: ["{other}"] } },
  }),
  remove("/v1/lists/:id", "write:lists", "Empty", { id: "list" }),
  get("/v2/search", "read:search", "Search", { ...isPublic, query: "q=row" }),
  get("/v1/tags/:name", "read:follows", "Tag", isPublic),
  post("/v1/tags/:name/follow", "write:follows", "Tag"),
  get("/v1/followed_tags", "read:follows", "[Tag]"),
  post("/v1/tags/:name/feature", "write:accounts", "Tag"),
  post("/v1/tags/:name/unfeature", "write:accounts", "Tag"),
  post("/v1/tags/:name/unfollow", "write:follows", "Tag"),
  get("/v2/filters", "read:filters", "[Filter]"),
  post("/v2/filters", "write:filters", "Filter", {
    body: {
      ...{ title: "row", context: ["home"] },
      keywords_attributes: [{ keyword: "row" }],
    },
  }),
  get("/v2/filters/:id", "read:filters", "Filter", { id: "filter" }),
  put("/v2/filters/:id", "write:filters", "Filter", {
    ...{ id: "filter", body: { title: "rows" } },
  }),
  get("/v2/filters/:id/keywords", "read:filters", "[FilterKeyword]", {
    id: "filter",
  }),
  post("/v2/filters/:id/keywords", "write:filters", "FilterKeyword", {
    ...{ id: "filter", body: { keyword: "more" } },
  }),
  post("/v2/filters/:id/statuses", "write:filters", "FilterStatus", {
    ...{ id: "filter", body: { status_id: "{status}" } },
  }),
  get("/v2/filters/statuses/:id", "read:filters", "FilterStatus", {
    id: "filtered",
  }),
  get("/v2/filters/:id/statuses", "read:filters", "[FilterStatus]", {
    id: "filter",
  }),
  get("/v2/filters/keywords/:id", "read:filters", "FilterKeyword", {
    id: "keyword",
  }),
  put("/v2/filters/keywords/:id", "write:filters", "FilterKeyword", {
    ...{ id: "keyword", body: { whole_word: true } },
  }),
  get("/v1/filters", "read:filters", "[OldFilter]"),
  get("/v1/filters/:id", "read:filters", "OldFilter", { id: "keyword" }),
  post("/v1/filters", "write:filters", "OldFilter", {
    body: { phrase: "old", context: ["home"] },
  }),
  put("/v1/filters/:id", "write:filters", "OldFilter", {
    ...{ id: "keyword", body: { phrase: "older", context: ["home"] } },
  }),
  remove("/v2/filters/keywords/:id", "write:filters", "Empty", {
    id: "keyword",
  }),
  remove("/v2/filters/statuses/:id", "write:filters", "Empty", {
    id: "filtered",
  }),
  remove("/v2/filters/:id", "write:filters", "Empty", { id: "filter" }),
];

/** The receiver of RFC 8291, section 5. */
const PUSH_POINT =
  "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";

const NOTIFICATIONS: readonly Row[] = [
  get("/v1/notifications", "read:notifications", "[Notification]"),
  get("/v1/notifications/:id", "read:notifications", "Notification", {
    id: "notice",
  }),
  get("/v1/notifications/unread_count", "read:notifications", "Count"),
  get("/v2/notifications", "read:notifications", "GroupedNotificationsResults"),
  get("/v2/notifications/unread_count", "read:notifications", "Count"),
  get("/v2/notifications/policy", "read:notifications", "NotificationPolicy"),
  {
    ...{ method: "PATCH", path: "/v2/notifications/policy" },
    ...{ scope: "write:notifications", answer: "NotificationPolicy" },
    body: { for_not_following: "drop" },
  },
  put("/v2/notifications/policy", "write:notifications", "NotificationPolicy", {
    body: { for_not_following: "accept", for_limited_accounts: "drop" },
  }),
  get("/v1/notifications/requests", "read:notifications", "[Anything]"),
  get(
    "/v2/notifications/:id",
    "read:notifications",
    "GroupedNotificationsResults",
    { id: "group" },
  ),
  get("/v2/notifications/:id/accounts", "read:notifications", "[Account]", {
    id: "group",
  }),
  post("/v2/notifications/:id/dismiss", "write:notifications", "Empty", {
    id: "group",
  }),
  post("/v1/notifications/clear", "write:notifications", "Empty"),
  get("/v1/markers", "read:statuses", "Markers", { query: "timeline[]=home" }),
  post("/v1/markers", "write:statuses", "Markers", {
    body: { home: { last_read_id: "1" } },
  }),
  get("/v1/conversations", "read:statuses", "[Conversation]"),
  post("/v1/conversations/:id/read", "write:conversations", "Conversation", {
    id: "talk",
  }),
  remove("/v1/conversations/:id", "write:conversations", "Empty", {
    id: "talk",
  }),
  post("/v1/push/subscription", "push", "WebPushSubscription", {
    body: {
      subscription: {
        endpoint: "https://push.example/device",
        keys: { p256dh: PUSH_POINT, auth: "BTBZMqHH6r4Tts7J_aSIgg" },
      },
      data: { alerts: { mention: true } },
    },
  }),
  get("/v1/push/subscription", "push", "WebPushSubscription"),
  put("/v1/push/subscription", "push", "WebPushSubscription", {
    body: { data: { policy: "followed" } },
  }),
  remove("/v1/push/subscription", "push", "Empty"),
];

/** Everything that clients call, in an order in which each row finds what it names. */
export const ROWS: readonly Row[] = [
  ...INSTANCE,
  ...ACCOUNTS,
  ...STATUSES,
  ...LISTS,
  ...NOTIFICATIONS,
  remove("/v1/statuses/:id", "write:statuses", "DeletedStatus", { id: "mine" }),
  post("/v1/accounts/:id/block", "write:blocks", "Relationship", {
    id: "other",
  }),
  post("/v1/accounts/:id/unblock", "write:blocks", "Relationship", {
    id: "other",
  }),
];
