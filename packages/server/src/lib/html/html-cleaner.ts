import type { ElementContent } from "hast";
import { sanitize } from "hast-util-sanitize";
import { arrange } from "./html-cleaner-nesting.ts";
import { parseHtml, TooMuchHtml } from "./html-cleaner-parse.ts";
import { SCHEMA } from "./html-cleaner-rules.ts";
import { escapeHtml, treeToHtml, treeToText } from "./html-cleaner-write.ts";

export { escapeHtml };

/** Longer input (in UTF-16 units) is cut off before it is parsed. */
const MAX_HTML_LENGTH = 1_048_576;

/**
 * The number of tags that are parsed as such, more than any rendered Markdown has. Each takes as
 * long as a hundred letters and more; later ones are removed.
 */
const MAX_TAGS = 15_000;

/**
 * The only HTML cleaner: all remote HTML goes through it before it is stored or shown. It parses
 * HTML as a browser does, and keeps an allow-list of text elements; links get `rel="nofollow
 * noopener noreferrer"`, no target; no ids, styles, scripts, forms or foreign content. The result
 * is well-formed, and cleaning it again changes nothing.
 *
 * Never throws: input over 1 MiB is cut there, elements nested deeper than 60 and all behind the
 * first 15,000 tags lose their tags, and of input with absurd depth only the text is left.
 */
export function cleanHtml(html: string): string {
  return treeToHtml(cleanToTree(html));
}

/**
 * Cleans like {@link cleanHtml}, for callers that read the tree.
 * @param maxTags how many tags are parsed as such
 */
export function cleanToTree(
  html: string,
  maxTags = MAX_TAGS,
): ElementContent[] {
  const input = html.slice(0, MAX_HTML_LENGTH).toWellFormed();
  const end = endOfTags(input, maxTags);
  const rest = withoutTags(input.slice(end));
  try {
    const nodes = cleanTags(input.slice(0, end), maxTags);
    return rest === "" ? nodes : [...nodes, ...textNodes(rest)];
  } catch (error) {
    if (!(error instanceof TooMuchHtml)) throw error;
    return textNodes(withoutTags(input));
  }
}

function cleanTags(html: string, maxTags: number): ElementContent[] {
  const allowed = sanitize(parseHtml(html, maxTags), SCHEMA);
  return allowed.type === "root" ? arrange(allowed.children) : [];
}

function textNodes(value: string): ElementContent[] {
  return arrange([{ type: "text", value }]);
}

/** The position of the first tag beyond the limit. */
function endOfTags(html: string, maxTags: number): number {
  let at = html.indexOf("<");
  for (let tags = 0; at !== -1; tags += 1) {
    if (tags === maxTags) return at;
    at = html.indexOf("<", at + 1);
  }
  return html.length;
}

function withoutTags(html: string): string {
  return html.replace(/<[^<>]*>/g, "");
}

/**
 * The readable text of HTML: paragraphs separated by an empty line, `<br>` as a line break, lists
 * with dashes or numbers, pictures as their description.
 */
export function htmlToText(html: string): string {
  return treeToText(cleanToTree(html));
}
