import type { PhrasingContent } from "mdast";
import { emphasise } from "./markdown-from-html-emphasis.ts";
import type { Leaf, Mark } from "./markdown-from-html-leaves.ts";

/** In a `line`, as in headings and cells of tables, there are no line breaks. */
type Shape = "paragraphs" | "line";

/**
 * Converts leaves to the content of paragraphs: white space is collapsed as in a browser, and two
 * line breaks begin another paragraph.
 */
export function toParagraphs(
  leaves: readonly Leaf[],
  shape: Shape,
): PhrasingContent[][] {
  const paragraphs: Leaf[][] = [[]];
  const gap = { space: false, breaks: 0 };
  for (const leaf of leaves) {
    if (leaf.kind === "break") {
      gap.breaks += 1;
      continue;
    }
    const text = leaf.kind === "text" ? joinSpace(leaf.text) : undefined;
    if (text?.startsWith(" ") === true) gap.space = true;
    const words = text?.replace(/^ | $/g, "");
    if (words === "") continue;
    fillGap(paragraphs, gap, leaf, shape);
    const line = paragraphs.at(-1) ?? [];
    if (words === undefined) addNode(line, leaf);
    else addWords(line, words, leaf);
    gap.space = text?.endsWith(" ") === true;
    gap.breaks = 0;
  }
  return paragraphs
    .filter((line) => line.length > 0)
    .map((line) => toPhrasing(line));
}

function joinSpace(text: string): string {
  return text.replace(/[ \t\r\n]+/g, " ");
}

/** Writes the white space between two leaves, with the elements around both. */
function fillGap(
  paragraphs: Leaf[][],
  gap: { space: boolean; breaks: number },
  next: Leaf,
  shape: Shape,
): void {
  const line = paragraphs.at(-1) ?? [];
  const last = line.at(-1);
  if (last === undefined) return;
  const anchor = last.anchor === next.anchor ? next.anchor : undefined;
  if (gap.breaks > 1 && shape === "paragraphs" && anchor === undefined) {
    paragraphs.push([]);
    return;
  }
  const between = { marks: commonMarks(last.marks, next.marks), anchor };
  if (gap.breaks > 0 && shape === "paragraphs" && anchor === undefined)
    line.push({ kind: "break", ...between });
  else if (gap.space || gap.breaks > 0) addText(line, " ", between);
}

function commonMarks(
  left: readonly Mark[],
  right: readonly Mark[],
): readonly Mark[] {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length += 1;
  return left.slice(0, length);
}

/** Merge two adjacent pieces of code: their markers would run together. */
function addNode(line: Leaf[], leaf: Leaf): void {
  const last = line.at(-1);
  const left = last?.kind === "node" ? last.node : undefined;
  const right = leaf.kind === "node" ? leaf.node : undefined;
  if (
    last &&
    left?.type === "inlineCode" &&
    right?.type === "inlineCode" &&
    last.anchor === leaf.anchor
  ) {
    const node = { ...left, value: left.value + right.value };
    line[line.length - 1] = { ...last, kind: "node", node };
  } else line.push(leaf);
}

/** Emphasis must touch the words: any other white space is moved outside as well. */
function addWords(line: Leaf[], words: string, leaf: Leaf): void {
  const inner = leaf.marks.length > 0 ? words.trim() : words;
  const start = inner === "" ? 0 : words.indexOf(inner);
  const outside = { ...leaf, marks: [] };
  addText(line, words.slice(0, start), outside);
  addText(line, inner, leaf);
  addText(line, words.slice(start + inner.length), outside);
}

function addText(
  line: Leaf[],
  text: string,
  { marks, anchor }: Pick<Leaf, "marks" | "anchor">,
): void {
  if (text === "") return;
  const last = line.at(-1);
  if (
    last?.kind === "text" &&
    last.anchor === anchor &&
    last.marks.length === marks.length &&
    last.marks.every((mark, i) => mark === marks[i])
  )
    line[line.length - 1] = { ...last, text: last.text + text };
  else line.push({ kind: "text", text, marks, anchor });
}

/** Nests links outermost, so that each stays one, with emphasis inside and between them. */
function toPhrasing(line: readonly Leaf[]): PhrasingContent[] {
  const content: PhrasingContent[] = [];
  let at = 0;
  while (at < line.length) {
    const anchor = line[at]?.anchor;
    const end = line.findIndex((leaf, i) => i > at && leaf.anchor !== anchor);
    const group = line.slice(at, end === -1 ? line.length : end);
    const isLast = end === -1;
    if (anchor === undefined) {
      const edges = [at === 0 ? " " : ")", isLast ? " " : "["] as const;
      content.push(...emphasise(group, edges));
    } else {
      const children = emphasise(group, ["[", "]"]);
      // A label cannot contain links, which these are written as.
      content.push({ type: "link", url: anchor.url, children } as never);
    }
    at += group.length;
  }
  return content;
}
