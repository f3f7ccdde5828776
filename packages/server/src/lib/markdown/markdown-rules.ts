import type { MarkdownIt } from "markdown-it";
import { formatHandle, parseHandle } from "../handle.ts";
import { foldTag, MAX_TAG_LENGTH, TAG_CHARACTER } from "./tags.ts";

type InlineState = InstanceType<MarkdownIt["inline"]["State"]>;
type CoreState = InstanceType<MarkdownIt["core"]["State"]>;
type Token = CoreState["tokens"][number];

/** A parsed `diaspora://` link. */
export type DiasporaLink = { handle: string; type: string; guid: string };

/** Resolves the people, tags and records of a text to URLs. */
export type MarkdownContext = {
  /** The URL of a mentioned person; undefined shows the bare name. */
  mention: (
    handle: string,
    name?: string,
  ) => { href: string; label: string } | undefined;
  tagHref: (tag: string) => string;
  /** The URL of a record; without it `diaspora://` links stay text. */
  diasporaLink?: (link: DiasporaLink) => string | undefined;
};

/** The input and the results of parsing one text. */
export type Reading = {
  context: MarkdownContext | undefined;
  tags: Set<string>;
  mentions: Map<string, string | undefined>;
  links: DiasporaLink[];
  /** The target of the first link to a web page. */
  webLink: string | undefined;
};

// Both lengths are bounded, so that a long run of "@{" stays cheap.
const MENTION =
  /@\{(?:([^};\n]{1,255}); ?)?(?:acct:)?([^\s{};@]{1,255}@[^\s{};@]{1,255})\}/y;
const HANDLE_NAME = String.raw`[\p{L}\p{N}_](?:[\p{L}\p{N}_.-]{0,100}[\p{L}\p{N}_])?`;
const HOST_LABEL = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,62}[\p{L}\p{N}])?`;
/** `@name@host` and `@name@host:port` as people write it in a text. */
export const HANDLE = new RegExp(
  String.raw`(?<![\p{L}\p{N}_@/.-])@(${HANDLE_NAME}@${HOST_LABEL}(?:\.${HOST_LABEL}){0,10}(?::\d{1,5})?)(?![\p{L}\p{N}@_-])`,
  "gu",
);
const HANDLE_HERE = new RegExp(HANDLE.source, "uy");
const ONE_HANDLE = new RegExp(`^(?:${HANDLE.source})$`, "u");
const BIDI = String.raw`[\u200e\u200f\u202a-\u202e\u2066-\u2069]`;
const TAG = new RegExp(
  `#${BIDI}{0,4}(<3|${TAG_CHARACTER}{1,${MAX_TAG_LENGTH}}(?!${TAG_CHARACTER}))`,
  "uy",
);
const BEFORE_TAG = new RegExp(`(?:^|\\s)${BIDI}{0,4}$`, "u");
const DIASPORA_LINK =
  /^(?:web\+)?diaspora:\/\/([^/\s]{1,255})\/([a-z_]{1,40})\/([\w.:@-]{16,255})$/i;
const DIASPORA_PERSON = /^(?:web\+)?diaspora:\/\/([^/\s]{1,255})\/?$/i;
const AFTER_SCHEME = /^\/\/[^\s/<>()]{1,255}\/\w{1,40}\/[\w.:@-]{15,254}\w/;
const SAFE_LINK = /^(?:https?:\/\/|mailto:|(?:web\+)?diaspora:\/\/)/i;

const readings = new WeakMap<object, Reading>();

/** Passes the state to the rules through the environment of the parser. */
export function beginReading(context: MarkdownContext | undefined): {
  env: Record<string, unknown>;
  reading: Reading;
} {
  const reading: Reading = {
    context,
    tags: new Set<string>(),
    mentions: new Map<string, string | undefined>(),
    links: [],
    webLink: undefined,
  };
  const env = {};
  readings.set(env, reading);
  return { env, reading };
}

/** Parses a `diaspora://` link; without type and guid it leads to a person. */
export function parseDiasporaLink(
  text: string,
): { handle: string; type?: string; guid?: string } | undefined {
  const trimmed = text.trim();
  const [, handle, type, guid] = DIASPORA_LINK.exec(trimmed) ?? [];
  if (handle !== undefined && type !== undefined && guid !== undefined)
    return { handle: handle.toLowerCase(), type, guid };
  const person = DIASPORA_PERSON.exec(trimmed)?.[1];
  return person === undefined ? undefined : { handle: person.toLowerCase() };
}

/** Can this handle be written into a text, without its first `@`? */
export function isHandle(text: string): boolean {
  return ONE_HANDLE.test(`@${text}`);
}

