import type { Message } from "@kith/diaspora";
import type { Comment } from "../../../features/comments/index.ts";
import type { Person } from "../../../features/people/index.ts";
import type { Post } from "../../../features/posts/index.ts";
import { withWarning } from "./warning-text.ts";
import { wireGuid, wireTime } from "./wire-values.ts";

/**
 * Renders a comment in a private conversation, as its author sends it to all others (protocol
 * section 10.17).
 */
export function renderMessage(
  comment: Comment,
  { by, post }: { readonly by: Person; readonly post: Post },
): Message {
  return {
    type: "message",
    author: by.handle,
    guid: comment.guid,
    text: withWarning(comment.text, comment.warning),
    createdAt: wireTime(comment.createdAt),
    conversationGuid: wireGuid(post),
  };
}
