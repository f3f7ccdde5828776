import { displayName, type Person } from "../../features/people/index.ts";
import { createLruCache, type LruCache } from "../../lib/caching/lru-cache.ts";
import { htmlToText } from "../../lib/html/html-cleaner.ts";
import { renderMarkdown } from "../../lib/markdown/markdown.ts";
import { acctOf, personUrl, tagUrl, type SiteAddresses } from "./site.ts";

/** People known here, by handle. */
export type KnownPeople = ReadonlyMap<string, Person>;

/** Cleaned HTML has `>` as markup only, and attributes in double quotes. */
const PICTURE = /<img\s([^>]{1,9000})>/g;

/** Of the texts and their HTML together, in UTF-16 units. */
const MAX_KEPT = 4_000_000;
/** Few texts are longer. */
const MAX_KEPT_EACH = 20_000;

type Kept = LruCache<string, { readonly html: string; readonly size: number }>;

const keptOf = new WeakMap<SiteAddresses, Kept>();

/**
 * The HTML of texts that name nobody, which is the same for every reader: many read the same
 * new posts.
 */
function keptFor(site: SiteAddresses): Kept {
  const known = keptOf.get(site);
  if (known) return known;
  const kept: Kept = createLruCache({
    max: MAX_KEPT,
    sizeOf: ({ size }) => size,
  });
  keptOf.set(site, kept);
  return kept;
}

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
  const kept = keptFor(site);
  const before = kept.get(text);
  if (before) return before.html;
  let namesPeople = false;
  const rendered = renderMarkdown(text, {
    mention: (handle) => {
      namesPeople = true;
      const person = known.get(handle);
      return person && { href: personUrl(site, person), label: nameIn(person) };
    },
    tagHref: (tag) => tagUrl(site, tag),
    diasporaLink: ({ type, guid }) =>
      type === "post" ? `${site.baseUrl}/posts/${guid}` : undefined,
  });
  const html = rendered.replaceAll(PICTURE, (_, attributes: string) =>
    linkTo(attributes),
  );
  const size = text.length + html.length;
  if (!namesPeople && size <= MAX_KEPT_EACH) kept.set(text, { html, size });
  return html;
}

function linkTo(attributes: string): string {
  const src = /(?:^|\s)src="([^"]*)"/.exec(attributes)?.[1] ?? "";
  const alt = /(?:^|\s)alt="([^"]*)"/.exec(attributes)?.[1] ?? "";
  return `<a href="${src}" rel="nofollow noopener noreferrer">${alt || src}</a>`;
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