/** Adds mentions, tags and `diaspora://` links to a markdown parser. */
export function addDiasporaRules(md: MarkdownIt): void {
  md.validateLink = (url) => SAFE_LINK.test(url);
  // Show links as typed: decoded punycode would allow look-alikes.
  md.normalizeLinkText = (url) => url;
  md.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
  md.linkify.add("ftp:", null).add("//", null);
  for (const scheme of ["diaspora:", "web+diaspora:"]) {
    md.linkify.add(scheme, {
      validate: (text, at) =>
        AFTER_SCHEME.exec(text.slice(at, at + 600))?.[0].length ?? 0,
    });
  }
  md.inline.ruler.after("escape", "mention", parseMention);
  md.inline.ruler.after("escape", "handle", parseWrittenHandle);
  md.inline.ruler.after("escape", "tag", parseTag);
  md.core.ruler.push("diaspora_link", resolveDiasporaLinks);
  md.core.ruler.push("web_link", findWebLink);
  md.core.ruler.push("whole_label", resolveWholeLabels);
}

function parseMention(state: InlineState, silent: boolean): boolean {
  if (state.src[state.pos] !== "@") return false;
  MENTION.lastIndex = state.pos;
  const match = MENTION.exec(state.src);
  if (!match || MENTION.lastIndex > state.posMax) return false;
  if (!silent) {
    const name = match[1]?.trim() === "" ? undefined : match[1]?.trim();
    pushMention(state, (match[2] ?? "").toLowerCase(), name);
  }
  state.pos += match[0].length;
  return true;
}

function pushMention(
  state: InlineState,
  handle: string,
  name: string | undefined,
): void {
  const reading = readings.get(state.env);
  if (reading && !reading.mentions.has(handle)) {
    reading.mentions.set(handle, name);
  }
  const person = reading?.context?.mention(handle, name);
  if (!person || state.linkLevel > 0)
    pushText(state, person ? `@${person.label}` : (name ?? handle));
  else pushTokens(state, mentionTokens(state.Token, person));
}

/** `@name@host`: a mention like the one in braces. */
function parseWrittenHandle(state: InlineState, silent: boolean): boolean {
  if (state.src[state.pos] !== "@") return false;
  HANDLE_HERE.lastIndex = state.pos;
  const match = HANDLE_HERE.exec(state.src);
  const handle = match && parseHandle(match[1] ?? "");
  if (!handle || HANDLE_HERE.lastIndex > state.posMax) return false;
  if (!silent) pushWrittenHandle(state, formatHandle(handle), match[0]);
  state.pos += match[0].length;
  return true;
}

function pushWrittenHandle(
  state: InlineState,
  handle: string,
  shown: string,
): void {
  const reading = readings.get(state.env);
  if (state.linkLevel > 0) {
    pushText(state, shown).meta = { handle, shown } satisfies WholeLabel;
    return;
  }
  if (reading && !reading.mentions.has(handle))
    reading.mentions.set(handle, undefined);
  const person = reading?.context?.mention(handle);
  if (person) pushTokens(state, mentionTokens(state.Token, person));
  else pushText(state, shown);
}

function parseTag(state: InlineState, silent: boolean): boolean {
  const { src, pos } = state;
  if (src[pos] !== "#") return false;
  const isLabel = state.linkLevel > 0 && src[pos - 1] === "[";
  if (!isLabel && !BEFORE_TAG.test(src.slice(Math.max(0, pos - 5), pos)))
    return false;
  TAG.lastIndex = pos;
  const match = TAG.exec(src);
  if (!match || TAG.lastIndex > state.posMax) return false;
  if (!silent) pushTag(state, match[1] ?? "");
  state.pos += match[0].length;
  return true;
}

function pushTag(state: InlineState, shown: string): void {
  const reading = readings.get(state.env);
  const tag = foldTag(shown);
  // Within a link the link's target counts.
  if (state.linkLevel === 0) reading?.tags.add(tag);
  if (reading?.context && state.linkLevel === 0) {
    const href = reading.context.tagHref(tag);
    pushTokens(state, tagTokens(state.Token, href, shown));
    return;
  }
  const token = pushText(state, `#${shown}`);
  if (state.linkLevel > 0)
    token.meta = { tag, shown: `#${shown}` } satisfies WholeLabel;
}

function pushTokens(state: InlineState, tokens: readonly Token[]): void {
  if (state.pending !== "") state.pushPending();
  for (const token of tokens) {
    state.tokens.push(token);
    state.tokens_meta.push(undefined);
  }
}

function pushText(state: InlineState, text: string): Token {
  const token = state.push("text", "", 0);
  token.content = text;
  return token;
}

/** The label of a link that is only a tag or a handle. */
type WholeLabel = { shown: string; tag?: string; handle?: string };

/**
 * Turns a link whose whole text is a tag or a handle into that tag or mention.
 * Texts of other servers have these where the sign alone would not be
 * recognized: `([#tag](…))`. Its target is the local page of the tag or the
 * person, so it cannot mislead.
 */
