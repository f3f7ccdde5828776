import { SaxesParser } from "saxes";
import { DavError } from "../dav-error.ts";

/** An element of a request; names are by namespace, whatever the prefix. */
export type XmlElement = {
  readonly namespace: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** Directly in it. */
  readonly text: string;
};

const MAX_CHARACTERS = 1024 * 1024;
const MAX_DEPTH = 16;
const MAX_ELEMENTS = 20_000;
const MAX_ATTRIBUTES = 32;
/** Each costs as much as many plain characters. */
const MAX_REFERENCES = 50_000;

type Open = Omit<XmlElement, "children" | "text"> & {
  children: XmlElement[];
  text: string;
};

/**
 * Parses the body of a request: XML 1.0 without a DOCTYPE, so without entities of its own, and
 * of bounded size, depth and number of parts.
 * @returns undefined for an empty body
 * @throws {DavError} 400
 */
export function readXml(body: unknown): XmlElement | undefined {
  if (!Buffer.isBuffer(body) || body.length === 0) return undefined;
  const text = body.toString("utf8").replace(/^\uFEFF/, "");
  if (text.trim() === "") return undefined;
  if (
    text.length > MAX_CHARACTERS ||
    text.split("&", MAX_REFERENCES + 1).length > MAX_REFERENCES
  )
    throw refuse();
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof DavError || error instanceof RangeError) throw error;
    throw refuse();
  }
}

function refuse(): DavError {
  return new DavError(400);
}

function parse(text: string): XmlElement {
  const parser = new SaxesParser({ xmlns: true, position: false });
  const open: Open[] = [];
  let elements = 0;
  let root: XmlElement | undefined;
  const fail = (): never => {
    throw refuse();
  };
  parser.on("doctype", fail);
  parser.on("error", fail);
  parser.on("opentag", ({ uri, local, attributes }) => {
    const all = Object.values(attributes);
    elements += 1;
    if (
      open.length >= MAX_DEPTH ||
      elements > MAX_ELEMENTS ||
      all.length > MAX_ATTRIBUTES
    )
      fail();
    open.push({
      namespace: uri,
      name: local,
      attributes: Object.fromEntries(
        all.map(({ local: name, value }) => [name, value]),
      ),
      ...{ children: [], text: "" },
    });
  });
  const addText = (more: string): void => {
    const last = open.at(-1);
    if (last) last.text += more;
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", () => {
    const element = open.pop();
    if (!element) return;
    const parent = open.at(-1);
    if (parent) parent.children.push(element);
    else root = element;
  });
  parser.write(text).close();
  return root ?? fail();
}

export function isNamed(
  element: XmlElement,
  namespace: string,
  name: string,
): boolean {
  return element.namespace === namespace && element.name === name;
}

export function findChild(
  element: XmlElement | undefined,
  namespace: string,
  name: string,
): XmlElement | undefined {
  return element?.children.find((child) => isNamed(child, namespace, name));
}

export function listChildren(
  element: XmlElement,
  namespace: string,
  name: string,
): XmlElement[] {
  return element.children.filter((child) => isNamed(child, namespace, name));
}
