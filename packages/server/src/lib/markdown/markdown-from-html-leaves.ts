import type { Element, ElementContent } from "hast";
import type { PhrasingContent } from "mdast";
import { textOf } from "../html/html-cleaner-write.ts";
import { isHandle } from "./markdown-rules.ts";
import { foldTag, parseTag } from "./tags.ts";

/** The tags and people that an object names beside its text, whose HTML may identify them badly. */
export type Named = {
  /** Case-folded tags. */
  readonly tags: ReadonlySet<string>;
  /** The handles of people by their ids. */
  readonly people: ReadonlyMap<string, string>;
};

export type HtmlToMarkdownOptions = {
  /**
   * If given, plain text names nothing else; if not, a `#word` or `@name@host` in it has the same
   * meaning as in a local text.
   */
  readonly named?: Named | undefined;
};

export type Mark = "strong" | "emphasis" | "delete";

/** One `<a>`: leaves with the same one belong to the same link. */
export type Anchor = { readonly url: string };

/** A piece of a line without elements inside, with the elements around it. */
export type Leaf = {
  readonly marks: readonly Mark[];
  readonly anchor: Anchor | undefined;
} & (
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "break" }
  | { readonly kind: "node"; readonly node: PhrasingContent }
);

const MARKS: Readonly<Record<string, Mark>> = {
  strong: "strong",
  b: "strong",
  em: "emphasis",
  i: "emphasis",
  del: "delete",
  s: "delete",
};

/** The remaining numbers of elements and letters that may be read. */
export type Budget = { elements: number; letters: number };

/** The part of a text that may still be read. */
export function takeLetters(budget: Budget, text: string): string {
  const taken = text.slice(0, Math.max(0, budget.letters)).toWellFormed();
  budget.letters -= text.length;
  return taken;
}

type Collector = {
  readonly options: HtmlToMarkdownOptions;
  readonly budget: Budget;
  readonly leaves: Leaf[];
};
type Place = Pick<Leaf, "marks" | "anchor">;

const MENTION_SIGN = /[@!]$/;

/** The leaves of inline elements, from left to right. */
export function collectLeaves(
  nodes: readonly ElementContent[],
  options: HtmlToMarkdownOptions,
  budget: Budget,
): Leaf[] {
  const collector = { options, budget, leaves: [] };
  collect(collector, nodes, { marks: [], anchor: undefined });
  return collector.leaves;
}

function collect(
  c: Collector,
  nodes: readonly ElementContent[],
  place: Place,
): void {
  for (const node of nodes) {
    if (c.budget.letters <= 0) return;
    if (node.type === "text") addText(c, node.value, place);
    if (node.type !== "element") continue;
    if (c.budget.elements <= 0) addText(c, textOf(node), place);
    else addElement(c, node, place);
  }
}

function addText(c: Collector, whole: string, place: Place): void {
  const text = takeLetters(c.budget, whole);
  c.leaves.push({ kind: "text", text, ...place });
}

function addNode(c: Collector, node: PhrasingContent, place: Place): void {
  c.leaves.push({ kind: "node", node, ...place });
}

function addElement(c: Collector, element: Element, place: Place): void {
  c.budget.elements -= 1;
  const { tagName: name, properties, children } = element;
  const mark = MARKS[name];
  if (mark !== undefined && !place.marks.includes(mark)) {
    collect(c, children, { ...place, marks: [...place.marks, mark] });
    return;
  }
  switch (name) {
    case "br":
      c.budget.letters -= 1;
      c.leaves.push({ kind: "break", ...place });
      return;
    case "code":
      addCode(c, textOf(element), place);
      return;
    case "img": {
      const { src = "", alt = "" } = properties;
      c.budget.letters -= alt.length + src.length;
      addNode(c, { type: "image", url: src, alt }, place);
      return;
    }
    case "a":
      addLink(c, element, place);
      return;
    case "rp":
      return;
    case "rt":
      addText(c, " (", place);
      collect(c, children, place);
      addText(c, ")", place);
      return;
    default:
      collect(c, children, place);
  }
}

function addCode(c: Collector, raw: string, place: Place): void {
  const value = raw.replace(/\s+/g, " ");
  if (value.trim() === "") {
    addText(c, value, place);
    return;
  }
  const shown = takeLetters(c.budget, value);
  addNode(c, { type: "inlineCode", value: shown }, place);
}

function addLink(c: Collector, element: Element, place: Place): void {
  const url = element.properties.href ?? "";
  const text = textOf(element).replace(/\s+/g, " ").trim();
  const known = readTagLink(c, element, url, text) ?? readAddress(url, text);
  c.budget.letters -= url.length;
  if (known === undefined) {
    collect(c, element.children, { ...place, anchor: { url } });
    return;
  }
  // A tag is recognised only after white space.
  const marks = known.type === "hashtag" ? [] : place.marks;
  addNode(c, known, { ...place, marks });
}

/** A mention or a tag. Friendica and Hubzilla write its sign in front of the link. */
function readTagLink(
  c: Collector,
  element: Element,
  url: string,
  text: string,
): PhrasingContent | undefined {
  const { className: classes = [], rel: relations = [] } = element.properties;
  const { named } = c.options;
  const name = text.replace(/^#/, "");
  const isTag =
    classes.includes("hashtag") ||
    relations.includes("tag") ||
    named?.tags.has(foldTag(name)) === true;
  if (isTag && parseTag(name) !== undefined && !name.startsWith("#"))
    return text.startsWith("#") || takeSign(c, /#$/)
      ? { type: "hashtag", value: name, url }
      : undefined;
  const known = named?.people.get(url);
  if (isTag || (known === undefined && !classes.includes("mention")))
    return undefined;
  const handle = known ?? handleOf(url, text, named);
  if (!isHandle(handle)) return undefined;
  if (!/^[@!]/.test(text)) takeSign(c, MENTION_SIGN);
  return { type: "mention", handle, url };
}

/** Removes a sign from the end of the preceding text. @returns whether it was there */
function takeSign(c: Collector, sign: RegExp): boolean {
  const last = c.leaves.at(-1);
  if (last?.kind !== "text" || !sign.test(last.text)) return false;
  c.leaves[c.leaves.length - 1] = { ...last, text: last.text.slice(0, -1) };
  return true;
}

/** `@bob` alone is ambiguous on other servers: the object, or the host of the link, tells more. */
function handleOf(url: string, text: string, named: Named | undefined): string {
  const name = text.replace(/^[@!]/, "");
  if (name.includes("@")) return name;
  const start = `${name.toLowerCase()}@`;
  const known = named?.people.values().find((one) => one.startsWith(start));
  return known ?? `${name}@${URL.parse(url)?.host ?? ""}`;
}

/** A link that shows only its target. */
function readAddress(url: string, text: string): PhrasingContent | undefined {
  const isMailbox = url === `mailto:${text}`;
  return text === url || isMailbox
    ? { type: "address", url, value: text }
    : undefined;
}
