import type { MarkdownIt } from "markdown-it";
import { foldTag, MAX_TAG_LENGTH, TAG_CHARACTER } from "./tags.ts";

type InlineState = InstanceType<MarkdownIt["inline"]["State"]>;
type CoreState = InstanceType<MarkdownIt["core"]["State"]>;
type Token = CoreState["tokens"][number];

/** A `diaspora://` link, taken apart. */
export type DiasporaLink = { handle: string; type: string; guid: string };

/** Where the people, tags and records of a text are to be found. */
export type MarkdownContext = {
  /** The link of a mentioned person; undefined shows the bare name. */
  mention: (
    handle: string,
    name?: string,
  ) => { href: string; label: string } | undefined;
  tagHref: (tag: string) => string;
  /** The address of a record; without it `diaspora://` links stay text. */
  diasporaLink?: (link: DiasporaLink) => string | undefined;
};

/** What one reading of a text needs and collects. */
export type Reading = {
  context: MarkdownContext | undefined;
  tags: Set<string>;
  mentions: Map<string, string | undefined>;
  links: DiasporaLink[];
};

// Both lengths are bounded, so that a long run of "@{" stays cheap.
const MENTION =
  /@\{(?:([^};\n]{1,255}); ?)?(?:acct:)?([^\s{};@]{1,255}@[^\s{};@]{1,255})\}/y;
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

/** Makes a reading known to the rules by the environment of its parse. */
export function beginReading(context: MarkdownContext | undefined): {
  env: Record<string, unknown>;
  reading: Reading;
} {
  const reading: Reading = {
    context,
    tags: new Set<string>(),
    mentions: new Map<string, string | undefined>(),
    links: [],
  };
  const env = {};
  readings.set(env, reading);
  return { env, reading };
}

/** The parts of a `diaspora://` link; without type and guid it leads to a person. */
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

/** Adds mentions, tags and `diaspora://` links to a markdown parser. */
export function addDiasporaRules(md: MarkdownIt): void {
  md.validateLink = (url) => SAFE_LINK.test(url);
  // What was typed is what is shown: no punycode turned into look-alikes.
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
  md.inline.ruler.after("escape", "tag", parseTag);
  md.core.ruler.push("diaspora_link", resolveDiasporaLinks);
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
  if (!person || state.linkLevel > 0) {
    pushText(state, person ? `@${person.label}` : (name ?? handle));
    return;
  }
  state.push("mention_open", "span", 1).attrs = [["class", "h-card"]];
  state.push("link_open", "a", 1).attrs = [
    ["href", person.href],
    ["class", "u-url mention"],
  ];
  pushText(state, "@");
  pushSpan(state, person.label);
  state.push("link_close", "a", -1);
  state.push("mention_close", "span", -1);
}

function parseTag(state: InlineState, silent: boolean): boolean {
  const { src, pos } = state;
  if (src[pos] !== "#") return false;
  if (!BEFORE_TAG.test(src.slice(Math.max(0, pos - 5), pos))) return false;
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
  // What is part of a link leads where the link leads.
  if (state.linkLevel === 0) reading?.tags.add(tag);
  if (!reading?.context || state.linkLevel > 0) {
    pushText(state, `#${shown}`);
    return;
  }
  state.push("link_open", "a", 1).attrs = [
    ["href", reading.context.tagHref(tag)],
    ["class", "mention hashtag"],
    ["rel", "tag"],
  ];
  pushText(state, "#");
  pushSpan(state, shown);
  state.push("link_close", "a", -1);
}

function pushText(state: InlineState, text: string): void {
  state.push("text", "", 0).content = text;
}

function pushSpan(state: InlineState, text: string): void {
  state.push("span_open", "span", 1);
  pushText(state, text);
  state.push("span_close", "span", -1);
}

/** Gives `diaspora://` links their address, or leaves what they show as text. */
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
