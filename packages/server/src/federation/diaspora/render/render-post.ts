import type {
  Photo as PhotoEntity,
  Poll as PollEntity,
  Reshare,
  Retraction,
  StatusMessage,
} from "@kith/diaspora";
import { editedAtOf, laterOf } from "../../../features/edit-times.ts";
import type { Person } from "../../../features/people/index.ts";
import { mediaName } from "../../../features/photos/index.ts";
import type { Poll } from "../../../features/polls/index.ts";
import type { Post } from "../../../features/posts/index.ts";
import type { Timestamp } from "../../../lib/time/clock.ts";
import { tagsIn } from "../../../lib/markdown/markdown.ts";
import type { Attachments, AttachedPhoto } from "../../outbound/content.ts";
import { withPoll } from "../../outbound/post-text.ts";
import { findQuotedPage, withQuoted } from "../../quoted.ts";
import { renderEvent } from "./render-event.ts";
import { isPicture, linkRecording, withEnd } from "./text-with-files.ts";
import { withWarning } from "./warning-text.ts";
import { wireTime } from "./wire-values.ts";

/** The parts that are rendered with a post. */
type Beside = {
  readonly content: Attachments;
  /** For a reshare: handle of the author of the root. */
  readonly rootAuthor: string | undefined;
  /**
   * Its ActivityPub id, by which a server that receives a like of the post over ActivityPub
   * recognises the post.
   */
  readonly uri: string | null;
  /** The base URL of this server, without a trailing slash. */
  readonly baseUrl: string;
};

/** @returns undefined for a reshare whose root is gone */
export function renderPost(
  post: Post,
  author: Person,
  beside: Beside,
): StatusMessage | Reshare | undefined {
  return post.type === "reshare"
    ? renderReshare(post, author, beside.rootAuthor)
    : renderStatusMessage(post, author, beside);
}

function renderStatusMessage(
  post: Post,
  author: Person,
  { content, uri, baseUrl }: Beside,
): StatusMessage {
  const { event, poll, photos } = content;
  const editedAt = lastEditOf(post, event);
  return {
    type: "status_message",
    author: author.handle,
    guid: post.guid,
    createdAt: wireTime(post.createdAt),
    ...(editedAt !== "" && { editedAt: wireTime(editedAt) }),
    public: post.public,
    ...(post.providerName !== "" && { providerDisplayName: post.providerName }),
    text: wireText(post, content, baseUrl),
    photos: photos
      .filter(isPicture)
      .map((photo) => renderPhoto(photo, post.guid, author)),
    ...(post.location && { location: { type: "location", ...post.location } }),
    ...(event && { event: renderEvent(event, author) }),
    ...(poll && !poll.multiple && { poll: renderPoll(poll) }),
    ...(uri !== null && { activitypubId: uri }),
  };
}

/** The last edit of the post or of its event; empty if neither was edited. */
function lastEditOf(post: Post, event: Attachments["event"]): Timestamp {
  const changedAt = event && event.sequence > 0 ? event.updatedAt : "";
  return laterOf(editedAtOf(post) ?? "", changedAt);
}

/**
 * The parts of a post for which diaspora* has no property, written into its text: a warning becomes
 * a tag, a poll with several choices text, and a quote, a sound or a video a link. Links and the tag
 * are kept where the text is cut.
 */
function wireText(
  post: Post,
  { poll, quoted, photos }: Attachments,
  baseUrl: string,
): string {
  const asked = withPoll(post.text, poll?.multiple ? poll : undefined);
  const page = quoted && findQuotedPage(baseUrl, quoted.post);
  const text = withWarning(withQuoted(asked, page), post.warning);
  const isHidden = post.nsfw || post.warning !== null;
  const warning = isHidden && !tagsIn(text).includes("nsfw") ? ["#nsfw"] : [];
  const recordings = photos.filter((photo) => !isPicture(photo));
  return withEnd(text, [...recordings.map(linkRecording), ...warning]);
}

function renderPoll({ guid, question, answers }: Poll): PollEntity {
  return {
    type: "poll",
    guid,
    question,
    pollAnswers: answers.map((answer) => ({
      type: "poll_answer",
      guid: answer.guid,
      answer: answer.text,
    })),
  };
}

/**
 * Renders a local person's picture. Peers find its sizes below the folder of its files (protocol
 * section 10.2).
 * @param postGuid of the post that it is attached to
 */
export function renderPhoto(
  {
    photo,
    folder,
    public: isPublic,
  }: Pick<AttachedPhoto, "photo" | "folder" | "public">,
  postGuid: string | undefined,
  author: Person,
): PhotoEntity {
  return {
    type: "photo",
    guid: photo.guid,
    author: author.handle,
    public: isPublic,
    createdAt: wireTime(photo.createdAt),
    remotePhotoPath: folder,
    remotePhotoName: mediaName(photo.guid, photo.mediaType),
    ...(photo.text !== "" && { text: photo.text }),
    ...(postGuid !== undefined && { statusMessageGuid: postGuid }),
    height: photo.height,
    width: photo.width,
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

/** @param author of the retracted object, whoever retracts it: peers check the envelope's sender */
export function renderRetraction(
  targetType: "Post" | "Photo" | "Comment" | "Like" | "PollParticipation",
  targetGuid: string,
  author: Person,
): Retraction {
  return { type: "retraction", author: author.handle, targetGuid, targetType };
}
