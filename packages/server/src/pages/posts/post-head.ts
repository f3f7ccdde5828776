import { kindOfPhoto } from "../../features/photos/index.ts";
import { displayName, type Person } from "../../features/people/index.ts";
import type { Post } from "../../features/posts/index.ts";
import { webAddress } from "../kit/html.ts";
import type { PageHead, PreviewImage } from "../kit/layout.ts";
import { personPath, pictureAddress } from "../kit/person-view.ts";
import type { Card } from "../../lib/images/cards/card.ts";
import { dayOf } from "../kit/time-view.ts";
import { cardImage, cardOf } from "../media/link-card.ts";
import { pageTexts } from "../languages/texts.ts";
import type { PagesContext } from "../session/visitor.ts";
import { excerpt } from "./post-text.ts";

/** The metadata of the page of a post. A limited one has none for crawlers. */
export async function headOf(
  context: PagesContext,
  post: Post,
  author: Person | undefined,
): Promise<PageHead> {
  const { baseUrl, activityPub } = context;
  const name = author ? displayName(author) : "";
  const isHere = author?.userId !== undefined && author.userId !== null;
  const title = pageTexts.post.titleBy(name);
  const page = `${baseUrl}/posts/${post.guid}`;
  if (!post.public) return { title, noindex: true };
  const objectUrl = isHere
    ? `${baseUrl}/api/v1/ap/object/${post.guid}`
    : (post.uri ?? undefined);
  const isShielded = isHidden(post, author);
  const beginning = isShielded ? "" : excerpt(post.text, 70);
  return {
    title: beginning === "" ? title : `${name}: ${beginning}`,
    canonical: (isHere ? undefined : webAddress(post.url)) ?? page,
    activityPubUrl: activityPub && objectUrl,
    noindex: !isHere || !author.profile.searchable || !post.listed,
    isEmbeddable: isHere && post.type === "post",
    creator: author?.handle,
    preview: {
      type: "article",
      title,
      description:
        (isShielded ? (post.warning ?? "") : excerpt(post.text, 200)) || title,
      publishedAt: post.createdAt,
      authorUrl: author && baseUrl + personPath(author),
      image: await imageOf(context, post, author),
    },
  };
}

/** Is it shown without a warning nowhere? */
const isHidden = (post: Post, author: Person | undefined) =>
  author?.profile.nsfw === true || post.nsfw || post.warning !== null;

/** The card of a public post from here; other posts have none. */
export function postCard(
  post: Post,
  author: Person | undefined,
): Card | undefined {
  if (author?.userId == null || !post.public || post.type === "reshare")
    return undefined;
  const { handle } = author;
  return cardOf({
    ...{ title: displayName(author), otherwise: handle, byline: handle },
    text: isHidden(post, author)
      ? (post.warning ?? "")
      : excerpt(post.text, 300),
    date: dayOf(post.createdAt),
  });
}

/** The first picture of the post, a card, or its author. What a warning hides is not shown. */
async function imageOf(
  { photos, remoteMedia, baseUrl }: PagesContext,
  post: Post,
  author: Person | undefined,
): Promise<PreviewImage | undefined> {
  const { id, guid } = post;
  const found = isHidden(post, author)
    ? undefined
    : (await photos.listOf([id])).get(id);
  const photo = found?.find((it) => kindOfPhoto(it) === "picture");
  const url = photo && webAddress(photos.shownUrlOf(photo));
  if (photo && url !== undefined) {
    const { width, height, text } = photo;
    const shown = url.startsWith(`${baseUrl}/`)
      ? url
      : remoteMedia.addressOf(url);
    return { url: shown, alt: text, width, height, isLarge: true };
  }
  const card = postCard(post, author);
  if (card) return cardImage(`${baseUrl}/posts/${guid}`, card);
  const picture =
    author &&
    pictureAddress([author.profile.imageUrl, author.profile.imageUrlMedium]);
  return picture === undefined
    ? undefined
    : { url: remoteMedia.addressOf(new URL(picture, baseUrl).href) };
}
