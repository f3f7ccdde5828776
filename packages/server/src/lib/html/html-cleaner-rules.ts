import { hasShortLabels } from "../http-client/host-name.ts";
import { LINE_MARK } from "./html-cleaner-tree.ts";

/** Elements that stay. */
export const ALLOWED_TAGS = [
  ...["p", "br", "a", "span", "strong", "em", "b", "i", "u", "del", "s"],
  ...["code", "pre", "blockquote", "ul", "ol", "li", "hr", "img"],
  ...["h1", "h2", "h3", "h4", "h5", "h6", "sup", "sub"],
  ...["table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td"],
  ...["ruby", "rt", "rp", LINE_MARK],
];

/** Attributes that may stay, where {@link keepAttributes} left them. */
export const ALLOWED_ATTRIBUTES: Record<string, string[]> = {
  a: ["href", "rel", "class"],
  span: ["class"],
  p: ["class"],
  code: ["class"],
  ol: ["start", "reversed"],
  li: ["value"],
  img: ["src", "alt", "title", "width", "height"],
  td: ["colspan", "rowspan"],
  th: ["colspan", "rowspan"],
};

/** Elements whose content is no text for people. */
export const DROPPED_WITH_TEXT = [
  ...["script", "style", "textarea", "select", "option", "xmp", "title"],
  ...["noscript", "noembed", "noframes", "iframe", "template", "plaintext"],
  ...["object", "embed", "applet", "audio", "video", "canvas"],
  ...["annotation", "annotation-xml"],
];

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
    ...["hgroup", "legend", "main", "nav", "section", "summary", "body"],
  ].map((name): [string, string] => [name, LINE_MARK]),
]);

// Microformats, as Mastodon keeps them, and its own few.
const CLASS =
  /^(?:(?:h|p|u|dt|e)-[a-z0-9-]{1,40}|mention|hashtag|ellipsis|invisible)$/;
const CODE_CLASS = /^language-[a-z0-9+#.-]{1,40}$/i;

const MAX_URL = 2048;
const MAX_TEXT = 10_000;
const MAX_CLASS = 512;

/** The element that stands for another one with the same meaning. */
export function renameTag(tag: string): string {
  return RENAMED.get(tag) ?? tag;
}

/**
 * The attributes of an element that may stay, with values that cannot do harm.
 * Reads only what it knows by name and cuts it to a length, so that the work
 * does not grow with what strangers send.
 */
export function keepAttributes(
  tag: string,
  given: Record<string, string>,
): Record<string, string> {
  const kept: Record<string, string> = {};
  if (tag === "a") return keepLink(given);
  if (tag === "img") return keepImage(given);
  if (tag === "span" || tag === "p") keepClass(kept, given, CLASS);
  if (tag === "code") keepClass(kept, given, CODE_CLASS);
  if (tag === "ol") {
    keepNumber(kept, given, "start");
    if (given["reversed"] !== undefined) kept["reversed"] = "reversed";
  }
  if (tag === "li") keepNumber(kept, given, "value");
  if (tag === "td" || tag === "th") {
    keepSpan(kept, given, "colspan");
    keepSpan(kept, given, "rowspan");
  }
  return kept;
}

function keepLink(given: Record<string, string>): Record<string, string> {
  const href = safeUrl(given["href"], ["http:", "https:", "mailto:"]);
  if (href === undefined) return {};
  const kept: Record<string, string> = { href };
  keepClass(kept, given, CLASS);
  const rel = (given["rel"] ?? "")
    .slice(0, MAX_CLASS)
    .toLowerCase()
    .split(/\s/);
  const tag = rel.includes("tag") ? "tag " : "";
  kept["rel"] = `${tag}nofollow noopener noreferrer`;
  return kept;
}

function keepImage(given: Record<string, string>): Record<string, string> {
  const kept: Record<string, string> = {};
  const src = safeUrl(given["src"], ["http:", "https:"]);
  if (src !== undefined) kept["src"] = src;
  kept["alt"] = (given["alt"] ?? "").slice(0, MAX_TEXT).toWellFormed();
  const title = given["title"];
  if (title) kept["title"] = title.slice(0, MAX_TEXT).toWellFormed();
  for (const name of ["width", "height"]) {
    const value = given[name] ?? "";
    if (/^[0-9]{1,5}$/.test(value)) kept[name] = value;
  }
  return kept;
}

function keepClass(
  kept: Record<string, string>,
  given: Record<string, string>,
  allowed: RegExp,
): void {
  const classes = (given["class"] ?? "").slice(0, MAX_CLASS).split(/\s/);
  const some = classes.filter((name) => allowed.test(name)).join(" ");
  if (some !== "") kept["class"] = some;
}

function keepNumber(
  kept: Record<string, string>,
  given: Record<string, string>,
  name: string,
): void {
  const value = given[name] ?? "";
  if (/^-?[0-9]{1,6}$/.test(value)) kept[name] = value;
}

function keepSpan(
  kept: Record<string, string>,
  given: Record<string, string>,
  name: string,
): void {
  const value = given[name] ?? "";
  if (/^[1-9][0-9]?$/.test(value)) kept[name] = value;
}

/**
 * An absolute URL of an allowed scheme, as it was written where a browser reads
 * it just so, else as the URL parser reads it.
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
