import type { CustomEmoji } from "../../features/custom-emojis.ts";
import { displayName, type Person } from "../../features/people/index.ts";
import { htmlToText } from "../../lib/html/html-cleaner.ts";
import {
  diasporaLinksIn,
  mentionsIn,
  renderMarkdown,
} from "../../lib/markdown/markdown.ts";
import { showEmojis } from "./emoji-view.ts";
import { html, type Html } from "../kit/html.ts";
import { showLinkHosts } from "../people/link-hosts.ts";
import { linkPath } from "../people/link-routes.ts";
import type { PagesContext } from "../session/visitor.ts";

/** People that the texts of a page mention, by handle. */
export type Mentioned = ReadonlyMap<string, Person> & {
  /** The posts that they link to and that are here, by the ones named: `handle/guid`. */
  readonly linked?: ReadonlySet<string>;
};

/** Each costs a query; who mentions more shows bare names. */
const MAX_MENTIONS = 50;
const MAX_LINKS = 50;

/** What scrolls by itself where it is wide: the keyboard must get there. A `<` in a text is escaped. */
const SCROLLABLE = /<(?:pre|table)(?=>)/g;

/** Looks up whom these texts mention. */
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

/** Of limited posts nothing is said: whoever may see them gets there by the resolver. */
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

/** Where the posts with a tag are. */
export function tagPath(tag: string): string {
  return `/tags/${encodeURIComponent(tag)}`;
}

/** What somebody wrote, as HTML. Known people and tags become links. */
export function renderPostText(
  { baseUrl }: Pick<PagesContext, "baseUrl">,
  text: string,
  mentioned: Mentioned,
  emojis: readonly CustomEmoji[] = [],
): Html {
  const rendered = renderMarkdown(text, {
    // The name is the person's own, whatever the text calls it.
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

/** What a post or comment says, in the language of which its author says that it is written in it. */
export function textView(
  context: Pick<PagesContext, "baseUrl">,
  {
    text,
    language,
    emojis,
  }: { text: string; language: string | null; emojis: readonly CustomEmoji[] },
  author: Person | undefined,
  mentioned: Mentioned,
): Html {
  const shown = author?.isPictured ? emojis : [];
  const rendered = renderPostText(context, text, mentioned, shown);
  return language === null
    ? html`<div class="text" dir="auto">${rendered}</div>`
    : html`<div class="text" dir="auto" lang="${language}">${rendered}</div>`;
}

/** The beginning of a text, without its markup, in one line. */
export function excerpt(text: string, maxLength: number): string {
  const rendered = renderMarkdown(text.slice(0, 4 * maxLength + 1000), {
    mention: () => undefined,
    tagHref: () => "",
  });
  const line = htmlToText(rendered).replace(/\s+/g, " ").trim();
  const letters = [...line];
  if (letters.length <= maxLength) return line;
  const cut = letters.slice(0, maxLength - 1).join("");
  // Not in the middle of a word, unless it is a very long one.
  const end = cut.lastIndexOf(" ");
  return `${end > 0 && end >= cut.length - 21 ? cut.slice(0, end) : cut}…`;
}
