import type { Post } from "../../../features/posts/index.ts";
import { derivedGuid } from "../records/uris.ts";

/** How often it is told at most: of a limited post members hear in no other way what the others say. */
const SPAN_MS = { public: 60_000, limited: 5_000 } as const;

type Told = Pick<Post, "guid" | "public">;

export function spanOf(post: Told): number {
  return post.public ? SPAN_MS.public : SPAN_MS.limited;
}

/** The Guid of the Update that tells in one span of time what happened below a post: there is one at most. */
export function threadUpdateGuid(post: Told, at: Date): string {
  const span = Math.floor(at.getTime() / spanOf(post));
  return derivedGuid("update", `${post.guid}:thread:${span}`);
}
