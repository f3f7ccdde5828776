import { Parser } from "htmlparser2";

/** How a web page describes itself: text as written, addresses as written. */
export type PageMetadata = {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly siteName?: string | undefined;
  readonly authorName?: string | undefined;
  readonly imageUrl?: string | undefined;
  /** Of the page's oEmbed document in JSON. */
  readonly oembedUrl?: string | undefined;
};

/** By order of preference: Open Graph, Twitter, and the standard names of HTML. */
const NAMES = {
  title: ["og:title", "twitter:title", "<title>"],
  description: ["og:description", "twitter:description", "description"],
  siteName: ["og:site_name", "application-name"],
  authorName: ["author"],
  imageUrl: [
    "og:image:secure_url",
    "og:image",
    "og:image:url",
    "twitter:image",
    "twitter:image:src",
  ],
  oembedUrl: ["<oembed>"],
} as const satisfies Record<keyof PageMetadata, readonly string[]>;

const WANTED: ReadonlySet<string> = new Set(Object.values(NAMES).flat());

/** In UTF-16 units. */
const MAX_VALUE_LENGTH = 8_192;
/** Closing tags are looked up among the open ones, so their product is bounded. */
const MAX_TAGS = 10_000;
const CHUNK_LENGTH = 16_384;

/**
 * Reads the metadata in the head of an HTML document, however it is written. No tree is built,
 * and what follows `<body>` is not read.
 */
export function readPageMetadata(html: string): PageMetadata {
  const found = new Map<string, string>();
  const head = withFewTags(html);
  const reader = createReader(found);
  for (let at = 0; at < head.length && !reader.isDone(); at += CHUNK_LENGTH)
    reader.write(head.slice(at, at + CHUNK_LENGTH));
  const first = (names: readonly string[]) =>
    names.map((name) => found.get(name)).find((value) => value !== undefined);
  return {
    title: first(NAMES.title),
    description: first(NAMES.description),
    siteName: first(NAMES.siteName),
    authorName: first(NAMES.authorName),
    imageUrl: first(NAMES.imageUrl),
    oembedUrl: first(NAMES.oembedUrl),
  };
}

function withFewTags(html: string): string {
  let tags = 0;
  for (let at = html.indexOf("<"); at !== -1; at = html.indexOf("<", at + 1)) {
    tags += 1;
    if (tags > MAX_TAGS) return html.slice(0, at);
  }
  return html;
}

function createReader(found: Map<string, string>) {
  let isDone = false;
  let title: string | undefined;
  const keep = (name: string, value: string | undefined): void => {
    const text = value?.slice(0, MAX_VALUE_LENGTH).trim() ?? "";
    if (text !== "" && WANTED.has(name) && !found.has(name))
      found.set(name, text);
  };
  const parser = new Parser({
    onopentag: (tag, attributes) => {
      if (tag === "body") isDone = true;
      if (isDone) return;
      if (tag === "title") title = "";
      if (tag === "meta")
        for (const name of ["property", "name", "itemprop"])
          keep((attributes[name] ?? "").toLowerCase(), attributes["content"]);
      if (tag === "link" && isOembed(attributes))
        keep("<oembed>", attributes["href"]);
    },
    ontext: (text) => {
      if (title !== undefined && title.length < MAX_VALUE_LENGTH) title += text;
    },
    onclosetag: (tag) => {
      if (tag !== "title") return;
      keep("<title>", title);
      title = undefined;
    },
  });
  return {
    write: (text: string) => parser.write(text),
    isDone: () => isDone,
  };
}

function isOembed({ rel = "", type = "" }: Record<string, string>): boolean {
  return (
    /(?:^|\s)alternate(?:\s|$)/i.test(rel) &&
    type.trim().toLowerCase() === "application/json+oembed"
  );
}
