import { displayName, type Person } from "../../features/people/index.ts";
import type { PersonId } from "../../features/ids.ts";
import { kindOfPhoto, type Photo } from "../../features/photos/index.ts";
import type { Post } from "../../features/posts/index.ts";
import { tagsIn } from "../../lib/markdown/markdown.ts";
import { toText, webAddress } from "../kit/html.ts";
import { personPath } from "../kit/person-view.ts";
import { excerpt, findMentioned, renderPostText } from "../posts/post-text.ts";
import type { PagesContext } from "../session/visitor.ts";
import type { FeedAuthor, FeedItem, FeedMedium } from "./feed.ts";

const TITLE_LENGTH = 80;

/** Renders public posts for feed readers. Reshares are left out. */
export async function loadFeedItems(
  context: PagesContext,
  found: readonly Post[],
): Promise<FeedItem[]> {
  const posts = found.filter((post) => post.public && post.type !== "reshare");
  const texts = posts.map(({ text }) => text);
  const [mentioned, photos, people] = await Promise.all([
    findMentioned(context, texts),
    context.photos.listOf(posts.map(({ id }) => id)),
    context.people.listById(posts.map(({ personId }) => personId)),
  ]);
  return posts.map((post) => ({
    url: `${context.baseUrl}/posts/${post.guid}`,
    title:
      excerpt(post.warning ?? post.text, TITLE_LENGTH) ||
      post.createdAt.slice(0, "YYYY-MM-DD".length),
    html: toText(renderPostText(context, post.text, mentioned)),
    warning: post.warning,
    isSensitive:
      post.nsfw ||
      post.warning !== null ||
      people.get(post.personId)?.profile.nsfw === true,
    language: post.language,
    author: authorOf(context, people, post),
    tags: tagsIn(post.text),
    media: (photos.get(post.id) ?? []).flatMap((photo) =>
      mediumOf(context, photo),
    ),
    publishedAt: post.createdAt,
    updatedAt: post.updatedAt,
  }));
}

export function feedAuthor(
  { baseUrl }: Pick<PagesContext, "baseUrl">,
  person: Person,
): FeedAuthor {
  return { name: displayName(person), url: baseUrl + personPath(person) };
}

function authorOf(
  context: PagesContext,
  people: ReadonlyMap<PersonId, Person>,
  { personId, guid }: Post,
): FeedAuthor {
  const person = people.get(personId);
  return person
    ? feedAuthor(context, person)
    : { name: "", url: `${context.baseUrl}/posts/${guid}` };
}

const KINDS = { picture: "image", sound: "audio", video: "video" } as const;

function mediumOf(
  { photos, remoteMedia }: PagesContext,
  photo: Photo,
): FeedMedium[] {
  const url = webAddress(photos.shownUrlOf(photo));
  if (url === undefined) return [];
  const kind = kindOfPhoto(photo);
  return [
    {
      url:
        kind === "picture"
          ? remoteMedia.addressOf(url)
          : remoteMedia.streamAddressOf(url),
      type: photo.mediaType || "image/jpeg",
      kind: KINDS[kind],
      // Only those of recordings are stored.
      bytes: photo.playback?.bytes || undefined,
      text: photo.text,
    },
  ];
}
