import type { Element, ElementContent } from "hast";
import type { BlockContent, List, ListItem, Paragraph, Table } from "mdast";
import { isBlock } from "../html/html-cleaner-nesting.ts";
import { textOf } from "../html/html-cleaner-write.ts";
import { collectLeaves, takeLetters } from "./markdown-from-html-leaves.ts";
import type {
  Budget,
  HtmlToMarkdownOptions,
} from "./markdown-from-html-leaves.ts";
import { toParagraphs } from "./markdown-from-html-lines.ts";
import { withoutEnd } from "../lines.ts";

/** Deeper quotes and lists are flattened: each level prefixes every line. */
const MAX_DEPTH = 8;
/** Cells of all rows together, filled up. A larger table is written as lines. */
const MAX_CELLS = 2000;
/** The largest number of a list item in Markdown. */
const MAX_NUMBER = 999_999_999;

/** The separator between two blocks. */
const BLOCK_LENGTH = 2;

export type BlockContext = {
  readonly options: HtmlToMarkdownOptions;
  readonly budget: Budget;
};

/** Converts cleaned HTML to a tree of Markdown. */
export function toBlocks(
  b: BlockContext,
  nodes: readonly ElementContent[],
  depth = 0,
): BlockContent[] {
  const blocks: BlockContent[] = [];
  let line: ElementContent[] = [];
  const endLine = () => {
    blocks.push(...toLines(b, line));
    line = [];
  };
  for (const node of nodes) {
    if (b.budget.letters <= 0) break;
    if (node.type !== "element" || !isOrHoldsBlock(node)) {
      line.push(node);
      continue;
    }
    endLine();
    b.budget.elements -= 1;
    b.budget.letters -= BLOCK_LENGTH;
    for (const block of toBlock(b, node, depth)) blocks.push(block);
  }
  endLine();
  return blocks;
}

/** Is it a block (paragraph, list, table …), or does it contain one? */
function isOrHoldsBlock(node: ElementContent): boolean {
  return isBlock(node) || holdsBlock(node);
}

function holdsBlock(node: ElementContent): boolean {
  return node.type === "element" && node.children.some(isOrHoldsBlock);
}

function toLines(
  b: BlockContext,
  nodes: readonly ElementContent[],
): Paragraph[] {
  if (nodes.length === 0) return [];
  const leaves = collectLeaves(nodes, b.options, b.budget);
  return toParagraphs(leaves, "paragraphs").map((children) => ({
    type: "paragraph",
    children,
  }));
}

function toBlock(
  b: BlockContext,
  node: Element,
  depth: number,
): BlockContent[] {
  if (b.budget.elements <= 0 && node.tagName !== "pre")
    return toBlocks(b, node.children, depth);
  switch (node.tagName) {
    case "pre":
      return [toCode(b, node)];
    case "hr":
      return [{ type: "thematicBreak" }];
    case "blockquote": {
      const children = toBlocks(b, node.children, depth + 1);
      return depth >= MAX_DEPTH || children.length === 0
        ? children
        : [{ type: "blockquote", children }];
    }
    case "ul":
    case "ol":
      return toList(b, node, depth);
    case "table":
      return toTable(b, node);
  }
  const level = /^h([1-6])$/.exec(node.tagName)?.[1];
  if (level === undefined || holdsBlock(node))
    return toBlocks(b, node.children, depth);
  const [children] = toLine(b, node.children);
  const rank = Number(level) as 1 | 2 | 3 | 4 | 5 | 6;
  return children ? [{ type: "heading", depth: rank, children }] : [];
}

function toLine(
  { options, budget }: BlockContext,
  nodes: readonly ElementContent[],
) {
  return toParagraphs(collectLeaves(nodes, options, budget), "line");
}

function toCode(b: BlockContext, node: Element): BlockContent {
  const value = takeLetters(b.budget, withoutEnd(textOf(node), "\n"));
  const [only] = node.children;
  const language =
    only?.type === "element"
      ? /^language-(\S+)$/.exec(only.properties.className?.[0] ?? "")?.[1]
      : undefined;
  return { type: "code", lang: language ?? null, value };
}

function toList(b: BlockContext, node: Element, depth: number): BlockContent[] {
  if (depth >= MAX_DEPTH) return toBlocks(b, node.children, depth);
  const children: ListItem[] = [];
  for (const child of node.children) {
    if (child.type === "text" && child.value.trim() === "") continue;
    if (b.budget.letters <= 0) break;
    b.budget.elements -= 1;
    b.budget.letters -= BLOCK_LENGTH;
    const isItem = child.type === "element" && child.tagName === "li";
    const content = toBlocks(b, isItem ? child.children : [child], depth + 1);
    // A list directly after a line stays tight; other blocks are separated by an empty line.
    const spread = content.some(({ type }, i) => i > 0 && type !== "list");
    children.push({ type: "listItem", spread, children: content });
  }
  if (children.length === 0) return [];
  const ordered = node.tagName === "ol";
  const first = Number(node.properties.start ?? 1);
  const start = Math.min(Math.max(first, 0), MAX_NUMBER - children.length);
  const list: List = { type: "list", ordered, spread: false, children };
  return [ordered ? { ...list, start } : list];
}

function toTable(b: BlockContext, node: Element): BlockContent[] {
  const captions: Paragraph[] = [];
  const rows: Table["children"] = [];
  const walk = (element: Element): void => {
    for (const child of element.children) {
      if (child.type !== "element" || b.budget.letters <= 0) continue;
      b.budget.elements -= 1;
      if (child.tagName === "caption")
        captions.push(...toLines(b, child.children));
      else if (child.tagName === "tr") rows.push(toRow(b, child));
      else walk(child);
    }
  };
  walk(node);
  const width = Math.max(0, ...rows.map(({ children }) => children.length));
  if (width === 0) return captions;
  if (width * rows.length > MAX_CELLS)
    return [...captions, ...rows.flatMap((row) => rowAsLine(row))];
  return [...captions, { type: "table", children: rows }];
}

function toRow(b: BlockContext, row: Element): Table["children"][number] {
  const cells = row.children.filter((cell) => cell.type === "element");
  return {
    type: "tableRow",
    children: cells.map((cell) => {
      b.budget.elements -= 1;
      const [children = []] = toLine(b, withoutBlocks(cell.children));
      return { type: "tableCell", children };
    }),
  };
}

const SPACE: ElementContent = { type: "text", value: " " };

/** A cell cannot contain blocks: each begins after a space. */
function withoutBlocks(nodes: readonly ElementContent[]): ElementContent[] {
  return nodes.flatMap((node) => {
    if (node.type !== "element" || !isOrHoldsBlock(node)) return [node];
    return [SPACE, ...withoutBlocks(node.children), SPACE];
  });
}

function rowAsLine({ children }: Table["children"][number]): Paragraph[] {
  const content = children.flatMap((cell, i) =>
    i === 0
      ? cell.children
      : [{ type: "text" as const, value: " – " }, ...cell.children],
  );
  return content.length === 0 ? [] : [{ type: "paragraph", children: content }];
}
