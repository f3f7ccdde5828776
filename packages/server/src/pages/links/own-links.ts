import { cleanedHtml, toText, type Html } from "../kit/html.ts";
import { unescapeHtml } from "../media/proxied-pictures.ts";

/** The form of plain links: those of mentions and tags have a class. */
const LINK = /<a href="https?:[^"]*"(?: title="[^"]*")? rel="(?=nofollow)/g;
const OWN_LINK = /<a href="([^"]*)"(?: title="[^"]*")? rel="me /g;

/**
 * Marks the links as other pages of the same person (https://microformats.org/wiki/rel-me).
 * Mastodon trusts a link to a profile here if the profile links back in this way.
 * @param rendered as `renderPostText` renders a field of the person's own profile
 */
export function withOwnLinks(rendered: Html): Html {
  return cleanedHtml(toText(rendered).replaceAll(LINK, (link) => `${link}me `));
}

/** The addresses of the links that are marked so. */
export function ownLinksIn(marked: Html): string[] {
  return [...toText(marked).matchAll(OWN_LINK)].map(([, href = ""]) =>
    unescapeHtml(href),
  );
}
