import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: "string" };
const flag: Schema = { type: "boolean" };
const count: Schema = { type: "integer", minimum: 0, maximum: 2_147_483_647 };
const id: Schema = { type: "string", pattern: "^[0-9]{1,19}$" };
const time: Schema = {
  type: "string",
  pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`,
};
const day: Schema = { type: "string", pattern: String.raw`^\d{4}-\d\d-\d\d$` };
const url: Schema = { type: "string", pattern: "^https?://." };
const anything: Schema = {};

const orNull = (schema: Schema): Schema => ({
  anyOf: [schema, { type: "null" }],
});
const list = (items: Schema): Schema => ({ type: "array", items });
const words = (...all: string[]): Schema => ({ enum: all });
const ref = (name: string): Schema => ({ $ref: `#/$defs/${name}` });

/** The keys of `optional` may be absent; all others must be there. */
function record(required: Schema, optional: Schema = {}): Schema {
  return {
    type: "object",
    required: Object.keys(required),
    properties: { ...required, ...optional },
  };
}

const emoji = record({
  ...{ shortcode: text, url, static_url: url, visible_in_picker: flag },
  category: orNull(text),
});

const field = record({ name: text, value: text, verified_at: orNull(time) });

const ACCOUNT = {
  ...{ id, username: text, acct: text, display_name: text },
  ...{ locked: flag, bot: flag, group: flag, discoverable: orNull(flag) },
  ...{ indexable: flag, created_at: time, note: text, url, uri: text },
  ...{ avatar: url, avatar_static: url, avatar_description: text },
  ...{ header: url, header_static: url, header_description: text },
  ...{ followers_count: count, following_count: count, statuses_count: count },
  ...{ last_status_at: orNull(day), hide_collections: orNull(flag) },
  ...{ emojis: list(emoji), fields: list(field) },
  ...{ show_media: flag, show_media_replies: flag, show_featured: flag },
};
const ACCOUNT_MORE = {
  noindex: orNull(flag),
  roles: list(record({ id: text, name: text, color: text })),
  mute_expires_at: orNull(time),
  moved: ref("Account"),
};

const sides = {
  ...{ width: count, height: count, size: text, aspect: { type: "number" } },
};
const size = record(sides);
const playback = { duration: { type: "number" }, bitrate: count };
/** A sound has no sides, and a picture is not played. */
const original = {
  anyOf: [
    record(sides, { frame_rate: text, ...playback }),
    record({}, playback),
  ],
};

const filter = record({
  id,
  title: text,
  context: list(words("home", "notifications", "public", "thread", "account")),
  expires_at: orNull(time),
  filter_action: words("warn", "hide", "blur"),
});

const filterStatus = record({ id, status_id: id });

const STATUS = {
  ...{ id, uri: { type: "string", minLength: 1 }, url: orNull(url) },
  ...{ created_at: time, edited_at: orNull(time) },
  ...{ in_reply_to_id: orNull(id), in_reply_to_account_id: orNull(id) },
  ...{ account: ref("Account"), content: text },
  visibility: words("public", "unlisted", "private", "direct"),
  ...{ sensitive: flag, spoiler_text: text, language: orNull(text) },
  media_attachments: list(ref("MediaAttachment")),
  mentions: list(record({ id, username: text, url, acct: text })),
  tags: list(record({ name: text, url })),
  ...{ emojis: list(emoji), reblogs_count: count, favourites_count: count },
  ...{ replies_count: count, quotes_count: count },
  reblog: orNull(ref("Status")),
  poll: orNull(ref("Poll")),
  card: orNull(ref("PreviewCard")),
  quote: orNull(
    record({
      state: words(
        ...["pending", "accepted", "rejected", "revoked"],
        ...["deleted", "unauthorized"],
      ),
      quoted_status: orNull(ref("Status")),
    }),
  ),
  quote_approval: record({
    ...{ automatic: list(text), manual: list(text) },
    current_user: words("automatic", "manual", "denied", "unknown"),
  }),
};
const STATUS_MORE = {
  application: orNull(record({ name: text, website: orNull(url) })),
  ...{ favourited: flag, reblogged: flag, muted: flag, bookmarked: flag },
  pinned: flag,
  filtered: list(
    record({
      filter,
      keyword_matches: orNull(list(text)),
      status_matches: orNull(list(text)),
    }),
  ),
};

const { content: _content, ...DELETED } = STATUS;

const configuration = record({
  ...{ urls: record({ streaming: { pattern: "^wss?://[^/]+$" } }) },
  vapid: record({ public_key: text }),
  accounts: record({ max_featured_tags: count, max_pinned_statuses: count }),
  statuses: record({
    ...{ max_characters: count, max_media_attachments: count },
    characters_reserved_per_url: { const: 23 },
  }),
  media_attachments: record({
    ...{ supported_mime_types: list(text), description_limit: count },
    ...{ image_size_limit: count, image_matrix_limit: count },
    ...{ video_size_limit: count, video_frame_rate_limit: count },
    video_matrix_limit: count,
  }),
  polls: record({
    ...{ max_options: count, max_characters_per_option: count },
    ...{ min_expiration: count, max_expiration: count },
  }),
  translation: record({ enabled: flag }),
});

const keyword = record({ id, keyword: text, whole_word: flag });

/** The entities, with what may be null and what may be absent. */
const ENTITIES = {
  Account: record(ACCOUNT, ACCOUNT_MORE),
  CredentialAccount: record(
    {
      ...ACCOUNT,
      source: record({
        privacy: words("public", "unlisted", "private", "direct"),
        ...{ sensitive: flag, language: orNull(text), note: text },
        ...{ fields: list(field), follow_requests_count: count },
        ...{ hide_collections: orNull(flag), discoverable: orNull(flag) },
        ...{ indexable: flag, attribution_domains: list(text) },
        quote_policy: words("public", "followers", "nobody"),
      }),
      role: record({
        ...{ id, name: text, color: text, highlighted: flag },
        permissions: { type: "string", pattern: "^[0-9]+$" },
      }),
    },
    ACCOUNT_MORE,
  ),
  Profile: record({
    ...{ id, display_name: text, note: text, fields: list(field) },
    ...{ avatar: orNull(url), avatar_static: orNull(url) },
    ...{ avatar_description: text, header_description: text },
    ...{ header: orNull(url), header_static: orNull(url) },
    ...{ locked: flag, bot: flag, hide_collections: orNull(flag) },
    ...{ discoverable: orNull(flag), indexable: flag, show_media: flag },
    ...{ show_media_replies: flag, show_featured: flag },
    ...{
      attribution_domains: list(text),
      featured_tags: list(ref("FeaturedTag")),
    },
  }),
  Status: record(STATUS, STATUS_MORE),
  DeletedStatus: record({ ...DELETED, text }, STATUS_MORE),
  MediaAttachment: record({
    id,
    type: words("image", "gifv", "video", "audio", "unknown"),
    ...{ url, preview_url: orNull(url), remote_url: orNull(url) },
    meta: orNull(record({}, { original, small: size })),
    ...{ description: orNull(text), blurhash: orNull(text) },
  }),
  Poll: record(
    {
      ...{ id, expires_at: orNull(time), expired: flag, multiple: flag },
      ...{ votes_count: count, voters_count: orNull(count) },
      options: list(record({ title: text, votes_count: orNull(count) })),
      emojis: list(emoji),
    },
    { voted: flag, own_votes: list(count) },
  ),
  PreviewCard: record({
    ...{ url, title: text, description: text },
    type: words("link", "photo", "video", "rich"),
    ...{ authors: list(record({ name: text, url: text })), author_name: text },
    ...{ author_url: text, provider_name: text, provider_url: text },
    ...{ html: text, width: count, height: count, image: orNull(url) },
    ...{ image_description: text, embed_url: text, blurhash: orNull(text) },
    ...{ language: orNull(text), published_at: orNull(time) },
  }),
  Context: record({
    ancestors: list(ref("Status")),
    descendants: list(ref("Status")),
  }),
  Token: record({
    ...{ access_token: text, token_type: words("Bearer"), scope: text },
    created_at: count,
  }),
  StatusSource: record({ id, text, spoiler_text: text }),
  StatusEdit: record({
    ...{ content: text, spoiler_text: text, sensitive: flag },
    ...{ created_at: time, account: ref("Account"), emojis: list(emoji) },
    media_attachments: list(ref("MediaAttachment")),
  }),
  ScheduledStatus: record({
    ...{ id, scheduled_at: time, params: record({ text, visibility: text }) },
    media_attachments: list(ref("MediaAttachment")),
  }),
  Relationship: record({
    ...{ id, following: flag, showing_reblogs: flag, notifying: flag },
    ...{ followed_by: flag, blocking: flag, blocked_by: flag, muting: flag },
    ...{ muting_notifications: flag, requested: flag, requested_by: flag },
    ...{ domain_blocking: flag, endorsed: flag, note: text },
    ...{ languages: orNull(list(text)), muting_expires_at: orNull(time) },
  }),
  List: record({
    ...{ id, title: text, exclusive: flag },
    replies_policy: words("followed", "list", "none"),
  }),
  Filter: {
    allOf: [
      filter,
      record({ keywords: list(keyword), statuses: list(filterStatus) }),
    ],
  },
  FilterKeyword: keyword,
  FilterStatus: filterStatus,
  OldFilter: record({
    ...{ id, phrase: text, context: list(text), whole_word: flag },
    ...{ irreversible: flag, expires_at: orNull(time) },
  }),
  Notification: record(
    {
      ...{ id, created_at: time, group_key: text, account: ref("Account") },
      type: words(
        ...["mention", "reblog", "follow", "follow_request", "favourite"],
        ...["poll", "update", "quote", "quoted_update"],
      ),
    },
    { status: ref("Status") },
  ),
  GroupedNotificationsResults: record({
    accounts: list(ref("Account")),
    statuses: list(ref("Status")),
    notification_groups: list(
      record(
        {
          ...{ group_key: text, notifications_count: count, type: text },
          most_recent_notification_id: {
            type: "integer",
            maximum: Number.MAX_SAFE_INTEGER,
          },
          ...{ page_min_id: id, page_max_id: id },
          latest_page_notification_at: time,
          sample_account_ids: list(id),
        },
        { status_id: id },
      ),
    ),
  }),
  NotificationPolicy: record({
    for_not_following: words("accept", "filter", "drop"),
    for_not_followers: words("accept", "filter", "drop"),
    for_new_accounts: words("accept", "filter", "drop"),
    for_private_mentions: words("accept", "filter", "drop"),
    for_limited_accounts: words("accept", "filter", "drop"),
    summary: record({
      pending_requests_count: count,
      pending_notifications_count: count,
    }),
  }),
  Count: record({ count }),
  Markers: {
    type: "object",
    additionalProperties: record({
      ...{ last_read_id: id, version: count, updated_at: time },
    }),
  },
  Conversation: record({
    ...{ id, unread: flag, last_status: orNull(ref("Status")) },
    accounts: { ...list(ref("Account")), minItems: 1 },
  }),
  Search: record({
    accounts: list(ref("Account")),
    statuses: list(ref("Status")),
    hashtags: list(ref("Tag")),
  }),
  Tag: record(
    {
      ...{ id, name: { type: "string", pattern: "^[^#]+$" }, url },
      history: list(record({ day: text, uses: text, accounts: text })),
    },
    { following: flag, featuring: flag },
  ),
  Rule: record({ id, text, hint: text, translations: { type: "object" } }),
  Week: record({
    ...{ week: text, statuses: text, logins: text, registrations: text },
  }),
  FeaturedTag: record({
    ...{ id, name: text, url, statuses_count: text },
    last_status_at: orNull(day),
  }),
  Report: record({
    ...{ id, action_taken: flag, action_taken_at: orNull(time) },
    category: words("spam", "legal", "violation", "other"),
    ...{ comment: text, forwarded: flag, created_at: time },
    ...{ status_ids: orNull(list(id)), rule_ids: orNull(list(id)) },
    target_account: ref("Account"),
  }),
  Suggestion: record({
    ...{ source: text, sources: list(text), account: ref("Account") },
  }),
  Announcement: record({
    ...{ id, content: text, starts_at: orNull(time), ends_at: orNull(time) },
    ...{ all_day: flag, published_at: time, updated_at: time, read: flag },
    ...{ mentions: list(anything), statuses: list(anything) },
    ...{ tags: list(anything), emojis: list(anything) },
    reactions: list(anything),
  }),
  FamiliarFollowers: record({ id, accounts: list(ref("Account")) }),
  Preferences: record({
    "posting:default:visibility": words("public", "unlisted", "private"),
    "posting:default:sensitive": flag,
    "posting:default:language": orNull(text),
    "reading:expand:media": words("default", "show_all", "hide_all"),
    "reading:expand:spoilers": flag,
    "reading:autoplay:gifs": flag,
  }),
  Instance: record({
    ...{ domain: { pattern: "^[^/]+$" }, title: text, source_url: url },
    version: { pattern: String.raw`^\d+\.\d+\.\d+\+kith-` },
    ...{ description: text, languages: list(text), configuration },
    usage: record({ users: record({ active_month: count }) }),
    thumbnail: record({ url }),
    registrations: record({ enabled: flag, approval_required: flag }),
    api_versions: record({ mastodon: count }),
    contact: record({ email: text, account: orNull(ref("Account")) }),
    rules: list(record({ id, text })),
  }),
  OldInstance: record({
    ...{ uri: { pattern: "^[^/]+$" }, title: text, short_description: text },
    ...{ description: text, email: text, version: text, languages: list(text) },
    urls: record({ streaming_api: { pattern: "^wss?://[^/]+$" } }),
    stats: record({
      ...{ user_count: count, status_count: count, domain_count: count },
    }),
    ...{ thumbnail: orNull(url), registrations: flag, rules: list(anything) },
    ...{ approval_required: flag, invites_enabled: flag },
    ...{ contact_account: orNull(ref("Account")), max_toot_chars: count },
  }),
  WebPushSubscription: record({
    ...{ id: count, endpoint: url, standard: flag, server_key: text },
    alerts: record({
      ...{ follow: flag, favourite: flag, reblog: flag, mention: flag },
      ...{ poll: flag, status: flag },
    }),
    policy: words("all", "followed", "follower", "none"),
  }),
  CustomEmoji: emoji,
  Text: text,
  Anything: anything,
  Empty: { type: "object", maxProperties: 0 },
  Error: record({ error: { type: "string", minLength: 1 } }),
} as const satisfies Readonly<Record<string, Schema>>;

export type EntityName = keyof typeof ENTITIES;

/** An entity, or a list of such. */
export type Answered = EntityName | `[${EntityName}]`;

const ajv = new Ajv2020({ allErrors: false, strict: false });
const compiled = new Map<string, ValidateFunction>();

function validatorOf(answered: Answered): ValidateFunction {
  const known = compiled.get(answered);
  if (known) return known;
  const [, one] = /^\[(\w+)\]$/.exec(answered) ?? [];
  const schema = one === undefined ? ref(answered) : list(ref(one));
  const validator = ajv.compile({ $defs: ENTITIES, ...schema });
  compiled.set(answered, validator);
  return validator;
}

/** @returns what is wrong with a value, if it is not such an entity */
export function findFault(
  answered: Answered,
  value: unknown,
): string | undefined {
  const validate = validatorOf(answered);
  if (validate(value)) return undefined;
  const [error] = validate.errors ?? [];
  return `${answered}${error?.instancePath ?? ""} ${error?.message ?? ""} ${JSON.stringify(error?.params)}`;
}
