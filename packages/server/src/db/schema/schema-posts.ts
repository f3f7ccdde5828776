import type { ColumnType, Generated } from "kysely";

/** RFC 3339 in UTC with milliseconds. */
type Time = string;
/** A boolean: `boolean` on PostgreSQL, 0 or 1 on SQLite. */
type Flag = ColumnType<boolean | number, boolean, boolean>;
type OptionalText = ColumnType<
  string | null,
  string | null | undefined,
  string | null
>;

export type TextVersionsTable = {
  id: Generated<number>;
  post_id: number;
  /** null where it is the text of the post itself. */
  comment_id: number | null;
  text: string;
  written_at: Time;
};

export type ReactionsTable = {
  id: Generated<number>;
  uri: string;
  post_id: number;
  comment_id: number | null;
  person_id: number;
  emoji: string;
  emoji_url: string | null;
  created_at: Time;
};

export type QuotesTable = {
  /** The post that quotes. */
  post_id: number;
  /** ActivityPub id of what is quoted; null where it has none, or is of this server. */
  quoted_uri: string | null;
  /** Guid of the quoted post, once it is known here. */
  quoted_guid: string | null;
  /** `pending`, `accepted`, `rejected` or `revoked`. */
  state: string;
  /** The leave to quote, as it was named; what a pending one says is not looked at yet. */
  authorization_uri: string | null;
  changed_at: Time;
};

export type PostsTable = {
  id: number;
  guid: string;
  person_id: number;
  type: string;
  public: Flag;
  listed: Flag;
  text: string;
  provider_name: string;
  root_guid: string | null;
  root_person_id: number | null;
  aspect_id: number | null;
  nsfw: ColumnType<boolean | number, boolean | undefined, boolean>;
  warning: OptionalText;
  language: OptionalText;
  /** JSON. */
  emojis: OptionalText;
  event_id: ColumnType<number | null, number | null | undefined, number | null>;
  uri: string | null;
  url: string | null;
  /** The Guid of the same post over the protocol by which it came second. */
  other_guid: ColumnType<string | null, string | undefined, string>;
  /** Of a private conversation: handles joined by `;`. */
  participants: ColumnType<string | null, string | null | undefined, never>;
  location_address: string | null;
  location_lat: string | null;
  location_lng: string | null;
  /** When its author elsewhere pinned it. */
  pinned_at: ColumnType<Time | null, Time | undefined, Time | null>;
  created_at: Time;
  updated_at: Time;
};

export type PostRecipientsTable = { post_id: number; person_id: number };
export type PostSubscribersTable = { post_id: number; person_id: number };
export type HiddenPostsTable = { user_id: number; post_id: number };

export type PhotosTable = {
  id: Generated<number>;
  guid: string;
  person_id: number;
  post_id: number | null;
  aspect_id: number | null;
  position: number;
  text: string;
  width: number;
  height: number;
  blurhash: string;
  media_type: string;
  storage_key: string | null;
  sizes: string;
  is_profile: Flag;
  remote_url: string | null;
  remote_thumbnail_url: string | null;
  uri: string | null;
  /** What its author elsewhere says of when it was changed. */
  edited_at: Time | null;
  /** The post elsewhere that it is to hang on, which is not here yet. */
  awaited_post_guid: string | null;
  /** Its author elsewhere did not give it to everyone. */
  limited: ColumnType<boolean | number, boolean | undefined, boolean>;
  /** JSON: x and y. */
  focus: OptionalText;
  created_at: Time;
  updated_at: Time;
};

export type PostTagsTable = { tag: string; post_id: number };

/** Who is named in a post, or in a comment on it. */
export type TextMentionsTable = {
  post_id: number;
  comment_id: number | null;
  person_id: number;
};

export type PollsTable = {
  id: Generated<number>;
  guid: string;
  post_id: number;
  question: string;
  multiple: Flag;
  ends_at: Time | null;
  /** How many people voted, as the server of a poll from elsewhere counts them. */
  told_voters: number | null;
  created_at: Time;
};

export type PollAnswersTable = {
  id: Generated<number>;
  poll_id: number;
  guid: string;
  text: string;
  /** Votes as the server of a poll from elsewhere counts them; null where they are counted here. */
  told_votes: number | null;
};

export type PollVotesTable = {
  id: Generated<number>;
  guid: string;
  poll_id: number;
  answer_id: number;
  person_id: number;
  created_at: Time;
};

export type CommentsTable = {
  id: number;
  guid: string;
  post_id: number;
  person_id: number;
  text: string;
  warning: OptionalText;
  language: OptionalText;
  /** JSON. */
  emojis: OptionalText;
  parent_guid: string | null;
  uri: string | null;
  created_at: Time;
  updated_at: Time;
};

export type LikesTable = {
  id: Generated<number>;
  guid: string;
  shareable_type: string;
  shareable_id: number;
  post_id: number;
  comment_id: number | null;
  person_id: number;
  positive: Flag;
  uri: string | null;
  created_at: Time;
  updated_at: Time;
};
