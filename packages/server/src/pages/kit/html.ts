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
  let out = parts[0] ?? "";
  for (const [index, value] of values.entries())
    out += write(value) + (parts[index + 1] ?? "");
  return { [markup]: out };
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
