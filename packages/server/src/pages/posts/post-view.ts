import { setImmediate } from "node:timers/promises";
import type { Viewer } from "../../features/visibility/index.ts";
import type { LikeCounts } from "../../features/likes/index.ts";
import type { PersonId, PostId } from "../../features/ids.ts";
import type { Photo } from "../../features/photos/index.ts";
import type { Person } from "../../features/people/index.ts";
import type { PollResult } from "../../features/polls/index.ts";
import type { Post } from "../../features/posts/index.ts";
import type { ShownQuote } from "../../features/quotes/index.ts";
import { withEmojis } from "../kit/emoji-view.ts";
import { html, webAddress, type Html, type HtmlValue } from "../kit/html.ts";
import { icon } from "../kit/icons.ts";
import {
  avatarView,
  handleView,
  nameView,
  personPath,
} from "../kit/person-view.ts";
import { findMentioned, textView, type Mentioned } from "./post-text.ts";
import { locationView } from "./location-view.ts";
import { pollView } from "./poll-view.ts";
import { postActsView, withAnchor, type Acting } from "./act-view.ts";
import { pageTexts } from "../languages/texts.ts";
import { photosView } from "./photos-view.ts";
import { quoteView } from "./quote-view.ts";
import { timeView } from "../kit/time-view.ts";
import type { PagesContext } from "../session/visitor.ts";

const texts = pageTexts.post;

/** The data shown with posts, read once for all of them. */
type Surroundings = {
  readonly people: ReadonlyMap<PersonId, Person>;
  readonly roots: ReadonlyMap<string, Post>;
  readonly photos: ReadonlyMap<PostId, readonly Photo[]>;
  readonly comments: ReadonlyMap<PostId, number>;
  readonly likes: ReadonlyMap<number, LikeCounts>;
  readonly polls: ReadonlyMap<PostId, PollResult>;
  readonly quotes: ReadonlyMap<PostId, ShownQuote>;
  readonly mentioned: Mentioned;
  /** The viewer's own likes and dislikes. */
  readonly liked: ReadonlyMap<number, boolean>;
  /** The Guids of the posts that the viewer has reshared. */
  readonly reshared: ReadonlySet<string>;
  readonly bookmarked: ReadonlySet<PostId>;
};

/**
 * Renders posts that the viewer may see, in the given order.
 * @param acting with buttons to act on them
 */
export async function postViews(
  context: PagesContext,
  posts: readonly Post[],
  viewer: Viewer,
  acting?: Acting,
): Promise<Html[]> {
  const around = await loadSurroundings(context, posts, viewer);
  const views: Html[] = [];
  for (const post of posts) {
    const id = `post-${post.guid}`;
    const to = acting && withAnchor(acting.to, encodeURIComponent(id));
    const back = acting && to !== undefined ? { ...acting, to } : undefined;
    const view = postView(context, post, around, back);
    views.push(html`<div id="${id}">${view}</div>`);
    // Rendering a text may take long: let other requests run in between.
    await setImmediate();
  }
  return views;
}

async function loadSurroundings(
  context: PagesContext,
  posts: readonly Post[],
  viewer: Viewer,
): Promise<Surroundings> {
  const rootGuids = posts.flatMap(({ rootGuid }) => rootGuid ?? []);
  const roots = await context.posts.listByGuid(rootGuids, viewer);
  const all = [...posts, ...roots.values()];
  const ids = all.map(({ id }) => id);
  const quotes = await context.quotes.listShown(ids, viewer);
  const quoted = [...quotes.values()].map(({ post }) => post);
  const shown = [...all, ...quoted];
  const [people, photos, comments, likes, polls, mentioned, own] =
    await Promise.all([
      context.people.listById(shown.map(({ personId }) => personId)),
      context.photos.listOf(ids),
      context.comments.count(ids, viewer),
      context.likes.count("Post", ids),
      context.polls.listResults(ids, viewer?.personId ?? null),
      findMentioned(
        context,
        shown.map(({ text }) => text),
      ),
      loadOwn(context, all, viewer),
    ]);
  const read = { people, photos, comments, likes, polls, mentioned };
  return { ...read, ...own, roots, quotes };
}

/** What the viewer did to the posts. */
async function loadOwn(
  { bookmarks, likes, posts }: PagesContext,
  all: readonly Post[],
  viewer: Viewer,
): Promise<Pick<Surroundings, "liked" | "reshared" | "bookmarked">> {
  if (viewer === null)
    return { liked: new Map(), reshared: new Set(), bookmarked: new Set() };
  const ids = all.map(({ id }) => id);
  const guids = all.map(({ guid }) => guid);
  const [liked, reshared, bookmarked] = await Promise.all([
    likes.listBy(viewer.personId, "Post", ids),
    posts.listResharedBy(viewer.personId, guids),
    viewer.userId === null
      ? new Set<PostId>()
      : bookmarks.listAmong(viewer.userId, ids),
  ]);
  return { liked, reshared, bookmarked };
}

