import type {
  AttachmentInput,
  JsonObject,
  NoteInput,
  Place,
} from "@kith/activitypub";
import { usernameOf, type Person } from "../../../features/people/index.ts";
import type { Post, PostLocation } from "../../../features/posts/index.ts";
import type { PostContent } from "../../outbound/content.ts";
import { textBeside } from "../../outbound/post-text.ts";
import type { Uris } from "../records/uris.ts";
import {
  languageOf,
  quotePolicyOf,
  addressOfPost,
  joinTags,
  sourceOf,
  tagParticipants,
  updatedOf,
  type RenderContext,
} from "./note-parts.ts";
import { buildObject } from "./render-attachment.ts";
import { renderQuote } from "./render-quote.ts";
import { renderText } from "./render-text.ts";

/** A local post with everything shown to its readers. */
export type LoadedPost = {
  readonly post: Post;
  readonly by: Person;
  readonly content: PostContent;
  readonly participants?: readonly Person[];
};

/**
 * Renders a local person's post.
 * @param recipients actor ids, for a post that is limited to people
 * @param isForSomebodyHere do the pictures check their viewer?
 */
export function renderPostObject(
  context: RenderContext,
  { post, by: author, content, participants }: LoadedPost,
  recipients: readonly string[],
  isForSomebodyHere = false,
): JsonObject {
  const { uris } = context;
  const quote = renderQuote(uris, content.quoted);
  const source = quote.withLink(textBeside(post, content));
  const text = renderText(uris, source, content.linked);
  const address = addressOfPost(uris, author, post, text.mentioned, recipients);
  const note: NoteInput = {
    id: uris.object(post.guid),
    attributedTo: uris.actor(usernameOf(author)),
    contentHtml: text.html + quote.fallbackHtml,
    ...sourceOf(source),
    ...languageOf(post, text.html),
    ...address,
    ...quote.members,
    published: post.createdAt,
    ...updatedOf(post),
    url: uris.page(post.guid),
    context: uris.context(post.guid),
    guid: post.guid,
    tags: participants
      ? joinTags(text.tags, tagParticipants(uris, participants, recipients))
      : text.tags,
    ...(participants && { direct: true }),
    sensitive: post.nsfw || post.warning !== null,
    ...(post.warning !== null && { summary: post.warning }),
    attachments: renderPhotos(content.photos, isForSomebodyHere),
    ...(post.public && quotePolicyOf(uris, author, post)),
    ...(post.location && { place: renderPlace(post.location) }),
    ...renderThread(uris, post, content),
  };
  return buildObject(context, note, content);
}

/** The collections of its replies, likes and shares. */
function renderThread(
  uris: Uris,
  { guid }: Post,
  { likes, reshares }: PostContent,
): Pick<NoteInput, "repliesUri" | "likes" | "shares"> {
  const id = uris.object(guid);
  return {
    repliesUri: `${id}/replies`,
    likes: { id: `${id}/likes`, totalItems: likes },
    shares: { id: `${id}/shares`, totalItems: reshares },
  };
}

function renderPlace({ address, lat, lng }: PostLocation): Place {
  return {
    ...(address === "" ? {} : { name: address }),
    latitude: Number(lat),
    longitude: Number(lng),
  };
}

/** The pictures of a limited post have a secret in their URL, which local readers need not know. */
export function renderPhotos(
  photos: PostContent["photos"],
  isForSomebodyHere: boolean,
): AttachmentInput[] {
  return photos.map(({ photo, localUrl, sentUrl }) => ({
    mediaType: photo.mediaType,
    url: isForSomebodyHere ? localUrl : sentUrl,
    name: photo.text,
    // A sound has no sides.
    ...(photo.width > 0 && { width: photo.width, height: photo.height }),
    blurhash: photo.blurhash,
    ...(photo.focus && { focalPoint: [...photo.focus] }),
    ...(photo.playback && {
      durationSeconds: photo.playback.durationMs / 1000,
    }),
  }));
}
