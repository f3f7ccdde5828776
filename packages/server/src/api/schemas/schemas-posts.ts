import type { TSchema } from "typebox";
import { Type } from "../../lib/json-schema.ts";
import { FILTERED } from "./schemas-filters.ts";
import {
  count,
  dated,
  degrees,
  exactly,
  boolean,
  guid,
  id,
  name,
  orNull,
  POST_TYPES,
  ref,
  time,
} from "./schema-parts.ts";

/** A language tag of BCP 47; left out if the language is unknown. */
export const LANGUAGE = Type.Optional(
  Type.String({ description: "A tag of BCP 47, such as pt-BR" }),
);

export const EMOJIS = Type.Optional(
  Type.Array(ref("Emoji"), {
    description: "Pictures for :shortcodes: in what is written",
  }),
);

/** The emoji reactions of people elsewhere, those given most first; left out without any. */
export const REACTIONS = Type.Optional(
  Type.Array(ref("ReactionCount"), { minItems: 1, maxItems: 20 }),
);

const POST = {
  ...dated,
  PersonID: id,
  Public: boolean,
  Guid: guid,
  Type: Type.String({ enum: Object.values(POST_TYPES) }),
  Text: name,
  Nsfw: Type.Optional(boolean),
  ContentWarning: Type.Optional(name),
  Language: LANGUAGE,
  Emojis: EMOJIS,
  ProviderName: name,
  RootGuid: orNull(guid),
  RootPersonID: Type.Integer({ minimum: 0 }),
  Person: orNull(ref("Person")),
  Comments: Type.Array(ref("Comment"), { maxItems: 10 }),
  Photos: Type.Array(ref("Photo")),
  Poll: orNull(ref("Poll")),
  Location: Type.Optional(ref("Location")),
  LikesCount: count,
  DislikesCount: count,
  CommentsCount: count,
  ResharesCount: count,
  Root: orNull(ref("Post")),
  Event: orNull(ref("Event")),
  Url: name,
  Quote: Type.Optional(ref("Quote")),
  QuotableBy: Type.Optional(
    Type.String({
      enum: ["followers", "nobody"],
      description: "Who may quote it beside its author; left out for everyone",
    }),
  ),
  /** Of its first link, once this server has read that page. */
  LinkPreview: Type.Optional(ref("LinkPreview")),
  Reactions: REACTIONS,
  /** Shown to its author alone; absent for everyone. */
  Audience: Type.Optional(ref("Audience")),
  /** The user gets no notifications of it. */
  Muted: Type.Optional(boolean),
  Pinned: Type.Optional(
    Type.Boolean({ description: "By its author; left out if not" }),
  ),
  Bookmarked: Type.Optional(
    Type.Boolean({ description: "By the user; left out if not" }),
  ),
  Filtered: FILTERED,
};

/** The records of posts, and of what they show. */
export const POST_RECORDS: Readonly<Record<string, TSchema>> = {
  Post: exactly(POST),
  /** Url is the picture of an emoji such as :blobcat:, loaded from this server. */
  ReactionCount: exactly({
    Emoji: name,
    Url: Type.Optional(name),
    Count: Type.Integer({ minimum: 1 }),
  }),
  Reaction: exactly({
    ID: id,
    CreatedAt: time,
    Emoji: name,
    Url: Type.Optional(name),
    PersonID: id,
    Person: orNull(ref("Person")),
  }),
  /** A post in the user's home. */
  HomePost: exactly({
    ...POST,
    HomeKey: Type.Integer({
      minimum: 1,
      description: "Its place in the list: for before and after",
    }),
    ResharedBy: Type.Array(ref("Person"), {
      maxItems: 10,
      description: "The first people of this home who reshared it",
    }),
    ResharedByCount: count,
    /** The record stands for this comment on the post; only with replies. */
    Reply: Type.Optional(ref("Comment")),
  }),
  /** A quoted post: its address and, if its author permits quotes, its text. */
  Quote: exactly({
    State: Type.String({
      enum: ["pending", "accepted", "rejected", "revoked"],
    }),
    ID: id,
    Guid: guid,
    Url: name,
    CreatedAt: Type.Optional(time),
    Text: Type.Optional(name),
    Nsfw: Type.Optional(boolean),
    ContentWarning: Type.Optional(name),
    PersonID: Type.Optional(id),
    Person: Type.Optional(orNull(ref("Person"))),
  }),
  /** The summary of a linked page, by itself. The picture is loaded from this server. */
  LinkPreview: exactly({
    Url: name,
    Title: name,
    Description: orNull(name),
    SiteName: orNull(name),
    AuthorName: orNull(name),
    ImageUrl: orNull(name),
  }),
  /** The place of a post, as text and in decimal degrees. */
  Location: exactly({ Address: name, Lat: degrees(90), Lng: degrees(180) }),
  Photo: exactly({
    ...dated,
    Guid: guid,
    Url: name,
    ThumbnailUrl: name,
    Text: name,
    Height: count,
    Width: count,
    Blurhash: name,
    /** Of a sound or a video, such as `video/mp4`; missing for a picture. */
    MediaType: Type.Optional(name),
    /** Seconds of the same; 0 if its server does not say. */
    Duration: Type.Optional(Type.Number({ minimum: 0 })),
    Focus: Type.Optional(ref("Focus")),
    PostID: orNull(id),
    /** The comment on that post to which it belongs. */
    CommentID: Type.Optional(id),
    PersonID: id,
  }),
  /**
   * The focal point of a picture, which must stay visible: 0 is the centre, X
   * grows to the right and Y upwards.
   */
  Focus: exactly({ X: degrees(1), Y: degrees(1) }),
};
