import { escapeHtml } from "./html-cleaner.ts";

/** Longer input is cut off: no text within our limit has as much markup. */
const MAX_LENGTH = 400_000;
/** Deeper tags are left out, their contents stay. */
const MAX_DEPTH = 40;
const MAX_PICTURES = 64;

/**
 * One tag. Values have no brackets in them, so that a text of opening brackets is read in linear
 * time.
 */
const TAG = /\[(\/?)([a-z][a-z0-9-]*|\*)((?:=|\s)[^\][\n]{0,2000})?\]/gi;

const ELEMENTS: Readonly<Record<string, string>> = {
  ...{ b: "strong", i: "em", s: "del", quote: "blockquote" },
  ...{ ul: "ul", ol: "ol", li: "li", list: "ul" },
  ...{ h1: "h1", h2: "h2", h3: "h3", h4: "h4", h5: "h5", h6: "h6" },
};

/** Tags that say nothing here: what is in them stays. */
const LEFT_OUT = new Set([
  ...["u", "o", "color", "size", "font", "center", "style", "class", "small"],
  ...["spoiler", "abstract", "dl", "dt", "dd", "table", "tr", "th", "td"],
  ...["big", "sub", "sup", "mark", "emoji", "*"],
]);

/** Tags whose contents are no markup. */
const RAW = new Set([
  ...["code", "pre", "nobb", "noparse", "img", "zmg", "video", "audio"],
  ...["youtube", "vimeo", "embed", "iframe", "map", "mail", "share"],
]);

export type BbcodePicture = { readonly url: string; readonly text: string };

export type FromBbcode = {
  /** Has links to nothing but http addresses. It is not cleaned. */
  readonly html: string;
  /** Pictures in the order of the text, which does not show them. */
  readonly pictures: readonly BbcodePicture[];
  /** Texts of others that it shares (`[share]`) are not in it. */
  readonly shares: boolean;
};

type State = {
  readonly text: string;
  readonly lower: string;
  readonly open: { readonly tag: string; readonly element: string }[];
  readonly pictures: BbcodePicture[];
  /** Tags that no later closing tag ends: it is searched for once. */
  readonly endless: Set<string>;
  html: string;
  shares: boolean;
};

/**
 * Translates BBCode as Friendica writes it. Tags that are not closed end with the tag around them,
 * closing tags of nothing and unknown tags stay as text.
 * @see Friendica, `doc/BBCode.md`
 */
export function htmlFromBbcode(given: string): FromBbcode {
  const text = given.slice(0, MAX_LENGTH);
  const state: State = {
    ...{ text, lower: text.toLowerCase(), open: [], pictures: [] },
    endless: new Set(),
    ...{ html: "", shares: false },
  };
  let at = 0;
  TAG.lastIndex = 0;
  for (let found = TAG.exec(text); found; found = TAG.exec(text)) {
    write(state, text.slice(at, found.index));
    at = take(state, found);
    TAG.lastIndex = at;
  }
  write(state, text.slice(at));
  close(state, 0);
  const { html, pictures, shares } = state;
  return { html, pictures, shares };
}

/** @returns where the rest begins */
function take(state: State, found: RegExpExecArray): number {
  const [whole, slash = "", name = "", rest = ""] = found;
  const tag = name.toLowerCase();
  const after = found.index + whole.length;
  if (slash !== "") closeTag(state, tag, whole);
  else if (RAW.has(tag) || (tag === "url" && rest === ""))
    return takeRaw(state, { tag, rest, whole, after });
  else if (tag === "url" || tag === "bookmark" || tag === "attachment")
    openLink(state, tag, rest);
  else if (tag === "hr") state.html += "<hr>";
  else if (tag in ELEMENTS) openTag(state, tag, rest);
  else if (!LEFT_OUT.has(tag)) write(state, whole);
  return after;
}

function write(state: State, text: string): void {
  state.html += escapeHtml(text).replaceAll("\n", "<br>");
}

function openTag(state: State, tag: string, rest: string): void {
  if (state.open.length >= MAX_DEPTH) return;
  const element =
    tag === "list" && /^=[1ia]/i.test(rest) ? "ol" : (ELEMENTS[tag] ?? "");
  state.open.push({ tag, element });
  state.html += `<${element}>`;
}

function closeTag(state: State, tag: string, whole: string): void {
  const at = state.open.findLastIndex((it) => it.tag === tag);
  if (at >= 0) close(state, at);
  else if (!LEFT_OUT.has(tag) && !(tag in ELEMENTS) && !LINKS.has(tag))
    write(state, whole);
}

const LINKS = new Set(["url", "bookmark", "attachment"]);

/** Closes all tags from this one on. */
function close(state: State, from: number): void {
  for (const { element } of state.open.splice(from).toReversed())
    state.html += `</${element}>`;
}

function openLink(state: State, tag: string, rest: string): void {
  const named = /\surl=(?:'([^']*)'|"([^"]*)")/i.exec(rest);
  const url = httpUrl(named?.[1] ?? named?.[2] ?? rest.slice(1));
  if (url === undefined || state.open.length >= MAX_DEPTH) return;
  state.open.push({ tag, element: "a" });
  state.html += `<a href="${escapeHtml(url)}">`;
}

type RawTag = {
  readonly tag: string;
  readonly rest: string;
  readonly whole: string;
  readonly after: number;
};

function takeRaw(state: State, raw: RawTag): number {
  const { tag, whole, after } = raw;
  const ending = `[/${tag}]`;
  const end = state.endless.has(tag) ? -1 : state.lower.indexOf(ending, after);
  if (end < 0) {
    state.endless.add(tag);
    write(state, whole);
    return after;
  }
  writeRaw(state, raw, state.text.slice(after, end));
  return end + ending.length;
}

function writeRaw(state: State, { tag, rest }: RawTag, inner: string): void {
  const given = rest.slice(1).trim();
  switch (tag) {
    case "code":
    case "pre":
      state.html += inner.includes("\n")
        ? `<pre><code>${escapeHtml(inner.trim())}</code></pre>`
        : `<code>${escapeHtml(inner)}</code>`;
      return;
    case "img":
    case "zmg":
      return takePicture(state, given, inner.trim());
    case "share":
      state.shares = true;
      return;
    case "nobb":
    case "noparse":
    case "map":
    case "mail":
      return write(state, inner);
    default:
      return writeAddress(state, inner.trim());
  }
}

/** `[img]address[/img]`, `[img=address]description[/img]` and `[img=100x80]address[/img]`. */
function takePicture(state: State, given: string, inner: string): void {
  const named = httpUrl(given);
  const url = named ?? httpUrl(inner);
  if (url === undefined || state.pictures.length >= MAX_PICTURES) return;
  state.pictures.push({ url, text: named === undefined ? "" : inner });
}

function writeAddress(state: State, address: string): void {
  const url = httpUrl(address);
  const shown = escapeHtml(address);
  state.html +=
    url === undefined ? shown : `<a href="${escapeHtml(url)}">${shown}</a>`;
}

function httpUrl(text: string): string | undefined {
  const given = text.trim().replaceAll(/^["']|["']$/g, "");
  const url = /^https?:\/\//i.test(given) ? URL.parse(given) : null;
  return url?.href;
}
