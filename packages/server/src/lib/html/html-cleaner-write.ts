import { withoutEnd } from "../markdown/lines.ts";
import { isBlock, VOID } from "./html-cleaner-tree.ts";
import type { HtmlElement, HtmlNode } from "./html-cleaner-tree.ts";

/** Escapes text for use in HTML, between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? "");
}

const ESCAPES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Between tags quotes mean nothing, and peers compare texts. */
function escapeText(text: string): string {
  return text.replace(/[&<>]/g, (character) => ESCAPES[character] ?? "");
}

/** Writes a tree as HTML, everything escaped. */
export function treeToHtml(nodes: HtmlNode[]): string {
  const out: string[] = [];
  const write = (node: HtmlNode): void => {
    if (typeof node === "string") {
      out.push(escapeText(node));
      return;
    }
    out.push("<", node.name);
    for (const [name, value] of Object.entries(node.attributes)) {
      out.push(" ", name, '="', escapeHtml(value), '"');
    }
    out.push(">");
    if (VOID.has(node.name)) return;
    const [first] = node.children;
    const swallowed = typeof first === "string" && first.startsWith("\n");
    if (node.name === "pre" && swallowed) out.push("\n");
    for (const child of node.children) write(child);
    out.push("</", node.name, ">");
  };
  for (const node of nodes) write(node);
  return out.join("");
}

type TextWriter = {
  out: string[];
  breaks: number;
  space: boolean;
  items: number;
};

/** Writes a tree as readable text, as `htmlToText` promises it. */
export function treeToText(nodes: HtmlNode[]): string {
  const writer: TextWriter = { out: [], breaks: 0, space: false, items: 0 };
  for (const node of nodes) writeText(writer, node, "");
  return writer.out.join("");
}

function writeText(w: TextWriter, node: HtmlNode, item: string): void {
  if (typeof node === "string") {
    putText(w, node);
    return;
  }
  if (node.name === "br") w.breaks = Math.min(w.breaks + 1, 2);
  else if (node.name === "img") putText(w, node.attributes["alt"] ?? "");
  else if (node.name === "pre") putLines(w, textOf(node));
  else if (isBlock(node)) writeBlock(w, node, item);
  else for (const child of node.children) writeText(w, child, "");
}

function writeBlock(w: TextWriter, node: HtmlElement, item: string): void {
  const isCell = node.name === "td" || node.name === "th";
  const gap = isCell ? 0 : gapAround(w, node.name);
  w.breaks = Math.max(w.breaks, gap);
  if (item !== "") {
    putText(w, item);
    w.space = true;
  }
  if (node.name === "li") w.items += 1;
  let number = Number(node.attributes["start"] ?? 1);
  for (const child of node.children) {
    let mark = "";
    if (typeof child === "object" && child.name === "li") {
      mark = node.name === "ol" ? `${String(number)}.` : "-";
      number += 1;
    }
    writeText(w, child, mark);
  }
  if (node.name === "li") w.items -= 1;
  if (isCell) w.space = true;
  else w.breaks = Math.max(w.breaks, gap);
}

function gapAround(w: TextWriter, name: string): number {
  if (name === "li" || name === "tr") return 1;
  const nestedList = w.items > 0 && (name === "ul" || name === "ol");
  return nestedList ? 1 : 2;
}

function putText(w: TextWriter, raw: string): void {
  const text = raw.replace(/[ \t\r\n]+/g, " ");
  const words = text.trim();
  if (text.startsWith(" ")) w.space = true;
  if (words === "") return;
  if (w.out.length > 0) {
    if (w.breaks > 0) w.out.push("\n".repeat(w.breaks));
    else if (w.space) w.out.push(" ");
  }
  w.out.push(words);
  w.breaks = 0;
  w.space = text.endsWith(" ");
}

function putLines(w: TextWriter, text: string): void {
  const lines = withoutEnd(text, "\n");
  if (lines === "") return;
  if (w.out.length > 0) w.out.push("\n\n");
  w.out.push(lines);
  w.breaks = 2;
}

/** All text inside an element, as it stands; `<br>` as a line break. */
export function textOf(element: HtmlElement): string {
  const out: string[] = [];
  const walk = (node: HtmlNode): void => {
    if (typeof node === "string") out.push(node);
    else if (node.name === "br") out.push("\n");
    else for (const child of node.children) walk(child);
  };
  walk(element);
  return out.join("");
}
