import { eventDescriptionOf, type Note } from "@kith/activitypub";
import { readEmojis } from "../../../../features/custom-emojis.ts";
import {
  MAX_TEXT_LENGTH,
  readWarning,
  type Post,
} from "../../../../features/posts/index.ts";
import { formatHandle, parseHandle } from "../../../../lib/handle.ts";
import { escapeHtml } from "../../../../lib/html/html-cleaner.ts";
import { readLanguageTag } from "../../../../lib/language-tag.ts";
import { htmlToMarkdown } from "../../../../lib/markdown/markdown-from-html.ts";
import type { HtmlToMarkdownOptions } from "../../../../lib/markdown/markdown-from-html-leaves.ts";
import { writePictures } from "../../../../lib/markdown/markdown-from-html-write.ts";
import { parseTag } from "../../../../lib/markdown/tags.ts";
import { storableText } from "../../../../lib/well-formed.ts";
import { readPictures } from "./read-pictures.ts";

/** Of each kind; nobody names more. */
const MAX_NAMED = 100;

/** The text, cut where another server wrote more than we keep. */
export function readNoteText(note: Note): string {
  const text = readWholeText(note, { named: namedBy(note) });
  return text.length <= MAX_TEXT_LENGTH
    ? text
    : [...text.slice(0, 2 * MAX_TEXT_LENGTH)]
        .slice(0, MAX_TEXT_LENGTH)
        .join("");
}

/** What a post or comment says beside its text, all of it: what is missing there is none. */
export function readBesideText(
  note: Note,
): Pick<Post, "warning" | "language" | "emojis"> {
  return {
    warning: readNoteWarning(note),
    language: readLanguageTag(note.language) ?? null,
    emojis: readEmojis(
      note.tags
        .filter(({ type }) => type === "Emoji")
        .map(({ name, iconUrl }) => ({ shortcode: name, url: iconUrl })),
    ),
  };
}

/** What a Note or a Question warns of; of other types the summary is a teaser. */
function readNoteWarning({ type, summary }: Note): string | null {
  return type === "Note" || type === "Question" ? readWarning(summary) : null;
}

/** No server hangs more on a reply. */
const MAX_PICTURES = 32;

/**
 * The text of a comment. A comment has no pictures of its own: those of a reply
 * stand in its text, so that they are seen wherever it is read, over diaspora* too.
 */
export function readCommentText(note: Note): string {
  const pictures = readPictures(note.attachments)
    .slice(0, MAX_PICTURES)
    .filter(({ url }) => !note.content.includes(url));
  const shown = storableText(writePictures(pictures));
  const text = readNoteText(note);
  if (shown === "") return text;
  const room = Math.max(0, MAX_TEXT_LENGTH - [...shown].length - 2);
  const kept = text.length <= room ? text : [...text].slice(0, room).join("");
  return `${kept}\n\n${shown}`.trim();
}

/** The tags that an object names, folded, whatever its text says. */
export function readTagNames({ tags }: Note): string[] {
  const found = tags.flatMap(({ type, name }) =>
    type === "Hashtag" ? (parseTag(name) ?? []) : [],
  );
  return [...new Set(found)].slice(0, MAX_NAMED);
}

function namedBy(note: Note) {
  const people = note.tags
    .filter(({ type, href }) => type === "Mention" && href !== undefined)
    .slice(0, MAX_NAMED)
    .flatMap(({ name, href = "" }): [string, string][] => {
      const host = URL.parse(href)?.host ?? "";
      const isWhole = name.replace(/^@/, "").includes("@");
      const handle = parseHandle(isWhole ? name : `${name}@${host}`);
      return handle ? [[href, formatHandle(handle)]] : [];
    });
  return { tags: new Set(readTagNames(note)), people: new Map(people) };
}

/**
 * Prefers what the author typed, where it is Markdown as ours, to what was made of it.
 * @param options whom and what the text may name beside its links
 */
