import type { Properties } from "hast";
import type { Schema } from "hast-util-sanitize";
import { hasShortLabels } from "../host-name.ts";

/** Elements that are kept. */
export const ALLOWED_TAGS = [
  ...["p", "br", "a", "span", "strong", "em", "b", "i", "u", "del", "s"],
  ...["code", "pre", "blockquote", "ul", "ol", "li", "hr", "img"],
  ...["h1", "h2", "h3", "h4", "h5", "h6", "sup", "sub"],
  ...["table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td"],
  ...["ruby", "rt", "rp"],
];

/** Elements whose content is not readable text. */
export const DROPPED_WITH_TEXT = [
  ...["script", "style", "textarea", "select", "option", "xmp", "title"],
  ...["noscript", "noembed", "noframes", "iframe", "template", "plaintext"],
  ...["object", "embed", "applet", "audio", "video", "canvas"],
  ...["annotation", "annotation-xml"],
];

/** Deeper elements lose their tags. */
export const MAX_DEPTH = 60;

/** Replaces elements that only begin a new line. */
export const LINE_MARK = "div";

const RENAMED = new Map([
  ["strike", "s"],
  ["ins", "u"],
  ["tt", "code"],
  ["kbd", "code"],
  ["samp", "code"],
  ["menu", "ul"],
  ["dir", "ul"],
  ["listing", "pre"],
  ...[
    ...["address", "article", "aside", "center", "dd", "details", "dl", "dt"],
    ...["fieldset", "figcaption", "figure", "footer", "form", "header"],
    ...["hgroup", "legend", "main", "nav", "section", "summary", LINE_MARK],
  ].map((name): [string, string] => [name, LINE_MARK]),
]);

// Microformats, as Mastodon keeps them, and Mastodon's own few classes.
const CLASS =
  /^(?:(?:h|p|u|dt|e)-[a-z0-9-]{1,40}|mention|hashtag|ellipsis|invisible)$/;
const CODE_CLASS = /^language-[a-z0-9+#.-]{1,40}$/i;

const RELATIONS = ["nofollow", "noopener", "noreferrer"];

const MAX_URL = 2048;
const MAX_TEXT = 10_000;
const MAX_CLASS = 512;
const MAX_NUMBER = 16;

/**
 * The attributes that are read, and their greatest lengths. One character beyond the limit makes an
 * address too long.
 */
export const MAX_LENGTHS: ReadonlyMap<string, number> = new Map([
  ["href", MAX_URL + 1],
  ["src", MAX_URL + 1],
  ["class", MAX_CLASS],
  ["rel", MAX_CLASS],
  ["alt", MAX_TEXT],
  ["title", MAX_TEXT],
  ...[
    "width",
    "height",
    "start",
    "reversed",
    "value",
    "colspan",
    "rowspan",
  ].map((name): [string, number] => [name, MAX_NUMBER]),
]);

const SPAN = /^[1-9][0-9]?$/;
const LENGTH = /^[0-9]{1,5}$/;
const NUMBER = /^-?[0-9]{1,6}$/;

/** The elements and attributes that may stay. {@link keepProperties} checks addresses. */
export const SCHEMA: Schema = {
  tagNames: [...ALLOWED_TAGS, ...RENAMED.keys()],
  strip: DROPPED_WITH_TEXT,
  attributes: {
    a: ["href", "rel", ["className", CLASS]],
    span: [["className", CLASS]],
    p: [["className", CLASS]],
    code: [["className", CODE_CLASS]],
    ol: [["start", NUMBER], "reversed"],
    li: [["value", NUMBER]],
    img: ["src", "alt", "title", ["width", LENGTH], ["height", LENGTH]],
    td: [
      ["colSpan", SPAN],
      ["rowSpan", SPAN],
    ],
    th: [
      ["colSpan", SPAN],
      ["rowSpan", SPAN],
    ],
  },
  ancestors: {},
  protocols: {},
  required: {},
  clobber: [],
};

/** The element that replaces another one with the same meaning. */
export function renameTag(tag: string): string {
  return RENAMED.get(tag) ?? tag;
}

/** The properties of an allowed element, with harmless addresses only. */
export function keepProperties(tag: string, given: Properties): Properties {
  if (tag === "a") return keepLink(given);
  if (tag === "img") return keepImage(given);
  const { className, reversed, ...others } = given;
  if (className !== undefined && className.length > 0)
    return { className, ...others };
  return reversed === undefined ? others : { ...others, reversed: true };
}

function keepLink({ href, className, rel = [] }: Properties): Properties {
  const address = safeUrl(href, ["http:", "https:", "mailto:"]);
  if (address === undefined) return {};
  const kept: Properties = { href: address };
  if (className !== undefined && className.length > 0)
    kept.className = className;
  const isTag = rel.some((relation) => relation.toLowerCase() === "tag");
  kept.rel = isTag ? ["tag", ...RELATIONS] : [...RELATIONS];
  return kept;
}

function keepImage(given: Properties): Properties {
  const kept: Properties = {};
  const src = safeUrl(given.src, ["http:", "https:"]);
  if (src !== undefined) kept.src = src;
  kept.alt = cleanValue(given.alt ?? "");
  if (given.title) kept.title = cleanValue(given.title);
  if (given.width !== undefined) kept.width = given.width;
  if (given.height !== undefined) kept.height = given.height;
  return kept;
}

/** A browser reads a carriage return as a line feed. */
function cleanValue(text: string): string {
  return text.replaceAll("\r", "").toWellFormed();
}

/**
 * An absolute URL of an allowed scheme: as written if a browser reads it exactly so, else as the
 * URL parser writes it.
 */
function safeUrl(
  value: string | undefined,
  schemes: string[],
): string | undefined {
  if (value === undefined || value.length > MAX_URL) return undefined;
  if (!hasShortLabels(value)) return undefined;
  const url = URL.parse(value);
  if (url === null || !schemes.includes(url.protocol)) return undefined;
  const plain =
    /^(?:https?:\/\/[^/]|mailto:)[!#-;=?-Z[\]_a-z~\u00a1-\ud7ff]*$/i;
  return plain.test(value) ? value : url.href;
}
