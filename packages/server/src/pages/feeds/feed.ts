import { createHash } from "node:crypto";
import { escapeHtml } from "../../lib/html/html-cleaner.ts";

/** A list of public posts for feed readers. All addresses are absolute. */
export type Feed = {
  readonly title: string;
  /** About whom or what it is. */
  readonly description: string;
  readonly pageUrl: string;
  readonly author?: FeedAuthor | undefined;
  readonly imageUrl?: string | undefined;
  readonly items: readonly FeedItem[];
  /** The feed with the posts before these. */
  readonly nextUrl?: string | undefined;
  /** RFC 3339: the time from which it exists, if that is known. */
  readonly since?: string | undefined;
};

export type FeedAuthor = { readonly name: string; readonly url: string };

export type FeedItem = {
  readonly url: string;
  readonly title: string;
  readonly html: string;
  /** The content warning. */
  readonly warning: string | null;
  /** Is it not for everyone's eyes, with or without a warning? */
  readonly isSensitive: boolean;
  /** A BCP 47 tag. */
  readonly language: string | null;
  readonly author: FeedAuthor;
  readonly tags: readonly string[];
  readonly media: readonly FeedMedium[];
  /** RFC 3339. */
  readonly publishedAt: string;
  readonly updatedAt: string;
};

/** A picture, a sound or a video. */
export type FeedMedium = {
  readonly url: string;
  readonly type: string;
  readonly kind: "image" | "audio" | "video";
  /** The size of the file, if it is known. */
  readonly bytes?: number | undefined;
  /** The alternative text. */
  readonly text: string;
};

/** Atom requires a time, also of a tag that nobody has used yet. */
const NEVER = "1970-01-01T00:00:00.000Z";

/** The time of the newest change; of a feed without posts, its beginning. */
export function updatedAtOf({
  items,
  since,
}: Pick<Feed, "items" | "since">): string | undefined {
  const [newest] = items
    .map(({ updatedAt }) => updatedAt)
    .sort()
    .reverse();
  return newest ?? since;
}

/** The one language of all posts, if they have one. */
function languageOf({ items }: Feed): string | undefined {
  const [language, ...others] = new Set(items.map((item) => item.language));
  return others.length === 0 ? (language ?? undefined) : undefined;
}

