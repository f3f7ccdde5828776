import type { Element, ElementContent, Properties, RootContent } from "hast";
import {
  keepProperties,
  LINE_MARK,
  MAX_DEPTH,
  renameTag,
} from "./html-cleaner-rules.ts";

const BLOCKS = new Set([
  ...["p", "blockquote", "pre", "ul", "ol", "li", "hr", "table"],
  ...["h1", "h2", "h3", "h4", "h5", "h6", "caption", "tr", "td", "th"],
  ...["thead", "tbody", "tfoot"],
]);
/** Elements without content and without an end tag. */
export const VOID = new Set(["br", "hr", "img"]);
const ROWS = new Set(["table", "thead", "tbody", "tfoot"]);
// The parents that each of these may have; under any other only its content is kept.
const PARENTS: Record<string, Set<string>> = {
  caption: new Set(["table"]),
  thead: new Set(["table"]),
  tbody: new Set(["table"]),
  tfoot: new Set(["table"]),
  tr: ROWS,
  td: new Set(["tr"]),
  th: new Set(["tr"]),
  li: new Set(["ul", "ol"]),
  rt: new Set(["ruby"]),
  rp: new Set(["ruby"]),
};
const HEADING = /^h[1-6]$/;

/** Where an element or text is placed. */
type Place = {
  readonly parent: Element;
  readonly depth: number;
  readonly isInLink: boolean;
  readonly isInParagraph: boolean;
};
type Line = { isDue: boolean };

/** Is an element a block, so that it ends the line before it? */
export function isBlock(node: ElementContent | undefined): boolean {
  return node?.type === "element" && BLOCKS.has(node.tagName);
}

/**
 * Arranges allowed elements so that a browser leaves each in its place (mutation XSS): after
 * elements are removed, a paragraph or a link may be inside another one, and an item outside a
 * list. The content of an element that cannot stay in its place remains. A removed block ends a
 * line.
 */
export function arrange(nodes: readonly RootContent[]): ElementContent[] {
  const parent = newElement("", {});
  const top = { parent, depth: 0, isInLink: false, isInParagraph: false };
  placeAll({ isDue: false }, nodes, top);
  return parent.children;
}

function newElement(tagName: string, properties: Properties): Element {
  return { type: "element", tagName, properties, children: [] };
}

function placeAll(
  line: Line,
  nodes: readonly RootContent[],
  place: Place,
): void {
  for (const node of nodes) {
    if (node.type === "text") addText(line, node.value, place.parent);
    else if (node.type === "element") placeElement(line, node, place);
  }
}

function placeElement(line: Line, given: Element, place: Place): void {
  const name = renameTag(given.tagName);
  const properties = keepProperties(name, given.properties);
  if (name === "img" && properties.src === undefined) {
    addText(line, properties.alt ?? "", place.parent);
    return;
  }
  if (!fits(name, properties, place)) {
    const endsLine = name === LINE_MARK || BLOCKS.has(name);
    if (endsLine) line.isDue = true;
    placeAll(line, given.children, place);
    if (endsLine) line.isDue = true;
    return;
  }
  const element = newElement(name, properties);
  append(line, element, place.parent);
  placeAll(line, given.children, {
    parent: element,
    depth: place.depth + 1,
    isInLink: place.isInLink || name === "a",
    isInParagraph: place.isInParagraph || name === "p",
  });
}

function fits(
  name: string,
  properties: Properties,
  { parent, depth, isInLink, isInParagraph }: Place,
): boolean {
  if (name === LINE_MARK) return false;
  if (depth >= MAX_DEPTH && !VOID.has(name)) return false;
  const parents = PARENTS[name];
  if (parents) return parents.has(parent.tagName);
  if (name === "a") return properties.href !== undefined && !isInLink;
  if (HEADING.test(name) && HEADING.test(parent.tagName)) return false;
  return !(isInParagraph && BLOCKS.has(name));
}

function addText(line: Line, raw: string, parent: Element): void {
  const text = raw.replace(/[^\P{Cc}\t\n]/gu, "");
  const isSpace = text.trim() === "";
  if (text === "" || (isSpace && line.isDue) || isGrid(parent)) return;
  if (line.isDue) breakLine(line, parent);
  const last = parent.children.at(-1);
  if (last?.type === "text") last.value += text;
  else parent.children.push({ type: "text", value: text });
}

/**
 * Between the cells of a table there are only parts of the table: the parser has moved everything
 * else out.
 */
function isGrid({ tagName }: Element): boolean {
  return ROWS.has(tagName) || tagName === "tr";
}

function append(line: Line, element: Element, parent: Element): void {
  if (isGrid(parent) && PARENTS[element.tagName] === undefined) return;
  if (isBlock(element)) line.isDue = false;
  else if (line.isDue) breakLine(line, parent);
  parent.children.push(element);
}

function breakLine(line: Line, parent: Element): void {
  line.isDue = false;
  const last = parent.children.at(-1);
  if (last === undefined || isBlock(last)) return;
  if (last.type === "element" && last.tagName === "br") return;
  parent.children.push(newElement("br", {}));
}