function postView(
  context: PagesContext,
  post: Post,
  around: Surroundings,
  acting: Acting | undefined,
): Html {
  const author = around.people.get(post.personId);
  return html`<article class="post">
    ${headerView(context, post, author)}
    ${
      post.type === "reshare"
        ? rootView(context, post, around, acting)
        : bodyView(context, post, author, { around, acting })
    }
    ${footerView(context, post, around, acting)}
  </article>`;
}

function headerView(
  { clock }: PagesContext,
  post: Post,
  author: Person | undefined,
): Html {
  const name =
    author && html`<a href="${personPath(author)}">${nameView(author)}</a>`;
  const time = html`<a href="/posts/${encodeURIComponent(post.guid)}"
    >${timeView(post.createdAt, clock.now())}</a
  >`;
  if (post.type === "reshare")
    return html`<header>
      <p class="why">
        ${icon("reshare")}
        <span>${name} ${texts.reshared} · ${time}</span>
      </p>
    </header>`;
  return html`<header class="head">
    ${author && avatarView(author, 48)}
    <div>
      <p class="name">${name}</p>
      <p class="quiet apart">${author && handleView(author)} ${time}</p>
    </div>
    ${
      post.pinnedAt !== null &&
      html`<span class="pinned">${texts.pinned}</span>`
    }
    ${audienceView(post)}
  </header>`;
}

/** Who sees the post. */
function audienceView(post: Post): Html {
  return post.public
    ? html`<span class="chip everyone"
        >${icon("globe")} ${texts.everyone}</span
      >`
    : html`<span class="chip limited" title="${texts.limitedHint}"
        >${icon("lock")} ${texts.limited}</span
      >`;
}

function bodyView(
  context: PagesContext,
  post: Post,
  author: Person | undefined,
  { around, acting }: { around: Surroundings; acting: Acting | undefined },
): Html {
  const { mentioned, people, photos, polls, quotes } = around;
  const { id, nsfw, warning, emojis, location } = post;
  const poll = polls.get(id);
  const quote = quotes.get(id);
  const body = html`${textView(context, post, author, mentioned)}
  ${photosView(context, photos.get(id) ?? [])}
  ${poll && pollView(poll, post, acting, context.clock.now())}
  ${
    quote &&
    quoteView(context, quote, people.get(quote.post.personId), mentioned)
  }
  ${location && locationView(location)}`;
  if (!author?.profile.nsfw && !nsfw && warning === null) return body;
  const shown = author?.isPictured ? emojis : [];
  const warned = withEmojis(warning ?? texts.nsfw, shown);
  return html`<details>
    <summary dir="auto">${warned}</summary>
    ${body}
  </details>`;
}

function rootView(
  context: PagesContext,
  { rootGuid }: Post,
  around: Surroundings,
  acting: Acting | undefined,
): Html {
  const root = around.roots.get(rootGuid ?? "");
  // A reshare points to an original post, so there is only one level.
  if (!root || root.type === "reshare")
    return html`<p class="quiet">${texts.rootGone}</p>`;
  return postView(context, root, around, acting);
}

function footerView(
  { baseUrl }: PagesContext,
  post: Post,
  { people, comments, likes, liked, reshared, bookmarked }: Surroundings,
  acting: Acting | undefined,
): HtmlValue {
  if (post.type === "reshare") return undefined;
  const original = webAddress(post.url);
  const isElsewhere =
    original !== undefined && !original.startsWith(`${baseUrl}/`);
  return html`<footer class="bar">
    <a href="/posts/${encodeURIComponent(post.guid)}#comments"
      >${icon("comment")}
      <span>${texts.comments(comments.get(post.id) ?? 0)}</span></a
    >
    <span>${texts.likes(likes.get(post.id)?.likes ?? 0)}</span>
    ${
      acting &&
      postActsView(acting, post, people.get(post.personId), {
        isLiked: liked.get(post.id) === true,
        isReshared: reshared.has(post.guid),
        isBookmarked: bookmarked.has(post.id),
      })
    }
    ${
      isElsewhere &&
      html`<a href="${original}" rel="nofollow noopener noreferrer"
        >${texts.original(new URL(original).host)}</a
      >`
    }
  </footer>`;
}
