import { cleanToTree } from "../html/html-cleaner.ts";
import { toBlocks } from "./markdown-from-html-blocks.ts";
import type { HtmlToMarkdownOptions } from "./markdown-from-html-leaves.ts";
import { writeMarkdown } from "./markdown-from-html-write.ts";

/** As many as a renderer parses as such. Later ones become text. */
const MAX_ELEMENTS = 3000;
/** Each element has two. */
const MAX_TAGS = 2 * MAX_ELEMENTS;
/** Of all texts and addresses together. No text within our limit is longer. */
const MAX_LETTERS = 100_000;
/**
 * In UTF-16 units: as much as these letters with several times as much markup. Longer input is cut
 * off before it is parsed.
 */
const MAX_HTML_LENGTH = 4 * MAX_LETTERS;

/**
 * Converts HTML received over ActivityPub to Markdown as people on diaspora* write it. The HTML is
 * cleaned first; elements that Markdown has no markup for are kept as text. Rendering the result
 * shows what the HTML showed, not more: the same text, links, mentions and tags.
 */
export function htmlToMarkdown(
  html: string,
  options: HtmlToMarkdownOptions = {},
): string {
  const budget = { elements: MAX_ELEMENTS, letters: MAX_LETTERS };
  const tree = cleanToTree(html.slice(0, MAX_HTML_LENGTH), MAX_TAGS);
  const children = toBlocks({ options, budget }, tree);
  return writeMarkdown({ type: "root", children }, options.named);
}
