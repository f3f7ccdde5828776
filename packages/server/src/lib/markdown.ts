import MarkdownIt from "markdown-it";
import { cleanHtml } from "./html-cleaner.ts";
import { addDiasporaRules, beginReading } from "./markdown-rules.ts";
import type { MarkdownContext } from "./markdown-rules.ts";

/** More than this (in UTF-16 units) is cut off; texts end at 65535 anyway. */
const MAX_MARKDOWN_LENGTH = 1_048_576;

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
 * `@{name@host}` and `@{Name; name@host}` and `#tags` become links in the form
 * that Mastodon reads. In code they stay what they are.
 */
export function renderMarkdown(text: string, context: MarkdownContext): string {
  const { env } = beginReading(context);
  return cleanHtml(parser.render(bounded(text), env)).trimEnd();
}

/** What a text says to whom: read once, where it is stored. */
export type FoundInText = {
  /** As `foldTag` makes them, each once, in the order of their first use. */
  readonly tags: readonly string[];
  /** In lower case. Nobody has looked them up yet. */
  readonly handles: readonly string[];
};

/** The tags and mentions of a text, in one reading. */
export function readText(text: string): FoundInText {
  if (!text.includes("#") && !text.includes("@{"))
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
  if (!text.includes("@{")) return [];
  return [...read(text).mentions].map(([handle, name]) =>
    name === undefined ? { handle } : { handle, name },
  );
}

function read(text: string) {
  const { env, reading } = beginReading(undefined);
  parser.parse(bounded(text), env);
  return reading;
}

function bounded(text: string): string {
  return text.slice(0, MAX_MARKDOWN_LENGTH).toWellFormed();
}