/** Renders Atom (RFC 4287) with pages (RFC 5005). @param url of the feed itself */
export function renderAtom(feed: Feed, url: string): string {
  const { title, description, pageUrl, author, imageUrl, nextUrl } = feed;
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${xml(pageUrl)}</id>
<title>${xml(title)}</title>
<subtitle>${xml(description)}</subtitle>
<updated>${updatedAtOf(feed) ?? NEVER}</updated>
<link rel="self" type="application/atom+xml" href="${xml(url)}"/>
<link rel="alternate" type="text/html" href="${xml(pageUrl)}"/>
${nextUrl === undefined ? "" : `<link rel="next" href="${xml(nextUrl)}"/>\n`}${imageUrl === undefined ? "" : `<icon>${xml(imageUrl)}</icon>\n<logo>${xml(imageUrl)}</logo>\n`}${author ? atomAuthor(author) : ""}<generator>Kith</generator>
${feed.items.map(atomEntry).join("\n")}
</feed>
`;
}

function atomAuthor({ name, url }: FeedAuthor): string {
  return `<author><name>${xml(name)}</name><uri>${xml(url)}</uri></author>\n`;
}

function atomEntry(item: FeedItem): string {
  return `<entry>
<id>${xml(item.url)}</id>
<title>${xml(item.title)}</title>
<published>${item.publishedAt}</published>
<updated>${item.updatedAt}</updated>
<link rel="alternate" type="text/html" href="${xml(item.url)}"/>
${atomAuthor(item.author)}${item.warning === null ? "" : `<summary>${xml(item.warning)}</summary>\n`}${item.tags.map((tag) => `<category term="${xml(tag)}"/>\n`).join("")}${item.media.map(atomEnclosure).join("")}<content type="html">${xml(item.html)}</content>
</entry>`;
}

function atomEnclosure({ url, type, text, bytes }: FeedMedium): string {
  const length = bytes === undefined ? "" : ` length="${bytes}"`;
  return `<link rel="enclosure" type="${xml(type)}"${length} title="${xml(text)}" href="${xml(url)}"/>\n`;
}

/** Renders RSS 2.0 with Media RSS. @param url of the feed itself */
export function renderRss(feed: Feed, url: string): string {
  const { title, description, pageUrl, imageUrl } = feed;
  const language = languageOf(feed);
  const updatedAt = updatedAtOf(feed);
  const head = [
    language && `<language>${xml(language)}</language>`,
    updatedAt && `<lastBuildDate>${rfc822(updatedAt)}</lastBuildDate>`,
    imageUrl &&
      `<image><url>${xml(imageUrl)}</url><title>${xml(title)}</title><link>${xml(pageUrl)}</link></image>`,
  ].map((line) => (line ? `${line}\n` : ""));
  return `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/">
<channel>
<title>${xml(title)}</title>
<link>${xml(pageUrl)}</link>
<description>${xml(description)}</description>
${head.join("")}<generator>Kith</generator>
<atom:link rel="self" type="application/rss+xml" href="${xml(url)}"/>
${feed.items.map(rssItem).join("\n")}
</channel>
</rss>
`;
}

function rssItem(item: FeedItem): string {
  const rating = item.isSensitive ? "adult" : "nonadult";
  // RSS has one enclosure at most.
  const enclosures = item.media.slice(0, 1).map(rssEnclosure);
  const media = item.media.map((medium) => rssMedium(medium, rating));
  return `<item>
<guid isPermaLink="true">${xml(item.url)}</guid>
<title>${xml(item.title)}</title>
<link>${xml(item.url)}</link>
<pubDate>${rfc822(item.publishedAt)}</pubDate>
<dc:creator>${xml(item.author.name)}</dc:creator>
<description>${xml(item.html)}</description>
${item.tags.map((tag) => `<category>${xml(tag)}</category>\n`).join("")}${[...enclosures, ...media].join("")}</item>`;
}

/** The length is required: 0 is the usual one of a file whose size nobody knows. */
function rssEnclosure({ url, type, bytes = 0 }: FeedMedium): string {
  return `<enclosure url="${xml(url)}" length="${bytes}" type="${xml(type)}"/>\n`;
}

function rssMedium(
  { url, type, kind, text, bytes }: FeedMedium,
  rating: "adult" | "nonadult",
): string {
  const size = bytes === undefined ? "" : ` fileSize="${bytes}"`;
  return `<media:content url="${xml(url)}" type="${xml(type)}"${size} medium="${kind}"><media:rating scheme="urn:simple">${rating}</media:rating><media:description type="plain">${xml(text)}</media:description></media:content>\n`;
}

/** As RSS has dates. */
function rfc822(time: string): string {
  return new Date(time).toUTCString();
}

/** Renders JSON Feed 1.1. @param url of the feed itself */
export function renderJsonFeed(feed: Feed, url: string): string {
  const { title, description, pageUrl, author, imageUrl, nextUrl } = feed;
  const language = languageOf(feed);
  return JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    ...{ title, description },
    home_page_url: pageUrl,
    feed_url: url,
    ...(imageUrl !== undefined && { icon: imageUrl }),
    ...(nextUrl !== undefined && { next_url: nextUrl }),
    ...(language !== undefined && { language }),
    ...(author && {
      authors: [{ ...author, ...(imageUrl && { avatar: imageUrl }) }],
    }),
    items: feed.items.map((item) => ({
      id: item.url,
      url: item.url,
      title: item.title,
      content_html: item.html,
      ...(item.warning !== null && { summary: item.warning }),
      date_published: item.publishedAt,
      date_modified: item.updatedAt,
      authors: [item.author],
      ...(item.language !== null && { language: item.language }),
      ...(item.tags.length > 0 && { tags: item.tags }),
      ...(item.media.length > 0 && {
        attachments: item.media.map(({ url: at, type, text, bytes }) => ({
          url: at,
          mime_type: type,
          title: text,
          ...(bytes !== undefined && { size_in_bytes: bytes }),
        })),
      }),
    })),
  });
}

/** The entity tag of a rendered feed. */
export function tagOfFeed(rendered: string): string {
  const hash = createHash("sha256").update(rendered).digest("base64url");
  return `"${hash.slice(0, 22)}"`;
}

/** XML 1.0 has no way to write most control characters. */
function xml(text: string): string {
  const allowed = text.replaceAll(
    /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g,
    "",
  );
  return escapeHtml(allowed.toWellFormed());
}
