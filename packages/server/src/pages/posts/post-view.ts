import { setImmediate } from "node:timers/promises";
import type { FilterContext, Viewer } from "../../features/visibility/index.ts";
import type { EventId, PostId } from "../../features/ids.ts";
import type { Person } from "../../features/people/index.ts";
import type { Post } from "../../features/posts/index.ts";
import { eventCardView } from "../events/event-card.ts";
import { postAudienceChip } from "./audience-chip.ts";
import { withEmojis } from "../kit/emoji-view.ts";
import {
  type Html,
  html,
  type HtmlValue,
  partAttribute,
  webAddress,
} from "../kit/html.ts";
import { icon } from "../kit/icons.ts";
import {
  avatarView,
  handleView,
  nameView,
  personPath,
} from "../kit/person-view.ts";
import { textView } from "./post-text.ts";
import { linkPreviewView } from "./attached/link-preview-view.ts";
import { loadSurroundings, type Surroundings } from "./load-surroundings.ts";
import { locationView } from "./attached/location-view.ts";
import { pollView } from "./attached/poll-view.ts";
import {
  postActsView,
  postPath,
  withAnchor,
  withoutAnchor,
  type Acting,
} from "./act-view.ts";
import { detailTexts, filterTexts, pageTexts } from "../languages/texts.ts";
import { photosView } from "./attached/photos-view.ts";
import { reactionsView } from "./reactions-view.ts";
import { quoteView, revokeQuoteView } from "./attached/quote-view.ts";
import { timeView } from "../kit/time-view.ts";
import type { PagesContext } from "../session/visitor.ts";

const texts = pageTexts.post;

/** How the posts of a list are shown. */
type Listed = {
  /** The list, by which filters of the viewer fold posts. */
  readonly context?: FilterContext;
  /** A line above a post: why it is there. */
  readonly introduced?: ReadonlyMap<PostId, Html>;
  /** It is no list, but the page of the post: long texts are not cut. */
  readonly isWhole?: boolean;
};

/** How a post is shown. */
type Shown = {
  /** With buttons to act on it. */
  readonly acting: Acting | undefined;
  readonly isWhole: boolean;
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
  { context: list, introduced, isWhole = false }: Listed = {},
): Promise<Html[]> {
  const [around, matches] = await Promise.all([
    loadSurroundings(context, posts, viewer),
    list && context.filters.matchPosts(posts, viewer, list),
  ]);
  const views: Html[] = [];
  for (const post of posts) {
    const id = `post-${post.guid}`;
    const to = acting && withAnchor(acting.to, encodeURIComponent(id));
    const back = acting && to !== undefined ? { ...acting, to } : undefined;
    const view = postView(context, post, around, { acting: back, isWhole });
    const titles = matches?.get(post.id)?.map(({ title }) => title) ?? [];
    const shown = titles.length > 0 ? foldedView(view, titles) : view;
    views.push(html`<div id="${id}">${introduced?.get(post.id)}${shown}</div>`);
    // Rendering a text may take long: let other requests run in between.
    await setImmediate();
  }
  return views;
}

