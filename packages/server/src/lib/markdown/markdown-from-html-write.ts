import { gfmTableToMarkdown } from "mdast-util-gfm-table";
import { defaultHandlers, toMarkdown } from "mdast-util-to-markdown";
import type {
  Attention,
  Handle,
  Info,
  Options,
  State,
} from "mdast-util-to-markdown";
import type {
  Heading,
  Image,
  InlineCode,
  Link,
  Paragraph,
  Parents,
  Root,
  Text,
} from "mdast";
import { escapeLineStarts, escapeText } from "./markdown-escape.ts";
import type { TextContext } from "./markdown-escape.ts";
import type { Named } from "./markdown-from-html-leaves.ts";
import { TAG_CHARACTER } from "./tags.ts";

/** `#word`, from a link to `url`. */
type Hashtag = { type: "hashtag"; value: string; url: string };
/** A person whose page is `url`. */
type Mention = { type: "mention"; handle: string; url: string };
/** A link that shows its own target: `value`, which is `url` without `mailto:`. */
type Address = { type: "address"; value: string; url: string };

declare module "mdast" {
  interface PhrasingContentMap {
    hashtag: Hashtag;
    mention: Mention;
    address: Address;
  }
  interface RootContentMap {
    hashtag: Hashtag;
    mention: Mention;
    address: Address;
  }
}

declare module "mdast-util-to-markdown" {
  interface ConstructNameMap {
    strikethrough: "strikethrough";
  }
}

/**
 * Writes a tree as Markdown that our own renderer reads as that tree. The library knows Markdown;
 * the handlers for inline content are ours, since our renderer links addresses, tags and mentions,
 * and keeps line breaks.
 */
export function writeMarkdown(tree: Root, named: Named | undefined): string {
  return toMarkdown(tree, optionsFor(named)).trimEnd();
}

/** Longer descriptions are cut. In UTF-16 units. */
const MAX_DESCRIPTION = 1500;

/** Pictures as Markdown, each in a paragraph. */
export function writePictures(
  pictures: readonly {
    readonly url: string;
    readonly text?: string | undefined;
  }[],
): string {
  const children = pictures.map(({ url, text = "" }): Paragraph => {
    const alt = text.slice(0, MAX_DESCRIPTION).toWellFormed();
    return { type: "paragraph", children: [{ type: "image", url, alt }] };
  });
  return writeMarkdown({ type: "root", children }, undefined);
}

const SHARED: Options = {
  bullet: "-",
  rule: "-",
  fences: true,
  listItemIndent: "one",
  extensions: [
    gfmTableToMarkdown({ tableCellPadding: true, tablePipeAlign: false }),
  ],
};

type Edges = { readonly before: string; readonly after: string };
type Write<Node> = (
  node: Node,
  parent: Parents | undefined,
  state: State,
  info: Info,
) => string;

/** @param peek the first character, for the text before it */
function handle<Node>(
  peek: (node: Node) => string,
  write: Write<Node>,
): Handle {
  return Object.assign(write as Handle, { peek });
}

function optionsFor(of: Named | undefined): Options {
  const named = of && {
    tags: of.tags,
    handles: new Set(of.people.values()),
  };
  const text = handle<Text>(
    ({ value }) => value.slice(0, 1),
    ({ value }, _parent, { stack }, { before, after }) =>
      escapeText(value, {
        before,
        after,
        // A link whose whole text is a name would become that name.
        named: stack.includes("label") ? NOTHING : named,
        linksAddresses: false,
        inLabel: stack.includes("label"),
        inCell: stack.includes("tableCell"),
      }),
  );
  return { ...SHARED, handlers: { ...HANDLERS, text } };
}

/** Emphasis with one marker: after `_`, which is part of words and tags, others would not close. */
function attention(
  construct: "strong" | "emphasis" | "strikethrough",
  sign: string,
  size: number,
): Handle {
  const choose: Attention = () => ({
    construct,
    markers: [sign],
    sizes: [size],
  });
  return Object.assign(() => "", { peek: () => sign, attention: choose });
}

