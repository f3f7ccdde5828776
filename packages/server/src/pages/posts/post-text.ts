import type { CustomEmoji } from "../../features/custom-emojis.ts";
import { displayName, type Person } from "../../features/people/index.ts";
import { beginning } from "../../lib/beginning.ts";
import { htmlToText } from "../../lib/html/html-cleaner.ts";
import {
  diasporaLinksIn,
  mentionsIn,
  renderMarkdown,
} from "../../lib/markdown/markdown.ts";
import { showEmojis } from "../kit/emoji-view.ts";
import { html, type Html } from "../kit/html.ts";
import { showLinkHosts } from "../links/link-hosts.ts";
import { linkPath } from "../links/link-routes.ts";
import { renderOnce } from "./kept-renderings.ts";
import type { PagesContext } from "../session/visitor.ts";

/** Mentioned people on a page, by handle. */
export type Mentioned = ReadonlyMap<string, Person> & {
  /** Linked posts that are stored here, as `handle/guid`. */
  readonly linked?: ReadonlySet<string>;
};

/** Each costs a query; further mentions show bare names. */
const MAX_MENTIONS = 50;
const MAX_LINKS = 50;

/**
 * Elements that scroll when wide: keyboards must reach them. A `<` in a text is
 * escaped.
 */
const SCROLLABLE = /<(?:pre|table)(?=>)/g;

/** Looks up the people mentioned in these texts. */
export async function findMentioned(
  context: Pick<PagesContext, "people" | "posts">,
  texts: readonly string[],
): Promise<Mentioned> {
  const mentions = texts.flatMap((text) => mentionsIn(text));
  const handles = new Set(mentions.map(({ handle }) => handle));
  const found = await Promise.all(
    [...handles]
      .slice(0, MAX_MENTIONS)
      .map((handle) => context.people.find({ handle })),
  );
  const linked = await findLinked(context, texts);
  const mentioned = new Map(
    found.flatMap((person) =>
      person?.state === "active" ? [[person.handle, person]] : [],
    ),
  );
  return Object.assign(mentioned, { linked });
}

/**
 * Limited posts are left out, so that nothing about them is disclosed: the
 * resolver checks access.
 */
async function findLinked(
  { people, posts }: Pick<PagesContext, "people" | "posts">,
  texts: readonly string[],
): Promise<ReadonlySet<string>> {
  const links = texts.flatMap((text) => diasporaLinksIn(text));
  const found = await posts.listByGuid(
    [...new Set(links.map(({ guid }) => guid))].slice(0, MAX_LINKS),
    null,
  );
  const authors = await people.listById(
    [...found.values()].map(({ personId }) => personId),
  );
  return new Set(
    [...found.values()].map(
      ({ guid, personId }) => `${authors.get(personId)?.handle ?? ""}/${guid}`,
    ),
  );
}

/** The page of a tag. */
export function tagPath(tag: string): string {
  return `/tags/${encodeURIComponent(tag)}`;
}

/** Renders a text as HTML. Known people and tags become links. */
export function renderPostText(
  { baseUrl }: Pick<PagesContext, "baseUrl">,
  text: string,
  mentioned: Mentioned,
  emojis: readonly CustomEmoji[] = [],
): Html {
  const rendered = renderOnce(text, baseUrl, {
    // Shows the person's own name, whatever the text calls them.
    mention: (handle) => {
      const person = mentioned.get(handle);
      return (
        person && {
          href: `${baseUrl}/people/${person.guid}`,
          label: displayName(person),
        }
      );
    },
    tagHref: (tag) => baseUrl + tagPath(tag),
    diasporaLink: (link) => {
      const { handle, type, guid } = link;
      if (type !== "post") return undefined;
      return mentioned.linked?.has(`${handle}/${guid}`)
        ? `${baseUrl}/posts/${guid}`
        : baseUrl + linkPath(link);
    },
  });
  const shown = showLinkHosts(rendered, new URL(baseUrl).host);
  return showEmojis(shown.replace(SCROLLABLE, '$& tabindex="0"'), emojis);
}

/** The text of a post or comment, marked with its language. @param kind its classes */
export function textView(
  context: Pick<PagesContext, "baseUrl">,
  {
    text,
    language,
    emojis,
  }: { text: string; language: string | null; emojis: readonly CustomEmoji[] },
  author: Person | undefined,
  mentioned: Mentioned,
  kind = "text",
): Html {
  const shown = author?.isPictured ? emojis : [];
  const words = renderPostText(context, text, mentioned, shown);
  return language === null
    ? html`<div class="${kind}" dir="auto">${words}</div>`
    : html`<div class="${kind}" dir="auto" lang="${language}">${words}</div>`;
}

/** The beginning of a text, as one line without markup. */
export function excerpt(text: string, maxLength: number): string {
  const rendered = renderMarkdown(text.slice(0, 4 * maxLength + 1000), {
    mention: () => undefined,
    tagHref: () => "",
  });
  const line = htmlToText(rendered).replace(/\s+/g, " ").trim();
  return beginning(line, maxLength);
}
