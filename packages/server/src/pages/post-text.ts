import { displayName, type Person } from "../features/people/index.ts";
import { htmlToText } from "../lib/html-cleaner.ts";
import { mentionsIn, renderMarkdown } from "../lib/markdown.ts";
import { cleanedHtml, type Html } from "./html.ts";
import { showLinkHosts } from "./link-hosts.ts";
import type { PagesContext } from "./visitor.ts";

/** People that the texts of a page mention, by handle. */
export type Mentioned = ReadonlyMap<string, Person>;

/** Each costs a query; who mentions more shows bare names. */
const MAX_MENTIONS = 50;

/** Looks up whom these texts mention. */
export async function findMentioned(
  { people }: Pick<PagesContext, "people">,
  texts: readonly string[],
): Promise<Mentioned> {
  const mentions = texts.flatMap((text) => mentionsIn(text));
  const handles = new Set(mentions.map(({ handle }) => handle));
  const found = await Promise.all(
    [...handles]
      .slice(0, MAX_MENTIONS)
      .map((handle) => people.find({ handle })),
  );
  return new Map(
    found.flatMap((person) =>
      person?.state === "active" ? [[person.handle, person]] : [],
    ),
  );
}

/** Where the posts with a tag are. */
export function tagPath(tag: string): string {
  return `/tags/${encodeURIComponent(tag)}`;
}

/** What somebody wrote, as HTML. Known people and tags become links. */
export function renderText(
  { baseUrl }: Pick<PagesContext, "baseUrl">,
  text: string,
  mentioned: Mentioned,
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
    diasporaLink: ({ type, guid }) =>
      type === "post" ? `${baseUrl}/posts/${guid}` : undefined,
  });
  return cleanedHtml(showLinkHosts(rendered, new URL(baseUrl).host));
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
  return `${cut.replace(/\s+\S{0,20}$/, "")}…`;
}