const HANDLERS: Record<string, Handle> = {
  paragraph: (node: Paragraph, parent, state, info) =>
    escapeLineStarts(defaultHandlers.paragraph(node, parent, state, info)),
  // Signs at its end would be taken for the end of the heading.
  heading: (node: Heading, parent, state, info) =>
    defaultHandlers
      .heading(node, parent, state, info)
      .replace(/(?<= )(?=#+\s*$)/, "\\"),
  // Our renderer keeps line breaks, as that of diaspora* does.
  break: () => "\n",
  strong: attention("strong", "*", 2),
  emphasis: attention("emphasis", "*", 1),
  delete: attention("strikethrough", "~", 2),
  inlineCode: handle<InlineCode>(
    () => "`",
    ({ value }, _parent, state) => {
      const code = codeSpan(value);
      return inCell(state) ? code.replaceAll("|", "\\|") : code;
    },
  ),
  image: handle<Image>(
    () => "!",
    ({ url, alt }, _parent, state) => {
      const text = (alt ?? "").replace(/\s+/g, " ");
      // A label is parsed by itself, as if at the beginning of a line.
      const place = { ...LABEL, before: "\n", inCell: inCell(state) };
      const label = escapeText(text, place);
      return `![${label}](${destination(url)})`;
    },
  ),
  link: handle<Link>(
    () => "[",
    (node, _parent, state, info) => {
      const exit = state.enter("label");
      const edges = { before: "[", after: "]" };
      const label = state.containerPhrasing(node, { ...info, ...edges });
      exit();
      return `[${label}](${destination(node.url)})`;
    },
  ),
  mention: handle<Mention>(
    () => "[",
    (node) => `[@${node.handle}](${destination(node.url)})`,
  ),
  hashtag: handle<Hashtag>(
    () => "[",
    ({ value, url }, _parent, _state, edges) =>
      isTagBetween(edges) ? `#${value}` : `[#${value}](${destination(url)})`,
  ),
  address: handle<Address>(
    () => "<",
    (node, _parent, _state, edges) => writeAddress(node, edges),
  ),
};

const NOTHING = { tags: new Set<string>(), handles: new Set<string>() };
const TAG_GOES_ON = new RegExp(`^${TAG_CHARACTER}`, "u");

function inCell({ stack }: State): boolean {
  return stack.includes("tableCell");
}

function isTagBetween({ before, after }: Edges): boolean {
  return /(?:^|\s)$/.test(before) && !TAG_GOES_ON.test(after);
}

// An address that every renderer recognises from its first to its last character.
const BARE =
  /^https?:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d{1,5})?(?:[/?#](?:[\w%~+=@#&:/-]|[.?](?=[\w%/]))*)?(?<=[a-z0-9/])$/i;
const MAILBOX =
  /^[\w.+-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i;

function writeAddress({ value, url }: Address, edges: Edges): string {
  if (value !== url)
    return MAILBOX.test(value)
      ? `<${value}>`
      : `[${escapeText(value, LABEL)}](${destination(url)})`;
  const isAlone =
    /(?:^|\s)$/.test(edges.before) && /^(?:\s|$)/.test(edges.after);
  if (isAlone && BARE.test(url)) return url;
  return `<${url.replace(/[<>\s|]/g, encodeURIComponent)}>`;
}

const LABEL: TextContext = {
  before: "[",
  after: "]",
  named: NOTHING,
  linksAddresses: false,
  inLabel: true,
  inCell: true,
};

function destination(url: string): string {
  return url.replace(/[()<>\s\\|]/g, (c) =>
    c === "(" ? "%28" : c === ")" ? "%29" : encodeURIComponent(c),
  );
}

/** Inline code, between more backticks than it contains. */
function codeSpan(text: string): string {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g))
    longest = Math.max(longest, run.length);
  const marks = "`".repeat(longest + 1);
  const pad = /^`|`$|^ .* $/.test(text) ? " " : "";
  return `${marks}${pad}${text}${pad}${marks}`;
}
