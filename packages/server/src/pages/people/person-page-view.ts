import type { Person } from "../../features/people/index.ts";
import { html, type Html, type HtmlValue } from "../kit/html.ts";
import { paginationView } from "../kit/list-view.ts";
import type { Part } from "../kit/page-input.ts";
import {
  avatarView,
  handleView,
  nameView,
  personPath,
  pictureAddress,
} from "../kit/person-view.ts";
import { pageTexts } from "../languages/texts.ts";

const texts = pageTexts.person;

/** The profile texts of a person. */
export type OwnWords = {
  readonly bio: Html | undefined;
  readonly fields: readonly {
    readonly name: HtmlValue;
    readonly value: Html;
  }[];
  /** Other pages of a person here, as the fields name them. */
  readonly ownLinks: readonly string[];
};

export function personPageView(
  person: Person,
  { bio, fields }: Pick<OwnWords, "bio" | "fields">,
  /** The chosen tab. */
  list: Html,
  /** For visitors: their contact with the person. */
  contact: HtmlValue,
  /** Of somebody elsewhere: its page on its own server. */
  home: string | undefined,
  /** Is the page the visitor's own? */
  isOwn: boolean,
  /** Is it, and may the visitor invite others? */
  mayInvite = false,
  /** The new account of a person who has moved. */
  movedTo?: Person,
): Html {
  const card = html`${bannerView(person)}
    <header class="person">
      ${avatarView(person, 96, "avatar u-photo")}
      <div>
        <h1 class="p-name">${nameView(person)}</h1>
        <p class="quiet handle"><bdi>${person.handle}</bdi></p>
        ${person.userId !== null && html`<a class="u-url" href="${personPath(person)}" hidden></a>`}
      </div>
    </header>
    ${contact} ${movedTo && movedView(movedTo)}
    ${person.userId === null && elsewhereView(person, home)}
    ${isOwn && html`<p><a href="/settings/profile">${texts.change}</a></p>`}
    ${mayInvite && html`<p><a href="/invitations">${texts.invite}</a></p>`}
    ${kindView(person)}
    ${person.profile.locked && html`<p class="quiet">${texts.locked}</p>`}
    ${bio && html`<div class="text bio p-note" dir="auto">${bio}</div>`}
    ${fields.length > 0 && fieldsView(fields)}`;
  // Programs read a person by the classes of microformats, which no style sheet uses
  // (https://microformats.org/wiki/h-card).
  return html`<div class="h-card">${card}</div>
    ${person.userId !== null && feedsView(person)}
    <section aria-labelledby="posts">
      <h2 class="unseen" id="posts">${texts.posts}</h2>
      ${list}
    </section>`;
}

export function postsTabView(posts: Part<Html>): Html {
  return html`${
    posts.items.length === 0
      ? html`<p class="quiet">${texts.noPosts}</p>`
      : posts.items
  }
  ${paginationView(posts, {
    previous: pageTexts.newerPosts,
    next: pageTexts.olderPosts,
  })}`;
}

/** A program or a group says so itself. */
function kindView({ profile: { kind } }: Person): HtmlValue {
  return kind !== "person" && html`<p class="quiet">${texts.kinds[kind]}</p>`;
}

/** Decorative, so without an alternative text: the person's picture, or a colour. */
function bannerView({ guid, profile }: Person): Html {
  const src = pictureAddress([profile.headerUrl]);
  const classes = `header hue${hueOf(guid)}`;
  return src === undefined
    ? html`<div class="${classes}"></div>`
    : html`<img class="${classes}" src="${src}" alt="" loading="lazy" />`;
}

const HUES = 8;

/** Each person keeps one of the colours of `people.css`. */
function hueOf(guid: string): number {
  let sum = 0;
  for (const char of guid) sum += char.charCodeAt(0);
  return sum % HUES;
}

function fieldsView(fields: OwnWords["fields"]): Html {
  return html`<dl class="facts fields">
    ${fields.map(
      ({ name, value }) =>
        html`<div>
          <dt><bdi>${name}</bdi></dt>
          <dd class="text" dir="auto">${value}</dd>
        </div>`,
    )}
  </dl>`;
}

/** The public posts for programs that read feeds. */
function feedsView(person: Person): Html {
  const below = personPath(person);
  return html`<p class="quiet feeds">
    ${texts.feeds}
    <a href="${below}/feed.atom">Atom</a> ·
    <a href="${below}/feed.rss">RSS</a> ·
    <a href="${below}/feed.json">JSON</a>
  </p>`;
}

function movedView(movedTo: Person): Html {
  return html`<p class="moved">
    ${texts.moved}
    <a href="${personPath(movedTo)}">${nameView(movedTo)}</a>
    ${handleView(movedTo)}
  </p>`;
}

function elsewhereView(person: Person, home: string | undefined): Html {
  const host = person.handle.slice(person.handle.indexOf("@") + 1);
  return html`<p>
    ${texts.elsewhere(host)}
    ${
      home &&
      html`<a class="u-url" href="${home}" rel="nofollow noopener noreferrer"
        >${texts.visitHome} (${new URL(home).host})</a
      >`
    }
  </p>`;
}
