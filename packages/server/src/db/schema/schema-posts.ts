import type { ColumnType, Generated } from "kysely";
import type { ImageSize } from "../../lib/images/image.ts";
import type { JsonText } from "./columns/json-text.ts";
import type { QuotablePeople } from "./columns/stored-names.ts";
import type { Emojis, OptionalJson } from "./columns/json-columns.ts";
import type {
  AspectId,
  CommentId,
  EventId,
  LikeId,
  PersonId,
  PhotoId,
  PollId,
  PollVoteId,
  PostId,
  UserId,
} from "./ids.ts";

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
  post_id: PostId;
  /** null where it is the text of the post itself. */
  comment_id: CommentId | null;
  text: string;
  warning: OptionalText;
  /** Its pictures at that time. */
  photos: OptionalJson<
    readonly { readonly guid: string; readonly text: string }[]
  >;
  written_at: Time;
};

export type ReactionsTable = {
  id: Generated<number>;
  uri: string;
  post_id: PostId;
  comment_id: CommentId | null;
  person_id: PersonId;
  emoji: string;
  emoji_url: string | null;
  created_at: Time;
};

/** The quotes of local posts that their authors revoked; of remote posts, and kept after those. */
export type RevokedQuotesTable = {
  quoted_post_id: PostId;
  /** The ActivityPub id of the quoting post. */
  quoting_uri: string;
  revoked_at: Time;
};

export type QuotesTable = {
  /** The post that quotes. */
  post_id: PostId;
  /** ActivityPub id of what is quoted; null where it has none, or is of this server. */
  quoted_uri: string | null;
  /** Guid of the quoted post, once it is known here. */
  quoted_guid: string | null;
  state: "pending" | "accepted" | "rejected" | "revoked";
  /** The leave to quote, as it was named; what a pending one says is not looked at yet. */
  authorization_uri: string | null;
  changed_at: Time;
};

type LimitedTo = "followers" | "all_aspects" | "aspects" | "people" | "self";

export type PostsTable = {
  id: PostId;
  guid: string;
  person_id: PersonId;
  /** Is its author a person of this server? */
  is_local: ColumnType<boolean | number, boolean | undefined, never>;
  type: "StatusMessage" | "Reshare";
  public: Flag;
  listed: Flag;
  text: string;
  provider_name: string;
  root_guid: string | null;
  root_person_id: PersonId | null;
  /** Its audience, as chosen by its author; null for public posts, and for those from elsewhere. */
  limited_to: ColumnType<
    LimitedTo | null,
    LimitedTo | null | undefined,
    LimitedTo | null
  >;
  audience_aspects: OptionalJson<
    readonly { readonly id: AspectId; readonly name: string }[]
  >;
  nsfw: ColumnType<boolean | number, boolean | undefined, boolean>;
  warning: OptionalText;
  language: OptionalText;
  /** The people who may quote it; null for everyone. */
  quotable_by: ColumnType<
    QuotablePeople | null,
    QuotablePeople | null | undefined,
    QuotablePeople | null
  >;
  emojis: Emojis;
  event_id: ColumnType<
    EventId | null,
    EventId | null | undefined,
    EventId | null
  >;
  uri: string | null;
  url: string | null;
  /** The Guid of the same post over the protocol by which it came second. */
  other_guid: ColumnType<string | null, string | undefined, string>;
  /** Of a private conversation: handles joined by `;`. */
  participants: ColumnType<string | null, string | null | undefined, never>;
  location_address: string | null;
  location_lat: string | null;
  location_lng: string | null;
  /** When its author pinned it. */
  pinned_at: ColumnType<Time | null, Time | undefined, Time | null>;
  /** When it came, if that was long after it was written. */
  stored_at: ColumnType<Time | null, Time | null | undefined, never>;
  created_at: Time;
  updated_at: Time;
};

export type PostRecipientsTable = { post_id: PostId; person_id: PersonId };
/** When a post became readable here; also once for each of its tags. */
export type PostArrivalsTable = {
  /** No row becomes readable behind one that is readable already. */
  position: Generated<number>;
  post_id: PostId;
  /** The reshared post of a reshare; else the post itself. */
  root_id: PostId;
  /** null in the row of a tag. */
  author_id: PersonId | null;
  tag: string | null;
  /** A recipient whom a limited post reached after others; else null. */
  reader_id: PersonId | null;
};
/** A post without a place in the order of arrivals. The database notes each new one. */
export type UnplacedPostsTable = {
  id: Generated<number>;
  post_id: PostId;
  /** Of a reshare: the post that it reshared when it came. That may be deleted by now. */
  root_id: PostId | null;
  /** As in `post_arrivals`. */
  reader_id: PersonId | null;
};
/** When comments became readable here that belong in homes with replies. */
export type CommentPlaceTables = {
  comment_arrivals: {
    /**
     * The last position of a post when the comment came, times `KEYS_PER_POST`, and a number:
     * no row becomes readable behind one that is readable already.
     */
    position: number;
    comment_id: CommentId;
    author_id: PersonId;
  };
  /** A comment without a place in that order. The database notes each new one. */
  unplaced_comments: { id: Generated<number>; comment_id: CommentId };
  /** One row: the greatest position that was ever given, also to what is deleted by now. */
  last_comment_arrival: { id: number; position: number };
};
export type PostSubscribersTable = { post_id: PostId; person_id: PersonId };
export type ConversationReadersTable = {
  user_id: UserId;
  post_id: PostId;
  /** Grows with each message: the time of its arrival on the scale of ids, and never twice the same. */
  activity_key: number;
  /** Hidden: until the next message. Left: whatever is written. */
  state: "shown" | "hidden" | "left";
};
/** The first message of a conversation has no comment. */
export type UnreadMessagesTable = {
  user_id: UserId;
  post_id: PostId;
  comment_id: CommentId | null;
};
export type HiddenPostsTable = { user_id: UserId; post_id: PostId };

