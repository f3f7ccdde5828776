import type { Reshare, Retraction, StatusMessage } from "@kith/diaspora";
import type { CalendarEvent } from "../../features/events/index.ts";
import type { Person } from "../../features/people/index.ts";
import type { Post } from "../../features/posts/index.ts";
import { renderEvent } from "./render-event.ts";
import { wireTime } from "./wire-values.ts";

/**
 * @param rootAuthor of a reshare: handle of the author of what it passes on
 * @param event that the post announces
 * @returns undefined for a reshare of something that is gone
 */
export function renderPost(
  post: Post,
  author: Person,
  rootAuthor: string | undefined,
  event: CalendarEvent | null,
): StatusMessage | Reshare | undefined {
  return post.type === "Reshare"
    ? renderReshare(post, author, rootAuthor)
    : renderStatusMessage(post, author, event);
}

function renderStatusMessage(
  post: Post,
  author: Person,
  event: CalendarEvent | null,
): StatusMessage {
  return {
    type: "status_message",
    author: author.handle,
    guid: post.guid,
    createdAt: wireTime(post.createdAt),
    public: post.public,
    ...(post.providerName !== "" && { providerDisplayName: post.providerName }),
    text: post.text,
    photos: [],
    ...(event && { event: renderEvent(event, author) }),
  };
}

function renderReshare(
  post: Post,
  author: Person,
  rootAuthor: string | undefined,
): Reshare | undefined {
  if (post.rootGuid === null || rootAuthor === undefined) return undefined;
  return {
    type: "reshare",
    author: author.handle,
    guid: post.guid,
    createdAt: wireTime(post.createdAt),
    rootAuthor,
    rootGuid: post.rootGuid,
  };
}

/**
 * @param author of what is taken back, whoever orders it: peers judge by the envelope's sender
 */
export function renderRetraction(
  targetType: "Post" | "Comment" | "Like",
  targetGuid: string,
  author: Person,
): Retraction {
  return { type: "retraction", author: author.handle, targetGuid, targetType };
}
