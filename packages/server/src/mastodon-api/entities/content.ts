import { displayName, type Person } from "../../features/people/index.ts";
import { htmlToText } from "../../lib/html/html-cleaner.ts";
import { renderMarkdown } from "../../lib/markdown/markdown.ts";
import { acctOf, personUrl, tagUrl, type SiteAddresses } from "./site.ts";

/** People known here, by handle. */
export type KnownPeople = ReadonlyMap<string, Person>;

/** Cleaned HTML has `>` as markup only, and attributes in double quotes. */
const PICTURE = /<img\s([^>]{1,9000})>/g;

/**
 * Renders a text as the HTML that clients show. Known people and tags become links; a picture
 * within the text becomes a link, because clients show none, and others would load it from
 * where it is.
 */
export function renderContent(
  site: SiteAddresses,
  text: string,
  known: KnownPeople,
): string {
  if (text === "") return "";
  const rendered = renderMarkdown(text, {
    mention: (handle) => {
      const person = known.get(handle);
      return person && { href: personUrl(site, person), label: nameIn(person) };
    },
    tagHref: (tag) => tagUrl(site, tag),
    diasporaLink: ({ type, guid }) =>
      type === "post" ? `${site.baseUrl}/posts/${guid}` : undefined,
  });
  return rendered.replaceAll(PICTURE, (_, attributes: string) => {
    const src = /(?:^|\s)src="([^"]*)"/.exec(attributes)?.[1] ?? "";
    const alt = /(?:^|\s)alt="([^"]*)"/.exec(attributes)?.[1] ?? "";
    return `<a href="${src}" rel="nofollow noopener noreferrer">${alt || src}</a>`;
  });
}

/** The name without a server, as clients write it. */
function nameIn(person: Person): string {
  const acct = acctOf(person);
  const at = acct.lastIndexOf("@");
  return at < 1 ? acct : acct.slice(0, at);
}

/** A text of one line, such as the value of a field. */
export function renderLine(
  site: SiteAddresses,
  text: string,
  known: KnownPeople,
): string {
  const rendered = renderContent(site, text, known);
  const inner = /^<p>([^]*)<\/p>$/.exec(rendered)?.[1];
  return inner === undefined || inner.includes("<p>") ? rendered : inner;
}

/** A text without its markup. */
export const withoutMarkup = (text: string): string =>
  htmlToText(
    renderMarkdown(text, { mention: () => undefined, tagHref: () => "" }),
  ).trim();

/** The name shown to readers. */
export const shownName = (person: Person | undefined): string =>
  person ? displayName(person) : "";
