import { eventDescriptionOf, type Note } from "@kith/activitypub";
import { warnOfPictures } from "../../../features/comments/index.ts";
import { readEmojis } from "../../../features/custom-emojis.ts";
import {
  MAX_TEXT_LENGTH,
  readWarning,
  type Post,
} from "../../../features/posts/index.ts";
import { formatHandle, parseHandle } from "../../../lib/handle.ts";
import { escapeHtml } from "../../../lib/html/html-cleaner.ts";
import { readLanguageTag } from "../../../lib/language-tag.ts";
import { htmlToMarkdown } from "../../../lib/markdown/markdown-from-html.ts";
import type { HtmlToMarkdownOptions } from "../../../lib/markdown/markdown-from-html-leaves.ts";
import { parseTag } from "../../../lib/markdown/tags.ts";
import { storableText } from "../../../lib/well-formed.ts";

/** Per kind; no real text names more. */
const MAX_NAMED = 100;

/** The text, cut where it is longer than our limit. */
export function readNoteText(note: Note): string {
  const text = readWholeText(note, { named: namedBy(note) });
  return text.length <= MAX_TEXT_LENGTH
    ? text
    : [...text.slice(0, 2 * MAX_TEXT_LENGTH)]
        .slice(0, MAX_TEXT_LENGTH)
        .join("");
}

/** The properties of a post or comment beside its text, all of them: a missing one is empty. */
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

/** The same of a reply, which is hidden by its warning alone. */
export function readBesideReply(
  note: Note,
  photos: readonly unknown[],
): ReturnType<typeof readBesideText> {
  const beside = readBesideText(note);
  const warning = warnOfPictures(beside.warning, note.sensitive, photos);
  return { ...beside, warning };
}

/** The content warning of a Note or a Question; the summary of other types is a teaser. */
function readNoteWarning({ type, summary }: Note): string | null {
  return type === "Note" || type === "Question" ? readWarning(summary) : null;
}

/** The tags that an object names, case-folded, whatever its text says. */
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
 * Prefer the source that the author typed, where it is Markdown like ours, to the HTML.
 * @param options the people and addresses that the text may name beside its links
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
  // A title is plain text, and mentions no one.
  const title =
    note.name === undefined
      ? ""
      : `${htmlToMarkdown(`<h2>${escapeHtml(note.name)}</h2>`, NOTHING)}\n\n`;
  // Date and place, in its server's words.
  const line =
    note.type === "Event" && note.summary !== undefined
      ? `${readHtml(note.summary, options)}\n\n`
      : "";
  const rest = readRest(note, typed) + readQuote(note, typed);
  return storableText(title + line + typed + rest).trim();
}

/** The post's own text where it has an event: the event has the rest (Kith). */
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

/** No text within our limit is longer, markup included. The rest is cut off later in any case. */
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

/** Types with a page attached: a Page of Lemmy, an event of Mobilizon with a website. */
const WITH_PAGES = new Set(["Page", "Event"]);

/**
 * Of types other than Note, link to what cannot be shown: the page that a Page of Lemmy is about,
 * the website of an event, and the player of a film or a sound. Where the text is empty, the teaser
 * replaces it.
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

/** The link to the quoted post, where the text has no fallback for readers without quotes. */
function readQuote({ quote, content, source }: Note, typed: string): string {
  const isNamed =
    quote === undefined ||
    linksMissingIn(typed, [quote]).length === 0 ||
    // Where the source is read instead of the HTML, a link in the HTML does not count.
    (source?.mediaType !== "text/markdown" &&
      /\bclass="[^"]*\bquote-inline\b/.test(content));
  return isNamed ? "" : `\n\nRE: ${asLink(quote)}`;
}

/** An address of the object that is not part of its text. */
function asLink(url: string): string {
  return `<${url.replace(/[<>\s]/g, encodeURIComponent)}>`;
}

const ADDRESS = /https?:\/\/[^\s<>()[\]]+/gi;
const SENTENCE_MARKS = ".,;:!?'\"*_~";

/**
 * The links that are missing in a text. The text is scanned once: searching it for one long link
 * may take the product of both lengths.
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

/** Strip the punctuation of the sentence around it. */
function withoutMarks(address: string): string {
  let end = address.length;
  while (end > 0 && SENTENCE_MARKS.includes(address.charAt(end - 1))) end -= 1;
  return address.slice(0, end);
}