function resolveWholeLabels(state: CoreState): void {
  const reading = readings.get(state.env);
  if (!reading) return;
  for (const block of state.tokens) {
    if (!block.children?.some(({ meta }) => isWholeLabel(meta))) continue;
    block.children = block.children.flatMap((token, i, all) => {
      const label = all[i + 1];
      if (isWhole(token, label, all[i + 2]))
        return replaceLink(state, reading, token, label?.meta as WholeLabel);
      return isWhole(all[i - 1], token, all[i + 1]) ||
        isWhole(all[i - 2], all[i - 1], token)
        ? []
        : [token];
    });
  }
}

function isWholeLabel(meta: unknown): meta is WholeLabel {
  return typeof meta === "object" && meta !== null && "shown" in meta;
}

function isWhole(
  open: Token | undefined,
  label: Token | undefined,
  close: Token | undefined,
): boolean {
  return (
    open?.type === "link_open" &&
    close?.type === "link_close" &&
    label?.type === "text" &&
    isWholeLabel(label.meta) &&
    label.meta.shown === label.content
  );
}

function replaceLink(
  { Token }: CoreState,
  { context, tags, mentions }: Reading,
  open: Token,
  { shown, tag, handle }: WholeLabel,
): Token[] {
  if (tag !== undefined) {
    tags.add(tag);
    if (context) return tagTokens(Token, context.tagHref(tag), shown.slice(1));
  }
  if (handle !== undefined) {
    if (!mentions.has(handle)) mentions.set(handle, undefined);
    const person = context?.mention(handle);
    if (person) return mentionTokens(Token, person);
  }
  return [open, textToken(Token, shown), new Token("link_close", "a", -1)];
}

type TokenClass = CoreState["Token"];

function mentionTokens(
  Token: TokenClass,
  { href, label }: { href: string; label: string },
): Token[] {
  const around = new Token("mention_open", "span", 1);
  around.attrs = [["class", "h-card"]];
  const attributes: [string, string][] = [
    ["href", href],
    ["class", "u-url mention"],
  ];
  return [
    around,
    ...linkTokens(Token, attributes, "@", label),
    new Token("mention_close", "span", -1),
  ];
}

function tagTokens(Token: TokenClass, href: string, shown: string): Token[] {
  const attributes: [string, string][] = [
    ["href", href],
    ["class", "mention hashtag"],
    ["rel", "tag"],
  ];
  return linkTokens(Token, attributes, "#", shown);
}

function linkTokens(
  Token: TokenClass,
  attributes: [string, string][],
  sign: string,
  text: string,
): Token[] {
  const open = new Token("link_open", "a", 1);
  open.attrs = attributes;
  return [
    open,
    textToken(Token, sign),
    new Token("span_open", "span", 1),
    textToken(Token, text),
    new Token("span_close", "span", -1),
    new Token("link_close", "a", -1),
  ];
}

function textToken(Token: TokenClass, content: string): Token {
  const token = new Token("text", "", 0);
  token.content = content;
  return token;
}

/** The label of a link that other servers write for a mention or a tag. */
const NAME_ALONE = /^[@#]\S*$/;

/** Finds the first link to a web page, except those that mention people or tags. */
function findWebLink(state: CoreState): void {
  const reading = readings.get(state.env);
  if (!reading || reading.context) return;
  for (const { children } of state.tokens) {
    for (const [at, token] of (children ?? []).entries()) {
      const href = String(token.attrGet("href") ?? "");
      if (token.type !== "link_open" || !/^https?:/i.test(href)) continue;
      if (NAME_ALONE.test(labelAt(children ?? [], at))) continue;
      reading.webLink = href;
      return;
    }
  }
}

/** The text of the link that begins here. */
function labelAt(tokens: readonly Token[], at: number): string {
  const end = tokens.findIndex(
    ({ type }, index) => index > at && type === "link_close",
  );
  return tokens
    .slice(at + 1, end)
    .map(({ content }) => content)
    .join("");
}

/** Resolves `diaspora://` links, or leaves their labels as text. */
function resolveDiasporaLinks(state: CoreState): void {
  const reading = readings.get(state.env);
  for (const block of state.tokens) {
    const open: Token[] = [];
    for (const token of block.children ?? []) {
      if (token.type === "link_open") {
        open.push(token);
        resolveDiasporaLink(token, reading);
      } else if (token.type === "link_close" && open.pop()?.type === "text") {
        token.type = "text";
      }
    }
  }
}

function resolveDiasporaLink(token: Token, reading: Reading | undefined): void {
  const href = String(token.attrGet("href") ?? "");
  if (!/^(?:web\+)?diaspora:/i.test(href)) return;
  const { handle = "", type = "", guid = "" } = parseDiasporaLink(href) ?? {};
  const link = guid === "" ? undefined : { handle, type, guid };
  if (link) reading?.links.push(link);
  const target = link && reading?.context?.diasporaLink?.(link);
  if (target === undefined) token.type = "text";
  else token.attrSet("href", target);
}
