import type { PhrasingContent } from "mdast";
import type { Leaf, Mark } from "./markdown-from-html-leaves.ts";

type Marks = readonly Mark[];
/** A leaf and the emphasis that it can have, from the outside in. */
type Emphasised = { readonly leaf: Leaf; readonly marks: Marks };

/**
 * Nests leaves in emphasis that Markdown can write. No marker can close between a punctuation mark
 * and a letter (`**日本語。**次`), so the mark moves out; nor can two kinds of emphasis be adjacent, and
 * the first one stays.
 * @param edges the characters before and after, a blank for none
 */
export function emphasise(
  leaves: readonly Leaf[],
  edges: readonly [before: string, after: string],
): PhrasingContent[] {
  if (leaves.every(({ marks }) => marks.length === 0))
    return leaves.map((leaf) => toNode(leaf));
  const chosen = freeBreaks(chooseMarks(leaves));
  const marked = trimMarks(thinMarks(chosen, edges), edges);
  return nest(joinTexts(untangle(freeBreaks(marked))));
}

const SIGNS: Readonly<Record<Mark, string>> = {
  strong: "*",
  emphasis: "*",
  delete: "~",
};

/** Keeps marks that stay open; drops those that would have to be closed and opened again. */
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

/** A line break neither begins nor ends emphasis: it has the marks that span it. */
function freeBreaks(items: readonly Emphasised[]): Emphasised[] {
  const before = marksOfTexts(items);
  const after = marksOfTexts(items.toReversed()).reverse();
  return items.map(({ leaf, marks }, i) =>
    leaf.kind === "break"
      ? { leaf, marks: common(before[i] ?? [], after[i] ?? []) }
      : { leaf, marks },
  );
}

/** For each item, the marks of the last item up to it that is not a line break. */
function marksOfTexts(items: readonly Emphasised[]): Marks[] {
  let last: Marks = [];
  return items.map(({ leaf, marks }) => {
    if (leaf.kind !== "break") last = marks;
    return last;
  });
}

// White space as CommonMark defines it, unlike JavaScript.
const SPACE = String.raw`\t-\r \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000`;
const OUTER = String.raw`[${SPACE}\p{P}\p{S}]+`;
const SIGNS_BEFORE = new RegExp(`^${OUTER}`, "u");
const SPACES = new RegExp(`^[${SPACE}]+`, "u");
const IS_SPACE = new RegExp(`^[${SPACE}]$`, "u");
const IS_OUTER = new RegExp(`^${OUTER}$`, "u");

/** Next to a letter only one kind of emphasis begins or ends. */
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

/** Removes characters from the emphasis that can neither begin nor end it. */
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
    // Within other emphasis markers are adjacent to markers: only words are safe.
    const isInner = marks.length > 1;
    const isSure = (beside: string) => !isInner && isOuter(beside);
    trimmed.push(
      ...split({ leaf, marks }, [
        {
          marks: left,
          isSure: isSure(previous ? lastOf(previous.leaf) : before),
        },
        { marks: right, isSure: isSure(next ? firstOf(next.leaf) : after) },
      ]),
    );
  });
  return trimmed;
}

/** One side of a leaf. */
type Side = {
  /** The marks that continue there. */
  readonly marks: Marks;
  /** Is a marker beside a punctuation mark recognised there? */
  readonly isSure: boolean;
};

/**
 * Splits off the ends of a leaf that cannot be emphasised: white space, and signs where a marker
 * beside them is not safe.
 */
function split(
  { leaf, marks }: Emphasised,
  [left, right]: readonly [Side, Side],
): Emphasised[] {
  const opens = left.marks.length < marks.length;
  const closes = right.marks.length < marks.length;
  if ((!opens && !closes) || leaf.kind === "break") return [{ leaf, marks }];
  if (leaf.kind === "node") {
    const isWrong = (opens && !left.isSure) || (closes && !right.isSure);
    const fewer = left.marks.length < right.marks.length ? left : right;
    return [{ leaf, marks: isWrong ? fewer.marks : marks }];
  }
  const { text } = leaf;
  const start = opens ? lengthOf(left.isSure ? SPACES : SIGNS_BEFORE, text) : 0;
  const rest = text.slice(start);
  const end = closes
    ? text.length - endLength(rest, right.isSure)
    : text.length;
  return [
    { leaf: { ...leaf, text: text.slice(0, start) }, marks: left.marks },
    { leaf: { ...leaf, text: text.slice(start, end) }, marks },
    { leaf: { ...leaf, text: text.slice(end) }, marks: right.marks },
  ].filter((item) => item.leaf.text !== "");
}

function lengthOf(pattern: RegExp, text: string): number {
  return pattern.exec(text)?.[0].length ?? 0;
}

/** The length of the end that consists of white space, or of signs as well. */
function endLength(text: string, isSpaceAlone: boolean): number {
  let length = 0;
  for (const character of [...text].reverse()) {
    if (!(isSpaceAlone ? IS_SPACE : IS_OUTER).test(character)) return length;
    length += character.length;
  }
  return length;
}

/**
 * If only one end of a strong text is emphasised, the three stars are ambiguous: the outer mark
 * stays.
 */
function untangle(items: readonly Emphasised[]): readonly Emphasised[] {
  const untangled: Emphasised[] = [];
  for (let at = 0; at < items.length;) {
    const outer = items[at]?.marks[0];
    let end = at + 1;
    while (outer !== undefined && items[end]?.marks[0] === outer) end += 1;
    const run = items.slice(at, end);
    const isTangled =
      new Set(run.map(({ marks }) => marks.length)).size > 1 &&
      [run.at(0), run.at(-1)].some((item) => (item?.marks.length ?? 0) > 1);
    for (const { leaf, marks } of run)
      untangled.push({ leaf, marks: isTangled ? marks.slice(0, 1) : marks });
    at = end;
  }
  return untangled;
}

/** Joins adjacent texts: each is escaped by itself, and a name may span two of them. */
function joinTexts(items: readonly Emphasised[]): Emphasised[] {
  const joined: Emphasised[] = [];
  for (const item of items) {
    const last = joined.at(-1);
    if (
      last?.leaf.kind === "text" &&
      item.leaf.kind === "text" &&
      last.marks.length === item.marks.length &&
      common(last.marks, item.marks).length === item.marks.length
    ) {
      const text = last.leaf.text + item.leaf.text;
      joined[joined.length - 1] = { ...last, leaf: { ...last.leaf, text } };
    } else joined.push(item);
  }
  return joined;
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
