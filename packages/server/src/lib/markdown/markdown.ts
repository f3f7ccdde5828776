import MarkdownIt from "markdown-it";
import { cleanHtml, escapeHtml } from "../html/html-cleaner.ts";
import { addDiasporaRules, beginReading } from "./markdown-rules.ts";
import type { DiasporaLink, MarkdownContext } from "./markdown-rules.ts";

/**
 * Longer texts (in UTF-16 units) are cut off; stored ones end at 65535 anyway.
 */
const MAX_MARKDOWN_LENGTH = 1_048_576;

/**
 * Markup characters that are parsed: as many as a long text of words has. Each
 * may cost as much as a thousand letters; the text after them is shown as
 * written.
 */
const MAX_MARKS = 3000;
const MARK = /[\n!-/:-@[-`{-~]/g;
/** How far back a place between words is searched for. */
const MAX_STEP_BACK = 200;

const parser = new MarkdownIt({
  html: false,
  linkify: true,
  breaks: true,
  typographer: false,
});
addDiasporaRules(parser);

/**
 * The only Markdown renderer: text in diaspora*'s dialect to cleaned HTML. Line
 * breaks are kept; raw HTML shows as text; mentions `@{name@host}`, `@{Name;
 * name@host}` and `@name@host` and `#tags` become links in the form that
 * Mastodon reads. In code they stay as written.
 */
export function renderMarkdown(text: string, context: MarkdownContext): string {
  const { env } = beginReading(context);
  const { marked, plain } = divide(text);
  const rendered = cleanHtml(parser.render(marked, env)).trimEnd();
  if (plain === "") return rendered;
  const lines = escapeHtml(plain).replaceAll("\n", "<br>\n");
  return `${rendered}\n<p>${lines}</p>`;
}

const MAY_MENTION = /@(?:\{|[^\s@]{1,255}@)/;

const MAY_LINK = /https?:\/\//i;

/** The tags, mentions and first link of a text, found once, when it is stored. */
export type FoundInText = {
  /** Folded by `foldTag`, each once, in the order of their first use. */
  readonly tags: readonly string[];
  /** In lower case, not looked up yet. */
  readonly handles: readonly string[];
  /** The first link to a web page; none of a mention or a tag. */
  readonly link?: string | undefined;
};

/** Finds the tags, mentions and first link of a text. */
export function readText(text: string): FoundInText {
  if (!text.includes("#") && !MAY_MENTION.test(text) && !MAY_LINK.test(text))
    return { tags: [], handles: [] };
  const { tags, mentions, webLink: link } = read(text);
  return { tags: [...tags], handles: [...mentions.keys()], link };
}

/**
 * The tags of a text in lower case, each once, in the order of their first use.
 */
export function tagsIn(text: string): string[] {
  if (!text.includes("#")) return [];
  return [...read(text).tags];
}

/**
 * The mentions of a text, each once: the handle in lower case, and the name if
 * one was written. The handles are unverified.
 */
export function mentionsIn(text: string): { handle: string; name?: string }[] {
  if (!MAY_MENTION.test(text)) return [];
  return [...read(text).mentions].map(([handle, name]) =>
    name === undefined ? { handle } : { handle, name },
  );
}

/** The `diaspora://` links of a text. Their targets are unverified. */
export function diasporaLinksIn(text: string): DiasporaLink[] {
  if (!/diaspora:\/\//i.test(text)) return [];
  return read(text).links;
}

function read(text: string) {
  const { env, reading } = beginReading(undefined);
  parser.parse(divide(text).marked, env);
  return reading;
}

/** Splits a text into the part with markup and the plain rest. */
function divide(text: string): { marked: string; plain: string } {
  const bounded = text.slice(0, MAX_MARKDOWN_LENGTH).toWellFormed();
  let marks = 0;
  for (const { index } of bounded.matchAll(MARK)) {
    marks += 1;
    if (marks <= MAX_MARKS) continue;
    const before = bounded.slice(Math.max(index - MAX_STEP_BACK, 0), index);
    const space = /\s(?=\S*$)/.exec(before)?.index;
    const end = space === undefined ? index : index - before.length + space;
    const plain = bounded.slice(end).trim();
    return { marked: bounded.slice(0, end), plain };
  }
  return { marked: bounded, plain: "" };
}
