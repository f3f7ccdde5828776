import { eventDescriptionOf, type Note } from "@kith/activitypub";
import { MAX_TEXT_LENGTH } from "../../features/posts/index.ts";
import { htmlToMarkdown } from "../../lib/markdown-from-html.ts";
import { storableText } from "../../lib/well-formed.ts";

/** The text, cut where another server wrote more than we keep. */
export function readText(note: Note): string {
  const text = readWholeText(note);
  return text.length <= MAX_TEXT_LENGTH
    ? text
    : [...text].slice(0, MAX_TEXT_LENGTH).join("");
}

/** Prefers what the author typed, where it is Markdown as ours, to what was made of it. */
export function readWholeText(note: Note): string {
  const typed =
    note.source?.mediaType === "text/markdown"
      ? note.source.content
      : note.mediaType === undefined
        ? htmlToMarkdown(note.content)
        : note.content;
  const own = readOwnEventText(note, typed);
  if (own !== undefined) return own;
  const title = note.name === undefined ? "" : `## ${note.name}\n\n`;
  // When and where, in the words of its server.
  const line =
    note.type === "Event" && note.summary !== undefined
      ? `${htmlToMarkdown(note.summary)}\n\n`
      : "";
  const rest = readRest(note, typed) + readQuote(note, typed);
  return storableText(title + line + typed + rest).trim();
}

/** What the post of an event says by itself: the rest of it the event says (Kith). */
function readOwnEventText(note: Note, typed: string): string | undefined {
  if (note.type !== "Event") return undefined;
  const description = eventDescriptionOf(note);
  if (description === undefined) return undefined;
  const own = typed.slice(0, typed.length - description.length).trim();
  return own === "" ? undefined : storableText(own);
}

const WITH_TEASER = new Set([
  "Article",
  "Audio",
  "Document",
  "Image",
  "Page",
  "Video",
]);

/**
 * What of other things than Notes cannot be shown is led to: what a Page of Lemmy is
 * about, and a film or a sound where it is played. What has no text has its teaser.
 */
function readRest(note: Note, typed: string): string {
  const { type, summary, url, id, attachments } = note;
  if (!WITH_TEASER.has(type)) return "";
  const isEmpty = typed.trim() === "";
  const teaser =
    isEmpty && summary !== undefined ? [htmlToMarkdown(summary)] : [];
  const pages = attachments.filter((one) => one.type === "Link");
  const links =
    type === "Page" && pages.length > 0
      ? pages.map((one) => one.url)
      : type === "Audio" || type === "Video" || isEmpty
        ? [url ?? id]
        : [];
  const shown = links.filter((link) => !typed.includes(link));
  return [...teaser, ...shown.map((link) => `<${link}>`)]
    .map((part) => `\n\n${part}`)
    .join("");
}

/** The link to what is quoted, where the text has none for those who know no quotes. */
function readQuote({ quote, content }: Note, typed: string): string {
  const isNamed =
    quote === undefined ||
    typed.includes(quote) ||
    /\bclass="[^"]*\bquote-inline\b/.test(content);
  return isNamed ? "" : `\n\nRE: <${quote}>`;
}
