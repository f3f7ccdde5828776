import type { Post } from "../../../features/posts/index.ts";
import { derivedGuid } from "../records/uris.ts";

/**
 * The shortest interval between announcements: members of a limited post learn what others say in
 * no other way.
 */
const SPAN_MS = { public: 60_000, limited: 5_000 } as const;

type PostKey = Pick<Post, "guid" | "public">;

export function spanOf(post: PostKey): number {
  return post.public ? SPAN_MS.public : SPAN_MS.limited;
}

/**
 * The Guid of the Update that announces what happened below a post within one interval: there is at
 * most one.
 */
export function threadUpdateGuid(post: PostKey, at: Date): string {
  const span = Math.floor(at.getTime() / spanOf(post));
  return derivedGuid("update", `${post.guid}:thread:${span}`);
}
