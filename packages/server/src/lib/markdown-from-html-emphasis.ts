import type { PhrasingContent } from "mdast";
import type { Leaf, Mark } from "./markdown-from-html-leaves.ts";

type Marks = readonly Mark[];
/** A leaf and the emphasis that it can have, from the outside in. */
type Emphasised = { readonly leaf: Leaf; readonly marks: Marks };

/**
 * Nests leaves in emphasis that Markdown can write. It has no sign that ends
 * between a punctuation mark and a letter (`**日本語。**次`), so the mark moves out;
 * nor for emphasis of two kinds side by side, of which the first one stays.
 * @param edges the characters before and after, a blank for none
 */
export function emphasise(
  leaves: readonly Leaf[],
  edges: readonly [before: string, after: string],
): PhrasingContent[] {
  if (leaves.every(({ marks }) => marks.length === 0))
    return leaves.map((leaf) => toNode(leaf));
  return nest(trimMarks(thinMarks(chooseMarks(leaves), edges), edges));
}

const SIGNS: Readonly<Record<Mark, string>> = {
  strong: "*",
  emphasis: "*",
  delete: "~",
};

/** What stays open is kept; what would have to be closed and opened again is left out. */
function chooseMarks(leaves: readonly Leaf[]): Emphasised[] {
  let open: Marks = [];
  let dropped: Marks = [];
  return leaves.map((leaf) => {
    dropped = dropped.filter((mark) => leaf.marks.includes(mark));
    const wanted = leaf.marks.filter((mark) => !dropped.includes(mark));
    const ending = open.findIndex((mark) => !wanted.includes(mark));
    const kept = ending === -1 ? open : open.slice(0, ending);
    const added = wanted.filter((mark) => !kept.includes(mark));
    const closed = open.slice(kept.length).map((mark) => SIGNS[mark]);
    const opened = added.filter((mark) => !closed.includes(SIGNS[mark]));
    dropped = [...dropped, ...added.filter((mark) => !opened.includes(mark))];
    open = [...kept, ...opened];
    return { leaf, marks: open };
  });
}

// White space as CommonMark has it, which is not that of JavaScript.
const SPACE = String.raw`\t-\r \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000`;
const OUTER = String.raw`[${SPACE}\p{P}\p{S}]+`;
const HEAD = new RegExp(`^${OUTER}`, "u");
const IS_OUTER = new RegExp(`^${OUTER}$`, "u");

/** Beside a letter only one kind of emphasis begins or ends. */
function thinMarks(
  items: readonly Emphasised[],
  [before, after]: readonly [string, string],
): Emphasised[] {
  const thinned: Emphasised[] = [];
  items.forEach(({ leaf, marks }, i) => {
    const previous = thinned[i - 1];
    const next = items[i + 1];
    const left = common(previous?.marks ?? [], marks).length;
    const right = common(next?.marks ?? [], marks).length;
    let most = marks.length;
    if (!isOuter(previous ? lastOf(previous.leaf) : before))
      most = Math.min(most, left + 1);
    if (!isOuter(next ? firstOf(next.leaf) : after))
      most = Math.min(most, right + 1);
    thinned.push({ leaf, marks: marks.slice(0, most) });
  });
  return thinned;
}

/** Takes out of the emphasis what can neither begin nor end it. */
function trimMarks(
  items: readonly Emphasised[],
  [before, after]: readonly [string, string],
): Emphasised[] {
  const trimmed: Emphasised[] = [];
  items.forEach(({ leaf, marks }, i) => {
    const previous = items[i - 1];
    const next = items[i + 1];
    const left = common(previous?.marks ?? [], marks);
    const right = common(next?.marks ?? [], marks);
    // Within other emphasis signs stand beside signs: words alone are sure.
    const isInner = marks.length > 1;
    const opens =
      left.length < marks.length &&
      (isInner || !isOuter(previous ? lastOf(previous.leaf) : before));
    const closes =
      right.length < marks.length &&
      (isInner || !isOuter(next ? firstOf(next.leaf) : after));
    trimmed.push(
      ...split({ leaf, marks }, opens ? left : marks, closes ? right : marks),
    );
  });
  return trimmed;
}

/** Takes from the ends of a leaf what cannot stand there in its emphasis. */
function split(
  { leaf, marks }: Emphasised,
  left: Marks,
  right: Marks,
): Emphasised[] {
  if (left === marks && right === marks) return [{ leaf, marks }];
  if (leaf.kind === "node") {
    return [{ leaf, marks: left.length < right.length ? left : right }];
  }
  if (leaf.kind === "break") return [{ leaf, marks }];
  const { text } = leaf;
  const start = left === marks ? 0 : (HEAD.exec(text)?.[0].length ?? 0);
  const end = right === marks ? text.length : Math.max(start, endOfWords(text));
  return [
    { leaf: { ...leaf, text: text.slice(0, start) }, marks: left },
    { leaf: { ...leaf, text: text.slice(start, end) }, marks },
    { leaf: { ...leaf, text: text.slice(end) }, marks: right },
  ].filter((item) => item.leaf.text !== "");
}

function endOfWords(text: string): number {
  let end = text.length;
  for (const character of [...text].reverse()) {
    if (!isOuter(character)) return end;
    end -= character.length;
  }
  return end;
}

function common(left: Marks, right: Marks): Marks {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length += 1;
  return length === right.length ? right : right.slice(0, length);
}

function isOuter(character: string): boolean {
  return IS_OUTER.test(character);
}

function firstOf(leaf: Leaf): string {
  if (leaf.kind === "break") return " ";
  if (leaf.kind === "node") return leaf.node.type === "hashtag" ? "#" : "[";
  return String.fromCodePoint(leaf.text.codePointAt(0) ?? 32);
}

function lastOf(leaf: Leaf): string {
  if (leaf.kind === "break") return " ";
  if (leaf.kind === "node") return leaf.node.type === "hashtag" ? "x" : ")";
  return [...leaf.text.slice(-2)].at(-1) ?? " ";
}

function nest(items: readonly Emphasised[], depth = 0): PhrasingContent[] {
  const content: PhrasingContent[] = [];
  let at = 0;
  while (at < items.length) {
    const item = items[at];
    if (item === undefined) break;
    const mark = item.marks[depth];
    if (mark === undefined) {
      content.push(toNode(item.leaf));
      at += 1;
      continue;
    }
    let end = at + 1;
    while (items[end]?.marks[depth] === mark) end += 1;
    content.push({
      type: mark,
      children: nest(items.slice(at, end), depth + 1),
    });
    at = end;
  }
  return content;
}

function toNode(leaf: Leaf): PhrasingContent {
  if (leaf.kind === "break") return { type: "break" };
  return leaf.kind === "node" ? leaf.node : { type: "text", value: leaf.text };
}
