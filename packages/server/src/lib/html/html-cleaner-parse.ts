import type { Root } from "hast";
import { fromParse5 } from "hast-util-from-parse5";
import { defaultTreeAdapter, html, parseFragment } from "parse5";
import type { DefaultTreeAdapterTypes as Tree, TreeAdapter } from "parse5";
import { DROPPED_WITH_TEXT, MAX_LENGTHS } from "./html-cleaner-rules.ts";

/**
 * The work grows with the depth, and a deep tree overflows the stack. Real HTML never comes near.
 */
const ABSURD_DEPTH = 256;

/** The HTML is nested too deeply, or the parser creates more elements from it than it has tags. */
export class TooMuchHtml extends Error {}

/**
 * Builds the tree that a browser builds from the same HTML.
 * @param maxElements HTML with misnested tags can create far more elements than it has tags
 * @throws {TooMuchHtml}
 */
export function parseHtml(text: string, maxElements: number): Root {
  const treeAdapter = boundedAdapter(maxElements);
  const fragment = parseFragment(text, { treeAdapter });
  boundTree(fragment);
  const root = fromParse5(fragment);
  return root.type === "root" ? root : { type: "root", children: [] };
}

/** Stops the parser where open elements nest too deeply, or become too many. */
function boundedAdapter(
  maxElements: number,
): TreeAdapter<Tree.DefaultTreeAdapterMap> {
  let elements = 0;
  let depth = 0;
  return {
    ...defaultTreeAdapter,
    createElement(tagName, namespace, attributes) {
      elements += 1;
      if (elements > maxElements) throw new TooMuchHtml();
      return defaultTreeAdapter.createElement(tagName, namespace, attributes);
    },
    onItemPush() {
      depth += 1;
      if (depth > ABSURD_DEPTH) throw new TooMuchHtml();
    },
    onItemPop() {
      depth -= 1;
    },
  };
}

/**
 * Removes from a tree what is expensive to convert and is dropped afterwards anyway: unknown
 * attributes, long lists of classes, the content of templates. Misnested tags can make a tree
 * deeper than elements were ever open, so its depth is checked again.
 */
function boundTree(fragment: Tree.DocumentFragment): void {
  let level = fragment.childNodes;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > ABSURD_DEPTH) throw new TooMuchHtml();
    const next: Tree.ChildNode[] = [];
    for (const node of level) {
      if (!defaultTreeAdapter.isElementNode(node)) continue;
      boundElement(node);
      for (const child of node.childNodes) next.push(child);
    }
    level = next;
  }
}

function boundElement(element: Tree.Element): void {
  if (element.attrs.length > 0)
    element.attrs = element.attrs.flatMap(({ name, value }) => {
      const length = MAX_LENGTHS.get(name);
      return length === undefined
        ? []
        : [{ name, value: value.slice(0, length) }];
    });
  if (isTemplate(element)) element.content.childNodes = [];
  if (!isPlainHtml(element)) element.tagName = "unknown";
}

function isTemplate(element: Tree.Element): element is Tree.Template {
  return "content" in element;
}

/**
 * An `<a>` of SVG is not an HTML element; and where the name of an element has a dot or a hash, it
 * is taken for a selector when the tree is converted.
 */
function isPlainHtml({ namespaceURI, tagName }: Tree.Element): boolean {
  const isHtml = namespaceURI === html.NS.HTML && !/[.#]/.test(tagName);
  return isHtml || DROPPED_WITH_TEXT.includes(tagName);
}
