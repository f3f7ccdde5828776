import { escapeHtml, htmlToText } from "../../lib/html/html-cleaner.ts";

// The cleaner writes links in this form only, and links are never nested.
const LINK = /<a href="([^"]*)"[^>]*>(.*?)<\/a>/gs;

/**
 * Appends the host to each external link, unless the link text begins with it:
 * a text may name one host and link to another.
 * @param cleaned HTML as `lib/html/html-cleaner.ts` writes it
 */
export function showLinkHosts(cleaned: string, ownHost: string): string {
  return cleaned.replace(LINK, (link, href: string, inner: string) => {
    const place = placeOf(href.replaceAll("&amp;", "&"));
    if (place === undefined || place === ownHost) return link;
    if (namesPlace(htmlToText(inner), place)) return link;
    return `${link} <bdi class="host">(${escapeHtml(place)})</bdi>`;
  });
}

/** The host of a web URL, or the address of a mailbox. */
function placeOf(href: string): string | undefined {
  const url = URL.parse(href);
  if (url === null) return undefined;
  return url.protocol === "mailto:" ? url.pathname : url.host;
}

function namesPlace(text: string, place: string): boolean {
  const bare = text
    .trim()
    .toLowerCase()
    .replace(/^(?:https?:\/\/|mailto:)/, "");
  return (
    bare.startsWith(place.toLowerCase()) &&
    /^(?:$|[/?#])/.test(bare.slice(place.length))
  );
}
