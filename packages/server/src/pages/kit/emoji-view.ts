import type { CustomEmoji } from "../../features/custom-emojis.ts";
import {
  cleanedHtml,
  html,
  toText,
  webAddress,
  type Html,
  type HtmlValue,
} from "./html.ts";

/** Emojis shown in one text; the browser requests each of them. */
const MAX_PICTURES = 200;

/**
 * A pattern for the shortcodes of these emojis. `+` is their only special
 * character.
 */
function shortcodesOf(emojis: readonly CustomEmoji[]): string {
  const known = emojis.map(({ shortcode }) => shortcode.replaceAll("+", "\\+"));
  return `:(${known.join("|")}):`;
}

function emojiView({ shortcode, url }: CustomEmoji): Html | undefined {
  const src = webAddress(url);
  const name = `:${shortcode}:`;
  return src === undefined
    ? undefined
    : html`<img class="emoji" src="${src}" alt="${name}" title="${name}" />`;
}

/** Plain text with emoji pictures. */
export function withEmojis(
  text: string,
  emojis: readonly CustomEmoji[],
): HtmlValue {
  if (emojis.length === 0 || !text.includes(":")) return text;
  const pictures = picturesOf(emojis);
  // The captured shortcodes are at the odd indexes.
  const parts = text.split(new RegExp(shortcodesOf(emojis)));
  return parts.map((part, at) =>
    at % 2 === 0 ? part : (take(pictures, part) ?? `:${part}:`),
  );
}

/**
 * Code, a tag, or a shortcode; within the first two there are no shortcodes.
 */
const NO_TEXT = "<(?:pre|code)\\b[^>]*>[^]*?</(?:pre|code)>|<[^>]*>";

/**
 * The same in HTML that `lib/html/html-cleaner.ts` has cleaned: it writes every
 * `>` of a text or an attribute as `&gt;`.
 */
export function showEmojis(
  cleaned: string,
  emojis: readonly CustomEmoji[],
): Html {
  if (emojis.length === 0) return cleanedHtml(cleaned);
  const pictures = picturesOf(emojis);
  const pattern = new RegExp(`${NO_TEXT}|${shortcodesOf(emojis)}`, "g");
  const shown = cleaned.replace(pattern, (found, shortcode?: string) => {
    const picture =
      shortcode === undefined ? undefined : take(pictures, shortcode);
    return picture ? toText(picture) : found;
  });
  return cleanedHtml(shown);
}

type Pictures = { left: number; readonly known: Map<string, Html> };

function picturesOf(emojis: readonly CustomEmoji[]): Pictures {
  const known = emojis.flatMap((emoji): [string, Html][] => {
    const picture = emojiView(emoji);
    return picture ? [[emoji.shortcode, picture]] : [];
  });
  return { left: MAX_PICTURES, known: new Map(known) };
}

function take(pictures: Pictures, shortcode: string): Html | undefined {
  if (pictures.left === 0) return undefined;
  pictures.left -= 1;
  return pictures.known.get(shortcode);
}
