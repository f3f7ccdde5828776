import type { Element, ElementContent } from "hast";
import { withoutEnd } from "../lines.ts";
import { isBlock, VOID } from "./html-cleaner-nesting.ts";

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
export function treeToHtml(nodes: readonly ElementContent[]): string {
  const out: string[] = [];
  for (const node of nodes) writeNode(out, node);
  return out.join("");
}

function writeNode(out: string[], node: ElementContent): void {
  if (node.type === "text") out.push(escapeText(node.value));
  if (node.type !== "element") return;
  const { tagName, properties, children } = node;
  out.push("<", tagName);
  for (const name in properties) {
    const value = properties[name];
    const attribute = name === "className" ? "class" : name.toLowerCase();
    const text = Array.isArray(value) ? value.join(" ") : String(value);
    const written = value === true ? attribute : escapeHtml(text);
    out.push(" ", attribute, '="', written, '"');
  }
  out.push(">");
  if (VOID.has(tagName)) return;
  // A browser swallows the first line break of a <pre>.
  const [first] = children;
  if (tagName === "pre" && first?.type === "text" && first.value[0] === "\n")
    out.push("\n");
  for (const child of children) writeNode(out, child);
  out.push("</", tagName, ">");
}

type TextWriter = {
  out: string[];
  breaks: number;
  space: boolean;
  items: number;
};

/** Writes a tree as readable text, as documented at `htmlToText`. */
export function treeToText(nodes: readonly ElementContent[]): string {
  const writer: TextWriter = { out: [], breaks: 0, space: false, items: 0 };
  for (const node of nodes) writeText(writer, node, "");
  return writer.out.join("");
}

function writeText(w: TextWriter, node: ElementContent, item: string): void {
  if (node.type === "text") putText(w, node.value);
  if (node.type !== "element") return;
  if (node.tagName === "br") w.breaks = Math.min(w.breaks + 1, 2);
  else if (node.tagName === "img") putText(w, node.properties.alt ?? "");
  else if (node.tagName === "pre") putLines(w, textOf(node));
  else if (isBlock(node)) writeBlock(w, node, item);
  else for (const child of node.children) writeText(w, child, "");
}

function writeBlock(w: TextWriter, node: Element, item: string): void {
  const name = node.tagName;
  const isCell = name === "td" || name === "th";
  const gap = isCell ? 0 : gapAround(w, name);
  w.breaks = Math.max(w.breaks, gap);
  if (item !== "") {
    putText(w, item);
    w.space = true;
  }
  if (name === "li") w.items += 1;
  let number = Number(node.properties.start ?? 1);
  for (const child of node.children) {
    let mark = "";
    if (child.type === "element" && child.tagName === "li") {
      mark = name === "ol" ? `${number}.` : "-";
      number += 1;
    }
    writeText(w, child, mark);
  }
  if (name === "li") w.items -= 1;
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

/** All text inside an element, unchanged; `<br>` as a line break. */
export function textOf(element: Element): string {
  const out: string[] = [];
  const walk = (node: ElementContent): void => {
    if (node.type === "text") out.push(node.value);
    if (node.type !== "element") return;
    if (node.tagName === "br") out.push("\n");
    else for (const child of node.children) walk(child);
  };
  walk(element);
  return out.join("");
}
