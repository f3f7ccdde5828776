import type { AspectSummary } from "../../features/aspects/index.ts";
import type { HomeReplies } from "../../features/homes/index.ts";
import { html, type Html, type HtmlValue, partAttribute } from "../kit/html.ts";
import { emptyListView } from "../kit/components/notices-view.ts";
import { tabLinks } from "../kit/components/tabs-view.ts";
import { paginationView } from "../kit/list-view.ts";
import type { Part } from "../kit/page-input.ts";
import {
  homeTexts as texts,
  pageTexts,
  streamTexts,
} from "../languages/texts.ts";
import { tagPath } from "../posts/post-text.ts";
import { STREAMS } from "../streams/stream-view.ts";
import { FIRST_STEPS, PEOPLE } from "../session/places.ts";
import {
  homePath,
  newsPath,
  type HomeTab,
  type HomeView,
} from "./home-choice.ts";

/** The data of the page. */
export type HomePage = {
  readonly view: HomeView;
  readonly aspects: readonly AspectSummary[];
  /** The tags that the user follows; only on their tab. */
  readonly tags: readonly string[];
  readonly posts: Part<Html>;
  /** The key of the newest post; on the first page alone. */
  readonly newest: number | undefined;
};

/** Comments by the people of the list, also below posts of others. */
const EVERY_REPLY: HomeReplies = "all";

/** @param form for a new post, below what is announced */
export function homeView(form: Html, page: HomePage): Html {
  const { view, posts } = page;
  return html`<h1 class="unseen">${texts.title}</h1>
    ${form} ${tabsView(page)} ${tagsView(page.tags)} ${choiceLinks(view)}
    ${page.newest !== undefined && newsView(view, page.newest, 0)}
    ${posts.items.length === 0 ? emptyView(page) : posts.items}
    ${paginationView(posts, {
      previous: pageTexts.newerPosts,
      next: pageTexts.olderPosts,
    })}`;
}

/** The script shows it once there are newer posts. */
export function newsView(view: HomeView, after: number, count: number): Html {
  return html`<div ${partAttribute(newsPath(view, after))} role="status">
    ${
      count > 0 &&
      html`<a class="button second news" href="${homePath(view)}"
        >${view.replies === undefined ? texts.news(count) : texts.newEntries(count)}</a
      >`
    }
  </div>`;
}

function tabsView({ view, aspects }: HomePage): Html {
  const here = homePath({ tab: view.tab, reshares: true });
  const tab = (to: HomeTab, label: HtmlValue) => {
    const path = homePath({ tab: to, reshares: true });
    return { path, label, isChosen: path === here };
  };
  return tabLinks(texts.tabs, [
    tab({ kind: "home" }, texts.title),
    ...aspects.map(({ id, name }) =>
      tab({ kind: "aspect", aspectId: id }, html`<bdi>${name}</bdi>`),
    ),
    tab({ kind: "tags" }, texts.tags),
    tab({ kind: "here" }, texts.here),
    tab({ kind: "all" }, texts.all),
    { path: STREAMS, label: streamTexts.title, isChosen: false },
  ]);
}

function tagsView(tags: readonly string[]): HtmlValue {
  if (tags.length === 0) return undefined;
  return html`<p class="quiet">
    ${texts.following}
    ${tags.map((tag) => html`<a href="${tagPath(tag)}"><bdi>#${tag}</bdi></a> `)}
  </p>`;
}

/** Leave out or bring back what is there because of reshares alone, and comments. */
function choiceLinks(view: HomeView): HtmlValue {
  const { tab, reshares, replies } = view;
  if (tab.kind !== "home" && tab.kind !== "aspect") return undefined;
  const hasReplies = replies !== undefined;
  const withOther = { ...view, replies: hasReplies ? undefined : EVERY_REPLY };
  return html`<p class="quiet">
    <a href="${homePath({ ...view, reshares: !reshares })}"
      >${reshares ? texts.withoutReshares : texts.withReshares}</a
    >
    <span aria-hidden="true">·</span>
    <a href="${homePath(withOther)}"
      >${hasReplies ? texts.withoutReplies : texts.withReplies}</a
    >
  </p>`;
}

/** An empty list leads on. */
function emptyView({ view: { tab }, tags, posts }: HomePage): Html {
  // Beyond the last page.
  if (posts.previous !== undefined)
    return html`<p class="quiet">${texts.noMore}</p>`;
  switch (tab.kind) {
    case "aspect":
      return emptyListView(texts.emptyAspect, [[PEOPLE, texts.addPeople]]);
    case "tags":
      return emptyListView(tags.length > 0 ? texts.emptyTags : texts.noTags, [
        ["/search", texts.findTags],
      ]);
    case "here":
      return emptyListView(texts.emptyHere, [
        ["/write", pageTexts.places.write],
        [homePath({ tab: { kind: "all" }, reshares: true }), texts.lookAround],
      ]);
    case "all":
      return emptyListView(texts.emptyAll, [[PEOPLE, texts.findPeople]]);
    case "home":
      return emptyListView(texts.empty, [
        [FIRST_STEPS, texts.firstSteps],
        [PEOPLE, texts.findPeople],
        ["/search", texts.findTags],
        [homePath({ tab: { kind: "all" }, reshares: true }), texts.lookAround],
      ]);
  }
}
