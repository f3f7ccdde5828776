/** An element of cleaned HTML. */
export type HtmlElement = {
  name: string;
  attributes: Record<string, string>;
  children: HtmlNode[];
  /** A block (paragraph, list, table …) stands somewhere inside. */
  holdsBlock: boolean;
};

/** Text, unescaped, or an element. */
export type HtmlNode = string | HtmlElement;

/** The mark that cleaning leaves of elements that only begin a new line. */
export const LINE_MARK = "div";

const BLOCKS = new Set([
  ...["p", "blockquote", "pre", "ul", "ol", "li", "hr", "table"],
  ...["h1", "h2", "h3", "h4", "h5", "h6", "caption", "tr", "td", "th"],
  ...["thead", "tbody", "tfoot"],
]);
/** Elements without content and without an end tag. */
export const VOID = new Set(["br", "hr", "img"]);
const CELLS = new Set(["td", "th", "caption"]);
const ROWS = new Set(["table", "thead", "tbody", "tfoot"]);
// Where each of these may stand; elsewhere only its content is kept.
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
const TOKEN = /<(\/?)([a-z][a-z0-9]*)((?: [a-z]+(?:="[^"]*")?)*)(?: \/)?>/y;
const ATTRIBUTE = / ([a-z]+)(?:="([^"]*)")?/g;

/** An open tag; a transparent one lends its parent's element. */
type Open = { name: string; element: HtmlElement; transparent: boolean };
type Builder = { open: Open[]; top: Open; lineDue: boolean };

/** Whether an element is a block, so that it ends the line before it. */
export function isBlock(node: HtmlNode | undefined): boolean {
  return typeof node === "object" && BLOCKS.has(node.name);
}

/**
 * Builds the tree that a browser builds of the same HTML, for the few elements
 * that are allowed: no block inside a paragraph, no link inside a link, parts
 * of tables and lists only in their places. So what was checked here is what a
 * browser shows, and it has nothing to move about (mutation XSS).
 * @param html as sanitize-html writes it: regular tags, everything escaped
 */
export function buildTree(html: string): HtmlNode[] {
  const top = { name: "", element: newElement("", {}), transparent: false };
  const builder: Builder = { open: [top], top, lineDue: false };
  let at = 0;
  while (at < html.length) {
    TOKEN.lastIndex = at;
    const tag = html[at] === "<" ? TOKEN.exec(html) : null;
    if (tag) {
      at = TOKEN.lastIndex;
      const name = tag[2] ?? "";
      if (tag[1] === "/") closeTag(builder, name);
      else openTag(builder, name, readAttributes(tag[3] ?? ""));
      continue;
    }
    const next = html.indexOf("<", at + 1);
    const end = next === -1 ? html.length : next;
    addText(builder, unescape(html.slice(at, end)));
    at = end;
  }
  return top.element.children;
}

function newElement(
  name: string,
  attributes: Record<string, string>,
): HtmlElement {
  return { name, attributes, children: [], holdsBlock: false };
}

function readAttributes(text: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name, value] of text.matchAll(ATTRIBUTE)) {
    attributes[name ?? ""] = unescape(value ?? "");
  }
  return attributes;
}

const ENTITIES: Record<string, string> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
};

function unescape(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot);/g, (e) => ENTITIES[e] ?? e);
}

function parentElement(b: Builder): HtmlElement {
  return b.open.at(-1)?.element ?? b.top.element;
}

function openTag(
  b: Builder,
  name: string,
  attributes: Record<string, string>,
): void {
  if (name === LINE_MARK) {
    closeInScope(b, (open) => open === "p");
    openTransparent(b, name);
    return;
  }
  if (name === "img" && attributes["src"] === undefined) {
    addText(b, attributes["alt"] ?? "");
    return;
  }
  makeRoom(b, name);
  if (!fits(b, name, attributes)) {
    openTransparent(b, name);
    return;
  }
  const element = newElement(name, attributes);
  append(b, element);
  if (VOID.has(name)) return;
  b.open.push({ name, element, transparent: false });
  if (BLOCKS.has(name)) b.lineDue = false;
}

function openTransparent(b: Builder, name: string): void {
  if (name === LINE_MARK || BLOCKS.has(name)) b.lineDue = true;
  b.open.push({ name, element: parentElement(b), transparent: true });
}

