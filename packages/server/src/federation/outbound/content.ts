import type { KeyObject } from "node:crypto";
import type { Comment } from "../../features/comments/index.ts";
import type { CalendarEvent } from "../../features/events/index.ts";
import type { Person } from "../../features/people/index.ts";
import type { Photo } from "../../features/photos/index.ts";
import type { Poll, PollResult } from "../../features/polls/index.ts";
import type { Post } from "../../features/posts/index.ts";
import type { Quote } from "../../features/quotes/index.ts";

/** The known people whom a text mentions, by their handles. */
export type LinkedPeople = ReadonlyMap<string, Person>;

/** The parts of a post beside its text. */
export type Attachments = {
  readonly event: AttachedEvent | null;
  readonly poll: Poll | undefined;
  readonly photos: readonly AttachedPhoto[];
  /** Null also where the quoted post is not known here. */
  readonly quoted: QuotedPost | null;
};

/** @property locale in which times are written out, from its author's settings */
export type AttachedEvent = CalendarEvent & { readonly locale: string };

/** A picture as it is sent to other servers. */
export type AttachedPhoto = {
  readonly photo: Photo;
  /** The folder of its files for recipients: absolute, with a trailing slash. */
  readonly folder: string;
  /** The URL of its largest size for recipients. */
  readonly sentUrl: string;
  /** The same for local readers. */
  readonly localUrl: string;
  readonly public: boolean;
};

export type QuotedPost = {
  readonly quote: Quote;
  readonly post: Post;
  readonly author: Person;
};

/** Everything about a post that the renderers of both protocols need. */
export type PostContent = Attachments & {
  readonly linked: LinkedPeople;
  /** For a post that is sent as a poll. */
  readonly pollResult: PollResult | undefined;
  /** The number of people attending the event. */
  readonly coming: number;
  readonly likes: number;
  readonly reshares: number;
};

/** Everything about a comment that the renderers of both protocols need. */
export type CommentContent = {
  /** The parent comment. */
  readonly parent: Comment | null;
  readonly parentAuthor: Person | null;
  /** The people who may quote it, where it is public: those who usually may, at present. */
  readonly quotableBy: Post["quotableBy"];
  readonly linked: LinkedPeople;
  readonly photos: readonly AttachedPhoto[];
};

/** Everything about a person's profile that the renderers of both protocols need. */
export type ProfileContent = {
  readonly movedTo: Person | null;
  readonly linked: LinkedPeople;
  /** The public key for a local person's proofs. */
  readonly proofKey: KeyObject | null;
};
