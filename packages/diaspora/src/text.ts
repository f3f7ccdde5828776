import { isGuid, isHandle } from "./identifiers.ts";
import { isWithinLength } from "./values.ts";

/** A person mentioned in a text. */
export interface Mention {
  readonly handle: string;
  /** The display name in the text; missing in the short form. */
  readonly name?: string;
}

/** A `diaspora://` link: `type` is as in the link, in practice `post`. */
export interface DiasporaLink {
  readonly author: string;
  readonly type: string;
  readonly guid: string;
}

const MENTION = /^(?:([^}]+?); )?([^} ]+)$/;
const MAX_MENTION_CHARACTERS = 1024;
// The bidirectional marks that some keyboards put around a #; the lookbehind keeps this linear on long runs of them.
const BIDI_BEFORE_HASH =
  /(?<![\u200E\u200F\u202A-\u202E])[\u200E\u200F\u202A-\u202E]+(?=#)/g;
const BIDI_AFTER_HASH = /(?<=#)[\u200E\u200F\u202A-\u202E]+/g;
const TAG =
  /(?<=^|\s)#([\p{L}\p{M}\p{Nd}\p{Pc}\u055B\u055C\u055E\u058A_-]+|<3)/gu;
const LINK =
  /(?:web\+)?diaspora:\/\/([^\s/]{1,255})\/([a-z][a-z_]{0,63})\/([0-9A-Za-z\-_@.:]{15,254}[0-9A-Za-z])/g;

/**
 * The people mentioned in a text, `@{handle}` or `@{Name; handle}`, each once, in order.
 * @see diaspora* federation protocol, Text: mentions
 */
export function mentionsIn(text: string): Mention[] {
  const found = new Map<string, Mention>();
  let end = -1;
  // Not a regular expression, because that takes quadratic time on many "@{" without a "}".
  for (
    let start = text.indexOf("@{");
    start !== -1;
    start = text.indexOf("@{", start + 2)
  ) {
    if (end < start) end = text.indexOf("}", start);
    if (end === -1) break;
    if (end - start > MAX_MENTION_CHARACTERS) continue;
    const mention = readMention(text.slice(start + 2, end));
    if (mention && !found.has(mention.handle)) {
      found.set(mention.handle, mention);
    }
  }
  return [...found.values()];
}

/**
 * The tags of a text without their `#`, lower case, each once, in order. `#<3` is a tag.
 * @see diaspora* federation protocol, Text: tags
 */
export function tagsIn(text: string): string[] {
  const plain = text.replace(BIDI_BEFORE_HASH, "").replace(BIDI_AFTER_HASH, "");
  const tags = new Set<string>();
  for (const match of plain.matchAll(TAG)) {
    const tag = (match[1] ?? "").toLowerCase();
    if (isWithinLength(tag, 255)) tags.add(tag);
  }
  return [...tags];
}

/**
 * The `diaspora://author/type/guid` links of a text, each once, in order. Fetch only a few of them, and check that the
 * fetched entity is by the author in the link.
 * @see diaspora* federation protocol, Text: diaspora links
 */
export function diasporaLinksIn(text: string): DiasporaLink[] {
  const links = new Map<string, DiasporaLink>();
  for (const [url, author = "", type = "", guid = ""] of text.matchAll(LINK)) {
    if (!isHandle(author) || !isGuid(guid)) continue;
    const key = url.replace(/^web\+/, "");
    if (!links.has(key)) links.set(key, { author, type, guid });
  }
  return [...links.values()];
}

function readMention(inner: string): Mention | undefined {
  const parts = MENTION.exec(inner);
  const handle = parts?.[2]?.toLowerCase() ?? "";
  if (!isHandle(handle)) return undefined;
  const name = parts?.[1]?.trim();
  return name ? { handle, name } : { handle };
}
