import type { KeyObject } from "node:crypto";
import type { Comment } from "../../features/comments/index.ts";
import type { CalendarEvent } from "../../features/events/index.ts";
import type { Person } from "../../features/people/index.ts";
import type { Photo } from "../../features/photos/index.ts";
import type { Poll, PollResult } from "../../features/polls/index.ts";
import type { Post } from "../../features/posts/index.ts";
import type { Quote } from "../../features/quotes/index.ts";

/** The people known here whom a text mentions, by their handles. */
export type LinkedPeople = ReadonlyMap<string, Person>;

/** What a post has beside its text. */
export type Attachments = {
  readonly event: AttachedEvent | null;
  readonly poll: Poll | undefined;
  readonly photos: readonly AttachedPhoto[];
  /** Null also where the quoted post is not known here. */
  readonly quoted: QuotedPost | null;
};

/** @property locale in which its author has times written out */
export type AttachedEvent = CalendarEvent & { readonly locale: string };

/** A picture as other servers get it. */
export type AttachedPhoto = {
  readonly photo: Photo;
  /** Where its files are for those who get it, absolute, with a slash at its end. */
  readonly folder: string;
  /** Where its largest size is for them. */
  readonly sentUrl: string;
  /** The same for people here. */
  readonly localUrl: string;
  readonly public: boolean;
};

export type QuotedPost = {
  readonly quote: Quote;
  readonly post: Post;
  readonly author: Person;
};

/** All of a post that the renderer of either protocol needs. */
export type PostContent = Attachments & {
  readonly linked: LinkedPeople;
  /** Of a post that is sent as a poll. */
  readonly pollResult: PollResult | undefined;
  /** How many people come to the event. */
  readonly coming: number;
  readonly likes: number;
  readonly reshares: number;
};

/** All of a comment that the renderer of either protocol needs. */
export type CommentContent = {
  /** The comment that it answers. */
  readonly parent: Comment | null;
  readonly parentAuthor: Person | null;
  readonly linked: LinkedPeople;
};

/** All of a person's profile that the renderer of either protocol needs. */
export type ProfileContent = {
  readonly movedTo: Person | null;
  readonly linked: LinkedPeople;
  /** The public key of the proofs of somebody here. */
  readonly proofKey: KeyObject | null;
};
