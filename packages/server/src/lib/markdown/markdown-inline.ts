import { textOf } from "../html/html-cleaner-write.ts";
import type { HtmlElement, HtmlNode } from "../html/html-cleaner-tree.ts";
import { escapeText } from "./markdown-escape.ts";

export type HtmlToMarkdownOptions = {
  /**
   * What to write for a mention with this link and text, where the caller knows
   * better (from the tags of the object): `@{name@host}` mentions on diaspora*.
   */
  mention?: (href: string, text: string) => string | undefined;
};

const EMPHASIS: Record<string, string> = {
  strong: "**",
  b: "**",
  em: "*",
  i: "*",
  del: "~~",
  s: "~~",
};

/** Elements within a line as markdown; `<br>` becomes a line break. */
export function inlineMarkdown(
  nodes: HtmlNode[],
  options: HtmlToMarkdownOptions,
): string {
  return joinParts(nodes, options)
    .replace(/ {2,}/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function joinParts(nodes: HtmlNode[], options: HtmlToMarkdownOptions): string {
  const parts: string[] = [];
  for (const node of nodes) {
    const part =
      typeof node === "string"
        ? escapeText(node.replace(/[ \t\r\n]+/g, " "))
        : inlineElement(node, options);
    const before = parts.at(-1);
    // A "!" right before a link would make a picture of it.
    if (part.startsWith("[") && before?.endsWith("!") === true) {
      parts[parts.length - 1] = `${before.slice(0, -1)}\\!`;
    }
    if (part !== "") parts.push(part);
  }
  return parts.join("");
}

function inlineElement(
  node: HtmlElement,
  options: HtmlToMarkdownOptions,
): string {
  const mark = EMPHASIS[node.name];
  if (mark !== undefined) return wrap(mark, joinParts(node.children, options));
  switch (node.name) {
    case "br":
      return "\n";
    case "code":
      return codeSpan(textOf(node));
    case "img":
      return `![${escapeLabel(node.attributes["alt"] ?? "")}](${destination(node.attributes["src"] ?? "")})`;
    case "a":
      return link(node, options);
    case "rp":
      return "";
    case "rt":
      return ` (${joinParts(node.children, options).trim()})`;
    default:
      return joinParts(node.children, options);
  }
}

/** Emphasis must touch the words: white space goes outside. */
function wrap(mark: string, inner: string): string {
  const core = inner.trim();
  if (core === "") return inner;
  const start = inner.length - inner.trimStart().length;
  const end = inner.trimEnd().length;
  const marked = core
    .split(/\n{2,}/)
    .map((part) => mark + part.trim() + mark)
    .join("\n\n");
  return inner.slice(0, start) + marked + inner.slice(end);
}

function link(node: HtmlElement, options: HtmlToMarkdownOptions): string {
  const href = node.attributes["href"] ?? "";
  const classes = (node.attributes["class"] ?? "").split(" ");
  const relations = (node.attributes["rel"] ?? "").split(" ");
  const text = textOf(node).trim();
  const isTag = classes.includes("hashtag") || relations.includes("tag");
  if (isTag && /^#[\p{L}\p{M}\p{N}\p{Pc}-]+$/u.test(text)) return text;
  if (classes.includes("mention") && !isTag) {
    return options.mention?.(href, text) ?? mentionText(href, text);
  }
  if (text === href || `mailto:${text}` === href) return bareUrl(href);
  const label = joinParts(node.children, options).trim().replace(/\n+/g, " ");
  if (label === "") return "";
  const hasImage = /(?<!\\)!\[/.test(label);
  const safe = hasImage
    ? label
    : label.replace(/\\.|[[\]]/gs, (c) => (c.length > 1 ? c : `\\${c}`));
  return `[${safe}](${destination(href)})`;
}

/** `@bob` alone says nothing elsewhere: adds the host of the link. */
function mentionText(href: string, text: string): string {
  const name = text.replace(/^@/, "");
  if (name.includes("@")) return escapeText(`@${name}`);
  const host = URL.parse(href)?.host ?? "";
  return escapeText(host === "" ? `@${name}` : `@${name}@${host}`);
}

function bareUrl(href: string): string {
  const plain = /^https?:\/\/[^\s<>()[\]*~`\\]+[\w/]$/.test(href);
  return plain ? href : `<${href.replace(/[<>\s]/g, encodeURIComponent)}>`;
}

function destination(url: string): string {
  return url.replace(/[()<>\s\\]/g, (c) =>
    c === "(" ? "%28" : c === ")" ? "%29" : encodeURIComponent(c),
  );
}

function escapeLabel(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[[\]\\`*_]/g, "\\$&");
}

/** Code within a line. */
function codeSpan(raw: string): string {
  const text = raw.replace(/\s+/g, " ");
  if (text.trim() === "") return text;
  const marks = fence(text, 1);
  const pad = /^`|`$/.test(text) ? " " : "";
  return `${marks}${pad}${text}${pad}${marks}`;
}

/** A row of backticks longer than any in the text. */
export function fence(text: string, least: number): string {
  let longest = least - 1;
  for (const [run] of text.matchAll(/`+/g)) {
    longest = Math.max(longest, run.length);
  }
  return "`".repeat(longest + 1);
}
