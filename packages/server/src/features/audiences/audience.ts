import type { AspectId, PersonId } from "../ids.ts";

/** The people whom an author addresses: resolved to recipients when a post is published. */
export type Audience =
  | { readonly kind: "everyone" }
  /** Everyone, but in no public list. */
  | { readonly kind: "unlisted" }
  /** Everyone who shares with the author. */
  | { readonly kind: "followers" }
  /** The members of any of the author's aspects. */
  | { readonly kind: "all_aspects" }
  | { readonly kind: "aspects"; readonly aspectIds: readonly AspectId[] }
  | { readonly kind: "people"; readonly personIds: readonly PersonId[] }
  /** The people whom the text mentions. */
  | { readonly kind: "mentioned" }
  | { readonly kind: "self" };

/** An audience that stays the same from post to post. */
export type DefaultAudience = Exclude<
  Audience,
  { kind: "people" | "mentioned" }
>;

/** The audience of a limited post, as its author is shown later. */
export type LimitedTo =
  "followers" | "all_aspects" | "aspects" | "people" | "self";

/** An aspect by the name it had when a post was addressed to it. */
export type NamedAspect = { readonly id: AspectId; readonly name: string };

/** An audience as a post stores it. */
export type ResolvedAudience = {
  readonly public: boolean;
  /** Does a public post appear in public lists? */
  readonly listed: boolean;
  /** Null for a public post. */
  readonly limitedTo: LimitedTo | null;
  readonly aspects: readonly NamedAspect[];
  /** The people who see a limited post beside its author; none for a public one. */
  readonly recipients: readonly PersonId[];
};
