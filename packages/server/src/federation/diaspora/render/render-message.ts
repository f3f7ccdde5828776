import { createHash } from "node:crypto";
import type { Conversation, Message } from "@kith/diaspora";
import type { Comment } from "../../../features/comments/index.ts";
import type { Person, Recipient } from "../../../features/people/index.ts";
import type { Post } from "../../../features/posts/index.ts";
import type { AttachedPhoto } from "../../outbound/content.ts";
import { withAttached } from "./text-with-files.ts";
import { withWarning } from "./warning-text.ts";
import { wireGuid, wireTime } from "./wire-values.ts";

/**
 * Renders a comment in a private conversation, as its author sends it to all others (protocol
 * section 10.17).
 */
export function renderMessage(
  comment: Comment,
  {
    by,
    photos,
    post,
  }: {
    readonly by: Person;
    readonly photos: readonly AttachedPhoto[];
    readonly post: Post;
  },
): Message {
  return {
    type: "message",
    author: by.handle,
    guid: comment.guid,
    text: withAttached(withWarning(comment.text, comment.warning), photos),
    createdAt: wireTime(comment.createdAt),
    conversationGuid: wireGuid(post),
  };
}

/** A subject is required: the beginning of the first message if there is none. */
const MAX_SUBJECT_FROM_TEXT = 60;
const MAX_SUBJECT = 255;

/**
 * Renders a private conversation with its first message.
 * @param others the participants who can be reached over diaspora*, its author apart
 */
export function renderConversation(
  post: Post,
  by: Person,
  {
    others,
    files,
  }: {
    readonly others: readonly Recipient[];
    readonly files: readonly AttachedPhoto[];
  },
): Conversation {
  const { text, warning } = post;
  const createdAt = wireTime(post.createdAt);
  const line = text.replace(/\s+/g, " ").trim();
  const subject =
    warning === null
      ? [...line].slice(0, MAX_SUBJECT_FROM_TEXT).join("").trim()
      : [...warning].slice(0, MAX_SUBJECT).join("").trim();
  const handles = new Set([by, ...others].map(({ handle }) => handle));
  return {
    type: "conversation",
    author: by.handle,
    guid: post.guid,
    subject,
    createdAt,
    participants: [...handles].join(";"),
    messages: [
      {
        type: "message",
        author: by.handle,
        // A pod has conversations and messages in tables of their own.
        guid: firstMessageGuid(post),
        text: withAttached(text, files),
        createdAt,
        conversationGuid: post.guid,
      },
    ],
  };
}

function firstMessageGuid({ guid }: Post): string {
  return createHash("sha256")
    .update(`message:${guid}`)
    .digest("hex")
    .slice(0, 32);
}
