import sanitizeHtml from "sanitize-html";
import {
  ALLOWED_ATTRIBUTES,
  ALLOWED_TAGS,
  DROPPED_WITH_TEXT,
  keepAttributes,
  renameTag,
} from "./html-cleaner-rules.ts";
import { buildTree } from "./html-cleaner-tree.ts";
import type { HtmlNode } from "./html-cleaner-tree.ts";
import { escapeHtml, treeToHtml, treeToText } from "./html-cleaner-write.ts";

export { escapeHtml };

/** More than this (in UTF-16 units) is cut off before anything is read. */
const MAX_HTML_LENGTH = 1_048_576;

/**
 * So many tags are read as such, more than any rendered Markdown has. Each takes as long
 * as a hundred letters and more; those behind them are left out.
 */
const MAX_TAGS = 15_000;
const NESTING_LIMIT = 60;
// The parser's work grows with its depth. Honest HTML never comes near.
const ABSURD_DEPTH = 256;

class TooDeep extends Error {}

/**
 * The only HTML cleaner: whatever came from elsewhere goes through it before it
 * is stored or shown. An allow-list of text elements; links get
 * `rel="nofollow noopener noreferrer"`, no target; no ids, styles, scripts,
 * forms or foreign content. The result is well-formed and nests as a browser
 * nests it; cleaning it again changes nothing.
 *
 * Never throws: input over 1 MiB is cut there, elements nested deeper than 60
 * and all behind the first 15,000 tags lose their tags, and of input with absurd
 * depth only the text is left.
 */
export function cleanHtml(html: string): string {
  return treeToHtml(cleanToTree(html));
}

/**
 * Cleans like {@link cleanHtml}, for those who read the tree.
 * @param maxTags how many tags are read as such
 */
export function cleanToTree(html: string, maxTags = MAX_TAGS): HtmlNode[] {
  const input = html.slice(0, MAX_HTML_LENGTH).toWellFormed();
  const end = endOfTags(input, maxTags);
  const rest = withoutTags(input.slice(end));
  try {
    const nodes = buildTree(sanitize(input.slice(0, end)));
    return rest === "" ? nodes : [...nodes, rest];
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    return [withoutTags(input)];
  }
}

/** Where the first tag stands that is one too many. */
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

function sanitize(html: string): string {
  let depth = 0;
  return sanitizeHtml(html, {
    allowedTags: ALLOWED_TAGS,
    allowedAttributes: ALLOWED_ATTRIBUTES,
    allowedSchemes: ["http", "https", "mailto"],
    allowProtocolRelative: false,
    disallowedTagsMode: "discard",
    nonTextTags: DROPPED_WITH_TEXT,
    nestingLimit: NESTING_LIMIT,
    parseStyleAttributes: false,
    onOpenTag: () => {
      depth += 1;
      if (depth > ABSURD_DEPTH) throw new TooDeep();
    },
    onCloseTag: () => {
      depth -= 1;
    },
    transformTags: {
      "*": (tag, attributes) => {
        const tagName = renameTag(tag);
        return { tagName, attribs: keepAttributes(tagName, attributes) };
      },
    },
  });
}

/**
 * The readable text of HTML: paragraphs apart by an empty line, `<br>` as a
 * line break, lists with dashes or numbers, pictures as their description.
 */
export function htmlToText(html: string): string {
  return treeToText(cleanToTree(html));
}
