import { ical } from "./libraries.ts";

/** A property in the JSON form of iCalendar (RFC 7265): name, parameters, type, values. */
export type Property = readonly [
  string,
  Readonly<Record<string, string>>,
  string,
  ...(string | number)[],
];

/** A component in that form. */
export type Component = readonly [
  string,
  readonly Property[],
  readonly Component[],
];

/** Writes a component as text (RFC 5545): folded, escaped, and ended by CRLF. */
export function writeComponent(component: Component): string {
  return ical().stringify(component as unknown as unknown[]);
}

/** Every sign that some parser takes for the end of a line. */
const LINE_END = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;

/** Control characters, which no text may contain (RFC 5545 §3.1). */
const CONTROL = /[^\P{Cc}\t\n]/gu;

/** A property of text that a person wrote: it cannot begin another property. */
export function textProperty(name: string, text: string): Property {
  return [name, {}, "text", cleanText(text)];
}

/** A property whose type the library does not know: written without `VALUE`. */
export function otherProperty(name: string, text: string): Property {
  const escaped = cleanText(text)
    .replace(/[\\;,]/g, String.raw`\$&`)
    .replaceAll("\n", String.raw`\n`);
  return [name, {}, "unknown", escaped];
}

export function cleanText(text: string): string {
  return text.replace(LINE_END, "\n").replace(CONTROL, "");
}

/** A name in a parameter: one line. */
export function cleanName(text: string): string {
  return cleanText(text).replaceAll("\n", " ");
}
