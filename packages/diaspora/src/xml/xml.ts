import { SaxesParser } from "saxes";
import { DiasporaError } from "../errors.ts";
import type { DiasporaErrorCode, DiasporaStage } from "../errors.ts";

/** The largest accepted document, in bytes (and so at most as many characters). */
export const MAX_DOCUMENT_BYTES = 2 * 1024 * 1024;
const MAX_DEPTH = 8;
const MAX_ELEMENTS = 2000;
const MAX_ATTRIBUTES = 16;
/** Twice as many as in the longest legal post with each of its characters written as a reference. */
const MAX_REFERENCES = 131_072;

/**
 * A parsed element. `name` is the name as written, including the prefix; `text` is all text inside, including that of
 * child elements, decoded and never trimmed.
 */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

interface OpenElement {
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  text: string;
}

/**
 * Parses an untrusted document: XML 1.0 without a DOCTYPE, at most 8 levels, 2000 elements, 16 attributes each,
 * 131,072 references, 2 MiB. Literal line ends become LF, character references and CDATA are decoded, comments and
 * processing instructions are dropped.
 * @throws {DiasporaError} at `stage`: `too_large`, `doctype_refused`, `too_complex` or `malformed_xml`
 * @see diaspora* federation protocol, XML serialisation of an entity, and Security
 */
export function parseXml(xml: string, stage: DiasporaStage): XmlElement {
  const fail = (code: DiasporaErrorCode, message: string): never => {
    throw new DiasporaError(stage, code, message);
  };
  if (xml.length > MAX_DOCUMENT_BYTES) {
    fail("too_large", "XML document is larger than 2 MiB");
  }
  if (hasDoctype(xml)) fail("doctype_refused", "XML has a DOCTYPE");
  if (hasTooManyReferences(xml)) {
    fail("too_complex", "XML has too many character references");
  }
  try {
    return new TreeBuilder(fail).parse(xml);
  } catch (error) {
    if (error instanceof DiasporaError) throw error;
    throw new DiasporaError(stage, "malformed_xml", "Not well-formed XML", {
      cause: error,
    });
  }
}

/**
 * Decodes the bytes of a document as UTF-8, without a byte order mark.
 * @throws {DiasporaError} at `stage`: `too_large` or `bad_encoding`
 */
export function decodeDocument(
  body: Uint8Array | string,
  stage: DiasporaStage,
): string {
  if (typeof body === "string") return body;
  if (body.byteLength > MAX_DOCUMENT_BYTES) {
    throw new DiasporaError(stage, "too_large", "Body is larger than 2 MiB");
  }
  try {
    return utf8.decode(body);
  } catch {
    throw new DiasporaError(stage, "bad_encoding", "Body is not UTF-8");
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Looks for a DOCTYPE in the raw text, before parsing. After a CDATA section the root element has begun, so an apparent
 * DOCTYPE there is text; otherwise the parser below refuses it.
 */
function hasDoctype(xml: string): boolean {
  const doctype = xml.search(/<!DOCTYPE/i);
  if (doctype === -1) return false;
  const cdata = xml.indexOf("<![CDATA[");
  return cdata === -1 || doctype < cdata;
}

/** Each costs the parser as much as many plain characters. Those in comments and CDATA count, too. */
function hasTooManyReferences(xml: string): boolean {
  let count = 0;
  for (let at = xml.indexOf("&"); at !== -1; at = xml.indexOf("&", at + 1)) {
    count += 1;
    if (count > MAX_REFERENCES) return true;
  }
  return false;
}

class TreeBuilder {
  readonly #fail: (code: DiasporaErrorCode, message: string) => never;
  readonly #open: OpenElement[] = [];
  #elements = 0;
  #attributes = 0;
  #root: XmlElement | undefined;

  constructor(fail: (code: DiasporaErrorCode, message: string) => never) {
    this.#fail = fail;
  }

  parse(xml: string): XmlElement {
    const parser = new SaxesParser({
      xmlns: false,
      position: false,
      // XML 1.1 ends lines at other characters and allows control characters: it would change signed text.
      forceXMLVersion: true,
      defaultXMLVersion: "1.0",
    });
    parser.on("doctype", () =>
      this.#fail("doctype_refused", "XML has a DOCTYPE"),
    );
    parser.on("opentagstart", () => this.#startElement());
    parser.on("attribute", () => this.#countAttribute());
    parser.on("opentag", (tag) => this.#openElement(tag.name, tag.attributes));
    parser.on("closetag", () => this.#closeElement());
    parser.on("text", (text) => this.#addText(text));
    parser.on("cdata", (text) => this.#addText(text));
    parser.write(xml).close();
    return this.#root ?? this.#fail("malformed_xml", "XML has no element");
  }

  #startElement(): void {
    this.#attributes = 0;
    this.#elements += 1;
    if (this.#elements > MAX_ELEMENTS) {
      this.#fail("too_complex", "XML has too many elements");
    }
    if (this.#open.length >= MAX_DEPTH) {
      this.#fail("too_complex", "XML is nested too deeply");
    }
  }

  #countAttribute(): void {
    this.#attributes += 1;
    if (this.#attributes > MAX_ATTRIBUTES) {
      this.#fail("too_complex", "XML element has too many attributes");
    }
  }

  #openElement(name: string, attributes: Record<string, string>): void {
    const element = { name, attributes, children: [], text: "" };
    this.#open.at(-1)?.children.push(element);
    this.#root ??= element;
    this.#open.push(element);
  }

  #closeElement(): void {
    const closed = this.#open.pop();
    const parent = this.#open.at(-1);
    if (closed && parent) parent.text += closed.text;
  }

  #addText(text: string): void {
    const element = this.#open.at(-1);
    if (element) element.text += text;
  }
}
