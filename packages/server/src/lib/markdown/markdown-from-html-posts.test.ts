import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { ElementContent } from "hast";
import { cleanToTree, escapeHtml, htmlToText } from "../html/html-cleaner.ts";
import { htmlToMarkdown } from "./markdown-from-html.ts";
import { mentionsIn, renderMarkdown, tagsIn } from "./markdown.ts";
import { foldTag } from "./tags.ts";

type Post = {
  server: string;
  html: string;
  text: string;
  links: string[];
  mentions: string[];
  tags: string[];
  tag?: { type: string; href: string; name: string }[];
};

const posts = JSON.parse(
  readFileSync(
    new URL("../../../../../test/vectors/posts/posts.json", import.meta.url),
    "utf8",
  ),
) as Post[];

/** What a reader finds in a text: all people are known, by their handles. */
function read(markdown: string) {
  const html = renderMarkdown(markdown, {
    mention: (handle) => ({ href: `https://here/${handle}`, label: handle }),
    tagHref: (tag) => `https://here/tags/${tag}`,
  });
  return {
    text: htmlToText(html),
    links: linksIn(cleanToTree(html)),
    mentions: mentionsIn(markdown).map(({ handle }) => handle),
    tags: tagsIn(markdown).sort(),
  };
}

function linksIn(nodes: readonly ElementContent[]): string[] {
  return nodes.flatMap((node) => {
    if (node.type !== "element") return [];
    const { href } = node.properties;
    const isOwn = href?.startsWith("https://here/") === true;
    const own = href === undefined || isOwn ? [] : [decodeURI(href)];
    return [...own, ...linksIn(node.children)];
  });
}

function namedBy(post: Post) {
  const tags = (post.tag ?? []).filter(({ type }) => type === "Hashtag");
  const people = (post.tag ?? []).filter(({ type }) => type === "Mention");
  return post.tag === undefined
    ? {}
    : {
        named: {
          tags: new Set(tags.map(({ name }) => foldTag(name.replace("#", "")))),
          people: new Map(
            people.map(({ href, name }) => [href, name.slice(1)]),
          ),
        },
      };
}

describe("posts of other servers say the same here", () => {
  for (const post of posts)
    test(`${post.server}: ${post.text.slice(0, 40)}`, () => {
      const found = read(htmlToMarkdown(post.html, namedBy(post)));
      // A tag that only the object's tags contain is stored beside the text.
      const inText = post.tags.filter((tag) =>
        found.text.toLowerCase().includes(`#${tag}`),
      );
      const { text, links, mentions } = post;
      assert.deepEqual(found, {
        text,
        links: links.map((url) => decodeURI(url)),
        mentions,
        tags: inText.sort(),
      });
    });
});

/** A piece of HTML with its meaning. */
type Piece = {
  html: string;
  links: string[];
  mentions: string[];
  tags: string[];
};

const nothing = { links: [], mentions: [], tags: [] };
const signs = [
  ..."*_~`[]()<>&!#@{}|\\:/-+=.,'\"1aéß日。「🐝 \u00a0\u3000",
  "https://",
  "mailto:",
  "#a",
  "@{a@b.c}",
  "@a@b.c",
  "&amp;",
  "1. ",
  "- ",
  "> ",
  "](",
  "www.a.example",
];
const words = fc
  .array(fc.constantFrom(...signs), { maxLength: 8 })
  .map((parts): Piece => ({ ...nothing, html: escapeHtml(parts.join("")) }));
