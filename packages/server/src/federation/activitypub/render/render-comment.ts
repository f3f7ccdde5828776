import { buildNote, PUBLIC, type JsonObject } from "@kith/activitypub";
import type { Comment } from "../../../features/comments/index.ts";
import { usernameOf, type Person } from "../../../features/people/index.ts";
import type { CommentContent } from "../../outbound/content.ts";
import type { Thread } from "../../outbound/outgoing.ts";
import {
  languageOf,
  joinTags,
  publicAddress,
  quotePolicyOf,
  sourceOf,
  tagParticipants,
  updatedOf,
  type RenderContext,
} from "./note-parts.ts";
import type { Uris } from "../records/uris.ts";
import { renderPhotos } from "./render-post.ts";
import { renderText } from "./render-text.ts";

type LoadedComment = Thread &
  CommentContent & {
    readonly by: Person;
    readonly comment: Comment;
    readonly participants?: readonly Person[];
  };

/**
 * Renders a local person's comment.
 * @param isForSomebodyHere do the pictures check their viewer?
 */
export function renderCommentObject(
  { uris }: RenderContext,
  loaded: LoadedComment,
  recipients: readonly string[],
  isForSomebodyHere = false,
): JsonObject | undefined {
  const {
    by: author,
    comment,
    parent,
    parentAuthor,
    post,
    postAuthor,
  } = loaded;
  const inReplyTo =
    (parent && parentAuthor && uris.ofComment(parent, parentAuthor)) ??
    uris.ofPost(post, postAuthor);
  if (inReplyTo === null) return undefined;
  const text = renderText(uris, comment.text, loaded.linked);
  const answered = [postAuthor, parentAuthor]
    .flatMap((person) => (person ? uris.ofPerson(person) : null) ?? [])
    .filter((uri) => uri !== uris.ofPerson(author));
  const address = addressOf(
    uris,
    loaded,
    [...new Set([...answered, ...text.mentioned])],
    recipients,
  );
  return buildNote({
    id: uris.object(comment.guid),
    attributedTo: uris.actor(usernameOf(author)),
    contentHtml: text.html,
    ...sourceOf(comment.text),
    ...languageOf(comment, text.html),
    ...address,
    published: comment.createdAt,
    ...updatedOf(comment),
    ...(comment.warning !== null && {
      summary: comment.warning,
      sensitive: true,
    }),
    url: uris.page(post.guid),
    ...(loaded.photos.length > 0 && {
      attachments: renderPhotos(loaded.photos, isForSomebodyHere),
    }),
    inReplyTo,
    context: uris.context(post.guid),
    guid: comment.guid,
    repliesUri: `${uris.object(comment.guid)}/replies`,
    tags: loaded.participants
      ? joinTags(
          text.tags,
          tagParticipants(uris, loaded.participants, recipients),
        )
      : [...text.tags, ...mentionTags(answered, text.mentioned)],
    ...(loaded.participants && { direct: true }),
    ...(post.public && quotePolicyOf(uris, author, loaded)),
  });
}

/** A comment reaches no further than its post: below an unlisted one it is unlisted, too. */
function addressOf(
  uris: Uris,
  { post, by }: LoadedComment,
  concerned: readonly string[],
  recipients: readonly string[],
): { to: string[]; cc: string[] } {
  if (!post.public) return { to: [...new Set(recipients)], cc: [] };
  return post.listed
    ? { to: [PUBLIC], cc: [...concerned] }
    : publicAddress(uris, by, concerned, false);
}

/** Without a tag for the parent's author, Mastodon and GoToSocial do not notify that person. */
function mentionTags(
  answered: readonly string[],
  mentioned: readonly string[],
): { type: "Mention"; name: string; href: string }[] {
  return answered
    .filter((uri) => !mentioned.includes(uri))
    .map((uri) => ({
      type: "Mention",
      name: `@${uri.slice(uri.lastIndexOf("/") + 1)}@${new URL(uri).host}`,
      href: uri,
    }));
}
