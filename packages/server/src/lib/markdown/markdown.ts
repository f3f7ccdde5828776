import MarkdownIt from "markdown-it";
import { cleanHtml, escapeHtml } from "../html/html-cleaner.ts";
import { addDiasporaRules, beginReading } from "./markdown-rules.ts";
import type { DiasporaLink, MarkdownContext } from "./markdown-rules.ts";

/** More than this (in UTF-16 units) is cut off; texts end at 65535 anyway. */
const MAX_MARKDOWN_LENGTH = 1_048_576;

/**
 * So many characters that can be markup are read as such, as many as a long
 * text of words has. Each may cost as much as a thousand letters; what comes after them is
 * shown as it was written.
 */
const MAX_MARKS = 3000;
const MARK = /[\n!-/:-@[-`{-~]/g;
/** How far back a better place than the middle of a word is looked for. */
const MAX_STEP_BACK = 200;

const parser = new MarkdownIt({
  html: false,
  linkify: true,
  breaks: true,
  typographer: false,
});
addDiasporaRules(parser);

/**
 * The only markdown renderer: what people write, as diaspora* writes it, to
 * cleaned HTML. Line breaks are kept; raw HTML shows as text; mentions
 * `@{name@host}`, `@{Name; name@host}` and `@name@host` and `#tags` become links in the form
 * that Mastodon reads. In code they stay what they are.
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

/** What a text says to whom: read once, where it is stored. */
export type FoundInText = {
  /** As `foldTag` makes them, each once, in the order of their first use. */
  readonly tags: readonly string[];
  /** In lower case. Nobody has looked them up yet. */
  readonly handles: readonly string[];
};

/** The tags and mentions of a text, in one reading. */
export function readText(text: string): FoundInText {
  if (!text.includes("#") && !MAY_MENTION.test(text))
    return { tags: [], handles: [] };
  const { tags, mentions } = read(text);
  return { tags: [...tags], handles: [...mentions.keys()] };
}

/** The tags of a text in lower case, each once, in the order of their first use. */
export function tagsIn(text: string): string[] {
  if (!text.includes("#")) return [];
  return [...read(text).tags];
}

/**
 * The people a text mentions, each once: the handle in lower case, and the name
 * where one was written. Handles are claims: nobody has looked them up yet.
 */
export function mentionsIn(text: string): { handle: string; name?: string }[] {
  if (!MAY_MENTION.test(text)) return [];
  return [...read(text).mentions].map(([handle, name]) =>
    name === undefined ? { handle } : { handle, name },
  );
}

/** The `diaspora://` links of a text. Whatever they name is a claim. */
export function diasporaLinksIn(text: string): DiasporaLink[] {
  if (!/diaspora:\/\//i.test(text)) return [];
  return read(text).links;
}

function read(text: string) {
  const { env, reading } = beginReading(undefined);
  parser.parse(divide(text).marked, env);
  return reading;
}

/** The part of a text in which markup counts, and what comes after it. */
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
