/** The namespaces of WebDAV, CalDAV and the extensions that programs ask for. */
export const DAV = "DAV:";
export const CALDAV = "urn:ietf:params:xml:ns:caldav";
export const CALENDAR_SERVER = "http://calendarserver.org/ns/";
export const APPLE = "http://apple.com/ns/ical/";

const PREFIXES: ReadonlyMap<string, string> = new Map([
  [DAV, "d"],
  [CALDAV, "c"],
  [CALENDAR_SERVER, "cs"],
  [APPLE, "a"],
]);

/** The name of an element: its namespace and its local part. */
export type XmlName = readonly [namespace: string, name: string];

/** Text of XML, escaped. */
export type XmlText = { readonly xml: string };

type Content = XmlText | string | readonly XmlText[];

/** Writes an element. A string is text. */
export function xml(
  [namespace, name]: XmlName,
  content: Content = [],
  attributes: Readonly<Record<string, string>> = {},
): XmlText {
  const prefix = PREFIXES.get(namespace);
  const tag = prefix === undefined ? `x:${name}` : `${prefix}:${name}`;
  const declared =
    prefix === undefined ? ` xmlns:x="${escapeXml(namespace)}"` : "";
  const others = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escapeXml(value)}"`)
    .join("");
  const inner = innerOf(content);
  return inner === ""
    ? { xml: `<${tag}${declared}${others}/>` }
    : { xml: `<${tag}${declared}${others}>${inner}</${tag}>` };
}

function innerOf(content: Content): string {
  if (typeof content === "string") return escapeXml(content);
  return "xml" in content ? content.xml : content.map((it) => it.xml).join("");
}

/** A document whose root declares the known namespaces. */
export function xmlDocument(root: XmlText): string {
  const declared = [...PREFIXES]
    .map(([namespace, prefix]) => ` xmlns:${prefix}="${namespace}"`)
    .join("");
  const written = root.xml.replace(/^<[^\s/>]+/, (tag) => `${tag}${declared}`);
  return `<?xml version="1.0" encoding="utf-8"?>\n${written}\n`;
}

/** Signs that XML 1.0 cannot contain in any form. */
const IMPOSSIBLE = /[^\P{Cc}\t\n\r]|[\uFFFE\uFFFF]|\p{Cs}/gu;

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\r": "&#13;",
};

/** Most texts are addresses, tags and times. */
const PLAIN = /^[\w !#$%'()*+,\-./:;=?@[\]^`{|}~]*$/;

function escapeXml(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .replace(IMPOSSIBLE, "")
    .replace(/[&<>"\r]/g, (sign) => ESCAPES[sign] ?? sign);
}
