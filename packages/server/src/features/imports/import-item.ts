import type { ImportPost } from "../posts/index.ts";

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
  | "tag";

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
  /** A comment has no pictures here. */
  | "in_comment"
  /** More pictures than a post may have, or more aspects or people than an import may have. */
  | "too_many"
  /** A new account may follow only so many people a day. */
  | "limited"
  | "unknown_person"
  | "unknown_post"
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
  | {
      readonly kind: "block" | "ignore";
      readonly name: string;
      readonly handle: string;
    }
  | {
      readonly kind: "tag";
      readonly name: string;
      readonly tag: string;
    }
  | {
      readonly kind: "host_block";
      readonly name: string;
      readonly host: string;
    }
  | {
      readonly kind: "bookmark";
      readonly name: string;
      readonly post: { readonly uri: string } | { readonly guid: string };
    }
  | {
      readonly kind: ItemKind;
      readonly name: string;
      readonly fault: Fault;
    };