/** Closes what a browser closes before it opens this element. */
function makeRoom(b: Builder, name: string): void {
  if (BLOCKS.has(name)) closeInScope(b, (open) => open === "p");
  if (HEADING.test(name)) closeInScope(b, (open) => HEADING.test(open));
  if (name === "a") closeInScope(b, (open) => open === "a");
  const inTable = ROWS.has(name) || CELLS.has(name) || name === "tr";
  if (inTable && name !== "table") makeRoomInTable(b, name);
}

function makeRoomInTable(b: Builder, name: string): void {
  const table = b.open.findLastIndex((open) => open.name === "table");
  if (table === -1) return;
  const allowed = PARENTS[name];
  while (b.open.length - 1 > table && !allowed?.has(parentElement(b).name)) {
    b.open.pop();
  }
  if ((name === "td" || name === "th") && ROWS.has(parentElement(b).name)) {
    const row = newElement("tr", {});
    append(b, row);
    b.open.push({ name: "tr", element: row, transparent: false });
  }
}

function fits(
  b: Builder,
  name: string,
  attributes: Record<string, string>,
): boolean {
  const parent = parentElement(b).name;
  const allowed = PARENTS[name];
  if (allowed) return allowed.has(parent);
  if (name === "a") {
    if (attributes["href"] === undefined) return false;
    return !b.open.some((o) => o.name === "a" && !o.transparent);
  }
  return true;
}

/** Pops to the innermost element that matches, but not out of a table cell. */
function closeInScope(b: Builder, matches: (name: string) => boolean): void {
  for (let i = b.open.length - 1; i > 0; i -= 1) {
    const open = b.open[i];
    if (!open || open.transparent) continue;
    if (CELLS.has(open.name) || open.name === "table") return;
    if (!matches(open.name)) continue;
    b.open.length = i;
    return;
  }
}

function closeTag(b: Builder, name: string): void {
  const insideTable = PARENTS[name] === undefined && name !== "table";
  for (let i = b.open.length - 1; i > 0; i -= 1) {
    const open = b.open[i];
    if (!open) return;
    if (open.name === name) {
      b.open.length = i;
      if (open.transparent && (name === LINE_MARK || BLOCKS.has(name))) {
        b.lineDue = true;
      }
      return;
    }
    if (insideTable && CELLS.has(open.name) && !open.transparent) return;
    if (open.name === "table" && !open.transparent) return;
  }
}

function addText(b: Builder, raw: string): void {
  const text = raw.replace(/[^\P{Cc}\t\n\r]/gu, "").toWellFormed();
  const parent = parentElement(b);
  const isSpace = text.trim() === "";
  if (text === "" || (isSpace && b.lineDue)) return;
  // A browser would carry text between table cells out in front of the table.
  if (ROWS.has(parent.name) || parent.name === "tr") return;
  if (b.lineDue) breakLine(b, parent);
  const last = parent.children.at(-1);
  if (typeof last === "string") {
    parent.children[parent.children.length - 1] = last + text;
  } else if (parent.name === "pre" && last === undefined) {
    // A browser swallows the first line break of a <pre>.
    parent.children.push(text.replace(/^\r?\n/, ""));
  } else {
    parent.children.push(text);
  }
}

function append(b: Builder, element: HtmlElement): void {
  const parent = parentElement(b);
  const partOfTable = PARENTS[element.name] !== undefined;
  if ((ROWS.has(parent.name) || parent.name === "tr") && !partOfTable) return;
  if (BLOCKS.has(element.name)) {
    b.lineDue = false;
    for (let i = b.open.length - 1; i >= 0; i -= 1) {
      const holder = b.open[i]?.element;
      if (!holder || holder.holdsBlock) break;
      holder.holdsBlock = true;
    }
  } else if (b.lineDue) {
    breakLine(b, parent);
  }
  parent.children.push(element);
}

function breakLine(b: Builder, parent: HtmlElement): void {
  b.lineDue = false;
  const last = parent.children.at(-1);
  if (last === undefined || isBlock(last)) return;
  if (typeof last === "object" && last.name === "br") return;
  parent.children.push(newElement("br", {}));
}
