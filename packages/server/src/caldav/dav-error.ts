import {
  xml,
  xmlDocument,
  DAV,
  type XmlName,
  type XmlText,
} from "./xml/write-xml.ts";

/**
 * A refusal in the words of WebDAV.
 * @see RFC 4918, section 16, and RFC 4791, section 1.3, for the preconditions
 */
export class DavError extends Error {
  readonly status: number;
  readonly precondition: XmlName | undefined;
  /** Elements inside of the precondition. */
  readonly content: readonly XmlText[];
  constructor(
    status: number,
    precondition?: XmlName,
    content: readonly XmlText[] = [],
  ) {
    super(`${status} ${precondition?.[1] ?? ""}`.trim());
    this.name = "DavError";
    this.status = status;
    this.precondition = precondition;
    this.content = content;
  }

  /** The body of the answer; empty without a precondition. */
  get body(): string {
    if (!this.precondition) return "";
    const inner = xml(this.precondition, this.content);
    return xmlDocument(xml([DAV, "error"], [inner]));
  }
}
