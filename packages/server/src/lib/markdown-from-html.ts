import { cleanToTree } from "./html-cleaner.ts";
import { isBlock } from "./html-cleaner-tree.ts";
import type { HtmlElement, HtmlNode } from "./html-cleaner-tree.ts";
import { textOf } from "./html-cleaner-write.ts";
import { escapeLineStarts } from "./markdown-escape.ts";
import { fence, inlineMarkdown } from "./markdown-inline.ts";
import type { HtmlToMarkdownOptions } from "./markdown-inline.ts";

/** Deeper quotes and lists are flattened: each level prefixes every line. */
const MAX_DEPTH = 8;
/** In UTF-16 units. What is longer is rare. */
const MAX_PLAIN_LENGTH = 5000;

/**
 * Turns HTML that came over ActivityPub into markdown as people on diaspora*
 * write it. The HTML is cleaned first; what markdown has no sign for is kept as
 * text. Rendering the result shows what the HTML showed, not more: signs in the
 * text are escaped, so nobody is mentioned by accident.
 */
export function htmlToMarkdown(
  html: string,
  options: HtmlToMarkdownOptions = {},
): string {
  const plain = plainParagraphs(html);
  if (plain)
    return plain.map((text) => paragraph([text], options)).join("\n\n");
  return blocksOf(cleanToTree(html), 0, options).join("\n\n");
}

const PLAIN_PARAGRAPH = String.raw`<p>[\p{L}\p{N}.,;:!?'"()*_#@/+-]+(?: [\p{L}\p{N}.,;:!?'"()*_#@/+-]+)*</p>`;
const PLAIN = new RegExp(`^(?:${PLAIN_PARAGRAPH})+$`, "u");

/**
 * The texts of HTML that is paragraphs of words and nothing else, as most posts
 * are: there is nothing to clean, and cleaning is what takes long.
 */
export function plainParagraphs(html: string): string[] | undefined {
  return html.length <= MAX_PLAIN_LENGTH && PLAIN.test(html)
    ? html.slice("<p>".length, -"</p>".length).split("</p><p>")
    : undefined;
}

function blocksOf(
  nodes: HtmlNode[],
  depth: number,
  options: HtmlToMarkdownOptions,
): string[] {
  const blocks: string[] = [];
  let line: HtmlNode[] = [];
  const endLine = () => {
    const text = paragraph(line, options);
    if (text !== "") blocks.push(text);
    line = [];
  };
  for (const node of nodes) {
    if (typeof node === "string" || !(isBlock(node) || node.holdsBlock)) {
      line.push(node);
      continue;
    }
    endLine();
    for (const block of blockOf(node, depth, options)) blocks.push(block);
  }
  endLine();
  return blocks;
}

function paragraph(nodes: HtmlNode[], options: HtmlToMarkdownOptions): string {
  return escapeLineStarts(inlineMarkdown(nodes, options));
}

function blockOf(
  node: HtmlElement,
  depth: number,
  options: HtmlToMarkdownOptions,
): string[] {
  switch (node.name) {
    case "pre":
      return [codeBlock(node)];
    case "hr":
      return ["---"];
    case "blockquote":
      return quote(node, depth, options);
    case "ul":
    case "ol":
      return list(node, depth, options);
    case "table":
      return table(node, options);
  }
  const heading = /^h([1-6])$/.exec(node.name)?.[1];
  if (heading !== undefined && !node.holdsBlock) {
    const text = inlineMarkdown(node.children, options).replace(/\n+/g, " ");
    return text === "" ? [] : [`${"#".repeat(Number(heading))} ${text}`];
  }
  return blocksOf(node.children, depth, options);
}

function codeBlock(node: HtmlElement): string {
  const text = textOf(node).replace(/\n$/, "");
  const [only] = node.children;
  const language =
    typeof only === "object"
      ? /^language-(\S+)$/.exec(only.attributes["class"] ?? "")?.[1]
      : undefined;
  const marks = fence(text, 3);
  return `${marks}${language ?? ""}\n${text}\n${marks}`;
}

function quote(
  node: HtmlElement,
  depth: number,
  options: HtmlToMarkdownOptions,
): string[] {
  const blocks = blocksOf(node.children, depth + 1, options);
  if (depth >= MAX_DEPTH || blocks.length === 0) return blocks;
  const lines = blocks.join("\n\n").split("\n");
  return [lines.map((line) => (line === "" ? ">" : `> ${line}`)).join("\n")];
}

function list(
  node: HtmlElement,
  depth: number,
  options: HtmlToMarkdownOptions,
): string[] {
  if (depth >= MAX_DEPTH) return blocksOf(node.children, depth, options);
  const items: string[] = [];
  let number = Math.max(0, Number(node.attributes["start"] ?? 1));
  for (const child of node.children) {
    if (typeof child === "string" && child.trim() === "") continue;
    const isItem = typeof child === "object" && child.name === "li";
    const content = isItem ? child.children : [child];
    const mark = node.name === "ol" ? `${String(number)}. ` : "- ";
    const text = itemText(blocksOf(content, depth + 1, options));
    items.push(
      mark + text.replace(/\n(?=[^\n])/g, `\n${" ".repeat(mark.length)}`),
    );
    number += 1;
  }
  return items.length === 0 ? [] : [items.join("\n")];
}

/** A list right below a line stays tight; other blocks stand apart. */
function itemText(blocks: string[]): string {
  return blocks.reduce((text, block, i) => {
    if (i === 0) return block;
    return `${text}${/^(?:- |\d+\. )/.test(block) ? "\n" : "\n\n"}${block}`;
  }, "");
}

function table(node: HtmlElement, options: HtmlToMarkdownOptions): string[] {
  const rows: string[][] = [];
  const captions: string[] = [];
  const cellText = (cell: HtmlElement) =>
    blocksOf(cell.children, MAX_DEPTH, options)
      .join(" ")
      .replace(/\n+/g, " ")
      .replaceAll("|", "\\|");
  const walk = (element: HtmlElement, row: string[] | undefined): void => {
    for (const child of element.children) {
      if (typeof child === "string") continue;
      if (child.name === "tr") {
        const cells: string[] = [];
        rows.push(cells);
        walk(child, cells);
      } else if (child.name === "caption") captions.push(cellText(child));
      else if (row) row.push(cellText(child));
      else walk(child, undefined);
    }
  };
  walk(node, undefined);
  const [head, ...rest] = rows.map((cells) => `| ${cells.join(" | ")} |`);
  if (head === undefined) return captions;
  const line = `|${" --- |".repeat(Math.max(1, rows[0]?.length ?? 1))}`;
  return [...captions, [head, line, ...rest].join("\n")];
}