/** A post that the viewer may see, to be put in its own place in a page. */
export async function postPart(
  context: PagesContext,
  post: Post,
  viewer: Viewer,
  acting: Acting,
): Promise<Html> {
  const around = await loadSurroundings(context, [post], viewer);
  const isWhole = acting.to.split(/[?#]/, 1)[0] === postPath(post.guid);
  return postView(context, post, around, { acting, isWhole });
}

/** A post with words that the reader filters. */
export function foldedView(post: Html, titles: readonly string[]): Html {
  return html`<details class="filtered">
    <summary dir="auto">${filterTexts.filtered(titles.join(", "))}</summary>
    ${post}
  </details>`;
}

export function postView(
  context: PagesContext,
  post: Post,
  around: Surroundings,
  shown: Shown,
): Html {
  const { acting } = shown;
  const author = around.people.get(post.personId);
  // A reshare has no acts of its own.
  const isPart = acting !== undefined && post.type !== "reshare";
  const isEntry = isEntryOf(post, shown);
  return html`<article
    class="${isEntry ? "post h-entry" : "post"}"
    ${isPart && partAttribute(`/parts/posts/${post.guid}`)}
  >
    ${headerView(context, post, author, shown)}
    ${
      post.type === "reshare"
        ? rootView(context, post, around, shown)
        : bodyView(context, post, author, { around, ...shown })
    }
    ${footerView(context, post, around, acting)}
  </article>`;
}

/**
 * Programs read a public post from its own page by the classes of microformats
 * (https://microformats.org/wiki/h-entry), which no style sheet uses.
 */
const isEntryOf = (post: Post, { isWhole }: Pick<Shown, "isWhole">): boolean =>
  isWhole && post.public && post.type !== "reshare";

function headerView(
  { clock }: PagesContext,
  post: Post,
  author: Person | undefined,
  { acting, isWhole }: Shown,
): Html {
  const isEntry = isEntryOf(post, { isWhole });
  const name =
    author &&
    html`<a
      ${isEntry && html`class="p-author h-card"`}
      href="${personPath(author)}"
      >${nameView(author)}</a
    >`;
  const published = isEntry ? "dt-published" : undefined;
  const time = html`<a
    ${isEntry && html`class="u-url"`}
    href="/posts/${encodeURIComponent(post.guid)}"
    >${timeView(post.createdAt, clock.now(), published)}</a
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
    ${postAudienceChip(post, author, acting)}
  </header>`;
}

const NO_EVENT = 0 as EventId;

function bodyView(
  context: PagesContext,
  post: Post,
  author: Person | undefined,
  { around, acting, isWhole }: Shown & { readonly around: Surroundings },
): Html {
  const { people, photos, polls, previews, quotes, mentioned, answers } =
    around;
  const now = context.clock.now();
  const { id, nsfw, warning, emojis, location } = post;
  const poll = polls.get(id);
  const quote = quotes.get(id);
  const preview = previews.get(id);
  const event = around.events.get(post.eventId ?? NO_EVENT);
  // The card of an event says all that the announcement by the server does.
  const isInCard = event && context.events.isAnnouncement(post.text, event);
  const isOwn = acting?.session.user.personId === post.personId;
  const isEntry = isEntryOf(post, { isWhole });
  const className = isEntry ? "text e-content" : "text";
  const cut = !isWhole && isLong(post.text) ? clampedView : (it: Html) => it;
  const body = html`${!isInCard && cut(textView(context, post, author, mentioned, className), post)}
  ${event && eventCardView(event, { answers, answering: acting, now })}
  ${photosView(context, photos.get(id) ?? [], isOwn)}
  ${poll && pollView(poll, post, acting, now)}
  ${
    quote &&
    quoteView(context, quote, people.get(quote.post.personId), mentioned)
  }
  ${quote && acting && revokeQuoteView(acting, quote, post)}
  ${preview && linkPreviewView(preview)} ${location && locationView(location)}`;
  if (!author?.profile.nsfw && !nsfw && warning === null) return body;
  const shown = author?.isPictured ? emojis : [];
  const warned = withEmojis(warning ?? texts.nsfw, shown);
  return html`<details>
    <summary dir="auto">${warned}</summary>
    ${body}
  </details>`;
}

/** Some letters of a line, and the lines after which a text in a list is cut. */
const LINE = 70;
const MAX_LINES = 14;

function isLong(text: string): boolean {
  let lines = 0;
  for (const line of text.slice(0, LINE * MAX_LINES).split("\n"))
    lines += Math.max(1, Math.ceil(line.length / LINE));
  return text.length > LINE * MAX_LINES || lines > MAX_LINES;
}

/** The first lines of a text: the link leads on, and the script opens it in place. */
function clampedView(words: Html, { guid }: Post): Html {
  return html`<div class="clamped">
    ${words}<a class="read-on" href="${postPath(guid)}"
      >${detailTexts.readOn}</a
    >
  </div>`;
}

function rootView(
  context: PagesContext,
  { rootGuid }: Post,
  around: Surroundings,
  shown: Shown,
): Html {
  const root = around.roots.get(rootGuid ?? "");
  // A reshare points to an original post, so there is only one level.
  if (!root || root.type === "reshare")
    return html`<p class="quiet">${texts.rootGone}</p>`;
  return postView(context, root, around, shown);
}

function footerView(
  { baseUrl }: PagesContext,
  post: Post,
  around: Surroundings,
  acting: Acting | undefined,
): HtmlValue {
  if (post.type === "reshare") return undefined;
  const { people, comments, likes, liked, reshared, bookmarked } = around;
  const original = webAddress(post.url);
  const isElsewhere =
    original !== undefined && !original.startsWith(`${baseUrl}/`);
  return html`${reactionsView(around.reactions.get(post.id))}
    <footer class="bar">
      <a href="/posts/${encodeURIComponent(post.guid)}#comments"
        >${icon("comment")}
        <span>${texts.comments(comments.get(post.id) ?? 0)}</span></a
      >
      <span>${texts.likes(likes.get(post.id)?.likes ?? 0)}</span>
      ${
        acting &&
        postActsView(
          withoutAnchor(acting, post),
          post,
          people.get(post.personId),
          {
            isLiked: liked.get(post.id) === true,
            isReshared: reshared.has(post.guid),
            isBookmarked: bookmarked.has(post.id),
          },
        )
      }
      ${
        isElsewhere &&
        html`<a href="${original}" rel="nofollow noopener noreferrer"
          >${texts.original(new URL(original).host)}</a
        >`
      }
    </footer>`;
}
