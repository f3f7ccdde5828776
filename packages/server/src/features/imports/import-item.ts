import type { ImportPost } from "../posts/index.ts";
import type {
  ItemAspect,
  ItemCalendar,
  ItemDraft,
  ItemEvent,
  ItemFilter,
  ItemFollowChoices,
  ItemNotificationChoices,
  ItemProfile,
  ItemSettings,
  ItemStream,
  ItemSubscription,
} from "./item-shapes.ts";

/** The kinds of records that archives hold. */
export type ItemKind =
  | "post"
  | "comment"
  | "reshare"
  | "like"
  | "picture"
  | "follow"
  | "block"
  | "ignore"
  | "host_block"
  | "bookmark"
  /** A tag that is followed. */
  | "tag"
  | "profile"
  /** Choices of an account. */
  | "setting"
  | "aspect"
  /** The choices about a person who is followed. */
  | "follow_choice"
  /** A tag on the profile. */
  | "featured_tag"
  | "filter"
  /** A single post or comment that a filter hides. */
  | "filtered_post"
  /** A stream of one's own. */
  | "stream"
  | "person_note"
  | "calendar"
  | "event"
  | "reminder"
  /** The address of a calendar elsewhere. */
  | "subscribed_calendar"
  | "hidden_post"
  | "muted_post"
  | "draft"
  /** The account of the archive, which moves here. */
  | "account";

/** Why a record is not imported. */
export type Fault =
  /** It would notify others of something old. */
  | "would_tell"
  /** It is not by the owner of the archive. */
  | "of_others"
  /** It replies to a post that was not imported, or is another person's. */
  | "reply"
  /** Its post has a larger audience than it had itself. */
  | "wider"
  /** It has no text and no picture that can be read. */
  | "empty"
  | "too_long"
  | "no_date"
  | "malformed"
  /** A picture that the archive lacks. */
  | "missing"
  /** A picture of an unknown form, or too large. */
  | "unreadable"
  /** Only in reports of imports before comments had pictures. */
  | "in_comment"
  /** More pictures than a post may have, or more aspects or people than an import may have. */
  | "too_many"
  /** A new account may follow only so many people a day. */
  | "limited"
  | "unknown_person"
  | "unknown_post"
  | "unknown_event"
  /** An account moves here only if its owner asks for it. */
  | "not_asked"
  /** The private key is not that of the account. */
  | "wrong_key"
  /** It has ended. */
  | "past"
  | "refused";

/** A picture, a sound or a video in the archive. */
export type SourceMedia = {
  /** Its name in the archive; as found, if the archive lacks it. */
  readonly name: string;
  /** Where the other server shows it, if the archive may lack it. */
  readonly url?: string;
  readonly text: string;
  readonly focus: readonly [x: number, y: number] | null;
};

/** A post or a comment in the archive, in our form. */
export type ItemWriting = Omit<ImportPost, "author" | "guid" | "photoIds"> & {
  /** Its name in its source, unique there. */
  readonly source: string;
  readonly media: readonly SourceMedia[];
  /** The source of the post or comment that it replies to. */
  readonly replyTo: string | null;
};

/** The post that a record is about. */
export type PostName = { readonly uri: string } | { readonly guid: string };

/** Of a post or a comment, which the archive may not tell apart. */
export type ItemLike = {
  readonly target: PostName;
  /** Another name of it, which is asked for if the first one is unknown. */
  readonly otherwise?: PostName | undefined;
  /** Its source, if it may be in the archive by another name than that of `target`. */
  readonly source?: string;
  /** false for a dislike. */
  readonly positive: boolean;
  /** RFC 3339; null if the archive lacks it. */
  readonly createdAt: string | null;
};

type Named<Kind extends ItemKind, Rest> = Kind extends ItemKind
  ? Rest & { readonly kind: Kind; readonly name: string }
  : never;

/** A record of an archive that can be imported, by its kind. */
export type ItemOf<Kind> = Exclude<
  Extract<ImportItem, { readonly kind: Kind }>,
  { readonly fault: Fault }
>;

/** A record of an archive; `name` is shown to the user as an example. */
export type ImportItem =
  | {
      readonly kind: "post";
      readonly name: string;
      readonly writing: ItemWriting;
    }
  | {
      readonly kind: "follow";
      readonly name: string;
      readonly handle: string;
      /** The list or aspect with the person, if there is one. */
      readonly aspect?: string;
    }
  | Named<
      "block" | "ignore",
      {
        readonly handle: string;
        /** Until when: RFC 3339; for good without it. */
        readonly endsAt?: string;
      }
    >
  | Named<"featured_tag" | "tag", { readonly tag: string }>
  | Named<"host_block", { readonly host: string }>
  | Named<
      "bookmark" | "hidden_post" | "muted_post",
      { readonly post: PostName }
    >
  | Named<"like", { readonly like: ItemLike }>
  | Named<"profile", { readonly profile: ItemProfile }>
  | Named<
      "setting",
      | { readonly settings: ItemSettings }
      | {
          readonly senders: ItemNotificationChoices;
          readonly dropped: readonly string[];
        }
    >
  | Named<"aspect", { readonly aspect: ItemAspect }>
  | Named<
      "follow_choice",
      { readonly handle: string; readonly choices: ItemFollowChoices }
    >
  | Named<"filter", { readonly filter: ItemFilter }>
  | Named<
      "filtered_post",
      {
        readonly filter: ItemFilter;
        /** The Guid of the post or comment. */
        readonly guid: string;
      }
    >
  | Named<"stream", { readonly stream: ItemStream }>
  | Named<"person_note", { readonly handle: string; readonly text: string }>
  | Named<"calendar", { readonly calendar: ItemCalendar }>
  | Named<"event", { readonly event: ItemEvent }>
  | Named<
      "reminder",
      {
        /** The source of the event. */
        readonly event: string;
        readonly minutes: readonly number[];
      }
    >
  | Named<"subscribed_calendar", { readonly subscription: ItemSubscription }>
  | Named<
      "draft",
      { readonly draft: ItemDraft; readonly media: readonly SourceMedia[] }
    >
  | {
      readonly kind: ItemKind;
      readonly name: string;
      readonly fault: Fault;
    };
