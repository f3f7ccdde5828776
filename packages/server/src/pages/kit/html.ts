import { escapeHtml } from "../../lib/html/html-cleaner.ts";

/** Only this module can create one: parsed input never has this symbol. */
const markup = Symbol("markup");

/** HTML that is safe to insert into a page. */
export type Html = { readonly [markup]: string };

/** The values of a template. Everything that is not `Html` is escaped. */
export type HtmlValue =
  Html | string | number | undefined | null | false | readonly HtmlValue[];

/**
 * Creates HTML. Values are escaped for text and for quoted attributes, so
 * attributes must be quoted; `undefined`, `null` and `false` render nothing.
 */
export function html(
  parts: TemplateStringsArray,
  ...values: readonly HtmlValue[]
): Html {
  const short = withoutIndents(parts);
  let out = short[0] ?? "";
  for (const [index, value] of values.entries()) {
    const written = write(value);
    const next = short[index + 1] ?? "";
    // Nothing on a line of its own leaves no line.
    const isBlank = written === "" && out.endsWith("\n");
    out += written + (isBlank && next.startsWith("\n") ? next.slice(1) : next);
  }
  return { [markup]: out };
}

/** Each template is one object, however often it is used. */
const shortened = new WeakMap<TemplateStringsArray, readonly string[]>();

/**
 * The indents of our sources are a third of a page, and the formatter breaks lines before the end
 * of a tag. Values keep their blanks.
 */
function withoutIndents(parts: TemplateStringsArray): readonly string[] {
  const known = shortened.get(parts);
  if (known) return known;
  const short = parts.map((part) =>
    part.replaceAll(/\n +/g, "\n").replaceAll(/\n(\/?>)/g, "$1"),
  );
  shortened.set(parts, short);
  return short;
}

/**
 * The attribute of an element that the script of the pages replaces by itself: the address
 * that answers with it anew.
 */
export function partAttribute(path: string): Html {
  return html`data-part="${path}"`;
}

/** Data in a page for programs that read it; browsers do not run it. */
export function dataBlock(type: string, value: unknown): Html {
  // A script element ends at the first `</script`, wherever that stands.
  const data = JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  const start = html`<script type="${type}">`;
  return { [markup]: `${start[markup]}${data}</script>` };
}

/** Wraps HTML that `lib/html/html-cleaner.ts` has cleaned. */
export function cleanedHtml(cleaned: string): Html {
  return { [markup]: cleaned };
}

export function toText(html: Html): string {
  return html[markup];
}

function write(value: HtmlValue): string {
  if (value === undefined || value === null || value === false) return "";
  if (typeof value === "string") return escapeHtml(value);
  if (typeof value === "number") return String(value);
  if (isList(value)) return value.map(write).join("");
  return value[markup];
}

function isList(value: HtmlValue): value is readonly HtmlValue[] {
  return Array.isArray(value);
}

/** A remote link target, if it is a web URL: never `javascript:`. */
export function webAddress(text: string | null): string | undefined {
  const url = text === null ? null : URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  return url.href;
}