export function readWholeText(
  note: Note,
  options: HtmlToMarkdownOptions = {},
): string {
  const typed =
    note.source?.mediaType === "text/markdown"
      ? note.source.content
      : note.mediaType === undefined
        ? readHtml(note.content, options)
        : note.content;
  const own = readOwnEventText(note, typed);
  if (own !== undefined) return own;
  // A title is plain text, and names nobody.
  const title =
    note.name === undefined
      ? ""
      : `${htmlToMarkdown(`<h2>${escapeHtml(note.name)}</h2>`, NOTHING)}\n\n`;
  // When and where, in the words of its server.
  const line =
    note.type === "Event" && note.summary !== undefined
      ? `${readHtml(note.summary, options)}\n\n`
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

const NOTHING: HtmlToMarkdownOptions = {
  named: { tags: new Set(), people: new Map() },
};

/** Markup included, no text that is kept whole is longer. What is behind is cut off later in any case. */
const MAX_HTML_LENGTH = 4 * MAX_TEXT_LENGTH;

/** HTML of another server as Markdown. */
export function readHtml(
  html: string,
  options: HtmlToMarkdownOptions = {},
): string {
  return htmlToMarkdown(html.slice(0, MAX_HTML_LENGTH), options);
}

const WITH_TEASER = new Set([
  "Article",
  "Audio",
  "Document",
  "Image",
  "Page",
  "Video",
]);

/** What is about a page, which hangs on it: a Page of Lemmy, an event of Mobilizon with a website. */
const WITH_PAGES = new Set(["Page", "Event"]);

/**
 * What of other things than Notes cannot be shown is led to: what a Page of Lemmy is
 * about, the website of an event, and a film or a sound where it is played. What has
 * no text has its teaser.
 */
function readRest(note: Note, typed: string): string {
  const { type, summary, url, id, attachments } = note;
  const hasTeaser = WITH_TEASER.has(type);
  if (!hasTeaser && !WITH_PAGES.has(type)) return "";
  const isEmpty = typed.trim() === "";
  const teaser =
    hasTeaser && isEmpty && summary !== undefined
      ? [readHtml(summary, NOTHING)]
      : [];
  const pages = attachments.filter((one) => one.type === "Link");
  const links =
    WITH_PAGES.has(type) && pages.length > 0
      ? pages.map((one) => one.url)
      : type === "Audio" || type === "Video" || (hasTeaser && isEmpty)
        ? [url ?? id]
        : [];
  const shown = links.length === 0 ? [] : linksMissingIn(typed, links);
  return [...teaser, ...shown.map((link) => asLink(link))]
    .map((part) => `\n\n${part}`)
    .join("");
}

/** The link to what is quoted, where the text has none for those who know no quotes. */
function readQuote({ quote, content, source }: Note, typed: string): string {
  const isNamed =
    quote === undefined ||
    linksMissingIn(typed, [quote]).length === 0 ||
    // Beside the source, which is what is read, the HTML leads nobody there.
    (source?.mediaType !== "text/markdown" &&
      /\bclass="[^"]*\bquote-inline\b/.test(content));
  return isNamed ? "" : `\n\nRE: ${asLink(quote)}`;
}

/** An address of the object, which is none of its text. */
function asLink(url: string): string {
  return `<${url.replace(/[<>\s]/g, encodeURIComponent)}>`;
}

const ADDRESS = /https?:\/\/[^\s<>()[\]]+/gi;
const SENTENCE_MARKS = ".,;:!?'\"*_~";

/**
 * Those of some links that do not stand in a text. The text is gone over once:
 * to look for one long link in it may take the product of both lengths.
 */
function linksMissingIn(text: string, links: readonly string[]): string[] {
  const named = new Set<string>();
  for (const [address] of text.matchAll(ADDRESS)) {
    named.add(address);
    named.add(withoutMarks(address));
  }
  const asInText = (link: string) => link.match(ADDRESS)?.[0] ?? link;
  return links.filter((link) => !named.has(asInText(link)));
}

/** Without what ends the sentence around it. */
function withoutMarks(address: string): string {
  let end = address.length;
  while (end > 0 && SENTENCE_MARKS.includes(address.charAt(end - 1))) end -= 1;
  return address.slice(0, end);
}
