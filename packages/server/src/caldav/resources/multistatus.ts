import {
  DAV,
  xml,
  xmlDocument,
  type XmlName,
  type XmlText,
} from "../xml/write-xml.ts";

const REASONS: Readonly<Record<number, string>> = {
  200: "OK",
  403: "Forbidden",
  404: "Not Found",
  424: "Failed Dependency",
  507: "Insufficient Storage",
};

export function statusElement(status: number): XmlText {
  const reason = REASONS[status] ?? "";
  return xml([DAV, "status"], `HTTP/1.1 ${status} ${reason}`.trim());
}

export function hrefElement(href: string): XmlText {
  return xml([DAV, "href"], href);
}

/** Properties that share a status. */
export function propstat(
  status: number,
  properties: readonly XmlText[],
): XmlText[] {
  if (properties.length === 0) return [];
  return [
    xml(
      [DAV, "propstat"],
      [xml([DAV, "prop"], properties), statusElement(status)],
    ),
  ];
}

/** A response has a status where it has no property (RFC 4918, section 14.24). */
export function responseOf(href: string, content: readonly XmlText[]): XmlText {
  const stated = content.length === 0 ? [statusElement(200)] : content;
  return xml([DAV, "response"], [hrefElement(href), ...stated]);
}

/** The names of properties that a resource does not have. */
export function missing(names: readonly XmlName[]): XmlText[] {
  return propstat(
    404,
    names.map((name) => xml(name)),
  );
}

/** The body of a 207. */
export function multistatus(
  responses: readonly XmlText[],
  syncToken?: string,
): string {
  const token =
    syncToken === undefined ? [] : [xml([DAV, "sync-token"], syncToken)];
  return xmlDocument(xml([DAV, "multistatus"], [...responses, ...token]));
}