const url = fc.constantFrom(
  ...[
    "https://e.example/x",
    "https://e.example/a_b*c*",
    "https://e.example/(d)?e=f&g=h#i",
    "https://e.example",
    "http://e.example/~é/",
  ],
);
const address = url.map((href): Piece => ({
  ...nothing,
  links: [href],
  html: `<a href="${escapeHtml(href)}">${escapeHtml(href)}</a>`,
}));
const mailbox = fc.constant<Piece>({
  ...nothing,
  links: ["mailto:a.b@e.example"],
  html: '<a href="mailto:a.b@e.example">a.b@e.example</a>',
});
const label = fc.constantFrom(
  "a",
  "a b",
  "[a]",
  "<b>a.</b>b",
  "#a",
  "@a@b.c",
  "https://f.example/",
  "a <i>b</i>",
  "<code>a]</code>",
);
const labelled = fc.tuple(url, label).map(([href, text]): Piece => ({
  ...nothing,
  links: [href],
  html: `<a href="${escapeHtml(href)}">${text}</a>`,
}));
const tag = fc.constantFrom("a", "B", "日本", "c-d").map((name): Piece => ({
  ...nothing,
  tags: [foldTag(name)],
  html: `<a href="https://e.example/tags/${encodeURIComponent(name)}" rel="tag">#<span>${name}</span></a>`,
}));
const mention = fc.constantFrom("ann", "b_b").map((name): Piece => ({
  ...nothing,
  mentions: [`${name}@e.example`],
  html: `<a href="https://e.example/@${name}" class="u-url mention">@<span>${name}@e.example</span></a>`,
}));
const picture = fc
  .constantFrom(
    "x",
    "#a",
    "@{a@b.c} @a@b.c",
    "https://f.example",
    "a ](b) [c",
    "*a* `b` ",
  )
  .map((alt): Piece => ({
    ...nothing,
    html: `<img src="https://e.example/i.png" alt="${alt}">`,
  }));
const code = fc
  .constantFrom("a", "`", "#a", " b ", "a|b")
  .map((text): Piece => ({ ...nothing, html: `<code>${text}</code>` }));
const end = fc
  .constantFrom("<br>", "<br><br>", " ")
  .map((html): Piece => ({ ...nothing, html }));

function join(
  pieces: readonly Piece[],
  around: readonly [string, string],
): Piece {
  return {
    html: around[0] + pieces.map(({ html }) => html).join("") + around[1],
    links: pieces.flatMap(({ links }) => links),
    mentions: pieces.flatMap(({ mentions }) => mentions),
    tags: pieces.flatMap(({ tags }) => tags),
  };
}

const around = fc.constantFrom<[string, string]>(
  ...["b", "i", "del", "strong", "em", "span", "u"].map(
    (name): [string, string] => [`<${name}>`, `</${name}>`],
  ),
);
const { line } = fc.letrec<{ line: Piece; part: Piece }>((tie) => ({
  line: fc
    .array(tie("part"), { maxLength: 6 })
    .map((pieces) => join(pieces, ["", ""])),
  part: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    words,
    address,
    mailbox,
    labelled,
    tag,
    mention,
    picture,
    code,
    end,
    fc.tuple(tie("line"), around).map(([one, tags]) => join([one], tags)),
  ),
}));
const block = fc.constantFrom<[string, string]>(
  ["<p>", "</p>"],
  ["<h2>", "</h2>"],
  ["<blockquote><p>", "</p></blockquote>"],
  ["<ul><li>", "</li><li>x</li></ul>"],
  ['<ol start="7"><li><p>', "</p><p>y</p></li></ol>"],
  [
    "<table><tr><th>h</th></tr><tr><td>1</td><td>",
    "</td><td>2</td></tr></table>",
  ],
  ["<div>", "</div>"],
  ["", ""],
);
const post = fc
  .array(
    fc.tuple(line, block).map(([one, tags]) => join([one], tags)),
    { maxLength: 3 },
  )
  .map((blocks) => join(blocks, ["", ""]));

const NOBODY = { tags: new Set<string>(), people: new Map<string, string>() };
const sorted = (values: readonly string[]) => [...new Set(values)].sort();
/** The text without white space: line breaks are not compared. */
const shown = (text: string) => text.replace(/[\s\u00a0]+/g, "");

test("any HTML says the same when its Markdown is rendered", () => {
  fc.assert(
    fc.property(post, (one) => {
      const markdown = htmlToMarkdown(one.html, {
        named: NOBODY,
      });
      const found = read(markdown);
      const expected = shown(htmlToText(one.html));
      assert.equal(shown(found.text), expected, markdown);
      assert.deepEqual(
        found.links.map((l) => new URL(l).href),
        one.links.map((l) => new URL(l).href),
        markdown,
      );
      assert.deepEqual(sorted(found.mentions), sorted(one.mentions), markdown);
      assert.deepEqual(sorted(found.tags), sorted(one.tags), markdown);
    }),
    { numRuns: 2000 },
  );
});