export type BookmarksTable = {
  id: Generated<number>;
  user_id: UserId;
  post_id: PostId;
  created_at: Time;
};

export type PhotosTable = {
  id: Generated<PhotoId>;
  guid: string;
  person_id: PersonId;
  /** Of a picture of a comment: the post of the comment. */
  post_id: PostId | null;
  comment_id: ColumnType<
    CommentId | null,
    CommentId | null | undefined,
    CommentId | null
  >;
  aspect_id: AspectId | null;
  position: number;
  text: string;
  width: number;
  height: number;
  blurhash: string;
  media_type: string;
  storage_key: string | null;
  sizes: JsonText<readonly ImageSize[]>;
  is_profile: Flag;
  /** With `is_profile`: the wide picture above the profile. */
  is_header: ColumnType<boolean | number, boolean | undefined, boolean>;
  remote_url: string | null;
  remote_thumbnail_url: string | null;
  uri: string | null;
  /** The time of its last change, as its remote author states it. */
  edited_at: Time | null;
  /** The post elsewhere that it is to hang on, which is not here yet. */
  awaited_post_guid: string | null;
  /** Its author elsewhere did not give it to everyone. */
  limited: ColumnType<boolean | number, boolean | undefined, boolean>;
  focus: OptionalJson<readonly [x: number, y: number]>;
  /** Of a sound or a video; 0 where a remote server does not say. */
  playback: OptionalJson<{
    readonly durationMs: number;
    readonly frameRate: number;
    readonly bytes: number;
    readonly isSilent: boolean;
  }>;
  created_at: Time;
  updated_at: Time;
};

export type PostTagsTable = { tag: string; post_id: PostId };

/** The first link of a public post. */
export type PostLinksTable = {
  post_id: PostId;
  url: string;
  /** When the page is read for a preview, unless it was meanwhile; null once it was. */
  due_at: Time | null;
};

/** The summary of a linked page, by itself. */
export type LinkPreviewsTable = {
  url: string;
  /** Null if the page could not be read. */
  title: string | null;
  description: string | null;
  site_name: string | null;
  author_name: string | null;
  image_url: string | null;
  /** After this time another post with the link has the page read again. */
  expires_at: string;
};

/** The people mentioned in a post, or in a comment on it. */
export type TextMentionsTable = {
  post_id: PostId;
  comment_id: CommentId | null;
  person_id: PersonId;
  /** An edit removed the mention; the person has the text. */
  former: ColumnType<boolean | number, boolean | undefined, boolean>;
};

/** The posts of whose conversations a user is not notified. */
export type MutedPostsTable = { user_id: UserId; post_id: PostId };

export type PollsTable = {
  id: Generated<PollId>;
  guid: string;
  post_id: PostId;
  question: string;
  multiple: Flag;
  ends_at: Time | null;
  hides_totals: ColumnType<boolean | number, boolean | undefined, boolean>;
  /** Is it known here that it has ended? */
  end_noted: ColumnType<boolean | number, boolean | undefined, boolean>;
  /** How many people voted, as the server of a poll from elsewhere counts them. */
  told_voters: number | null;
  created_at: Time;
};

export type PollAnswersTable = {
  id: Generated<number>;
  poll_id: PollId;
  guid: string;
  text: string;
  /** Votes as the server of a poll from elsewhere counts them; null where they are counted here. */
  told_votes: number | null;
};

export type PollVotesTable = {
  id: Generated<PollVoteId>;
  guid: string;
  poll_id: PollId;
  answer_id: number;
  person_id: PersonId;
  created_at: Time;
};

export type CommentsTable = {
  id: CommentId;
  guid: string;
  post_id: PostId;
  person_id: PersonId;
  text: string;
  warning: OptionalText;
  language: OptionalText;
  emojis: Emojis;
  parent_guid: string | null;
  uri: string | null;
  created_at: Time;
  updated_at: Time;
};

export type LikesTable = {
  id: Generated<LikeId>;
  guid: string;
  shareable_type: "Post" | "Comment";
  shareable_id: number;
  post_id: PostId;
  comment_id: CommentId | null;
  person_id: PersonId;
  positive: Flag;
  uri: string | null;
  created_at: Time;
  updated_at: Time;
};
