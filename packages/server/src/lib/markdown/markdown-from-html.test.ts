import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { cleanHtml, htmlToText } from "../html/html-cleaner.ts";
import { htmlToMarkdown } from "./markdown-from-html.ts";
import { mentionsIn, renderMarkdown, tagsIn } from "./markdown.ts";

const plain = {
  mention: () => undefined,
  tagHref: (tag: string) => `https://pod.example/tags/${tag}`,
};

function table(cases: [string, string][]) {
  for (const [html, markdown] of cases) {
    test(html, () => {
      assert.equal(htmlToMarkdown(html), markdown);
    });
  }
}

describe("structure", () => {
  table([
    ["<p>a<br>b</p><p>c</p>", "a\nb\n\nc"],
    ["plain", "plain"],
    ["", ""],
    ["<p> a \n b </p>", "a b"],
    ["<p><b>a </b>b<i> c</i><del>d</del></p>", "**a** b *c*~~d~~"],
    ["<p><strong></strong>a</p>", "a"],
    ["<h2>a<br>b</h2>", "## a b"],
    ["<hr>", "---"],
    [
      "<blockquote><p>a</p><p>b<br>c</p></blockquote><p>d</p>",
      "> a\n>\n> b\n> c\n\nd",
    ],
    ["<blockquote>a<blockquote>b</blockquote></blockquote>", "> a\n>\n> > b"],
    ["<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>", "- a\n- b\n  - c"],
    [
      '<ol start="9"><li>a</li><li><p>b</p><p>c</p></li></ol>',
      "9. a\n10. b\n\n    c",
    ],
    [
      '<pre><code class="language-js">a\n\n  b\n</code></pre>',
      "```js\na\n\n  b\n```",
    ],
    ["<pre>```</pre>", "````\n```\n````"],
    ["<p><code>a ` b</code> <code>`</code></p>", "``a ` b`` `` ` ``"],
    [
      "<table><tr><th>a</th><th>b|c</th></tr><tr><td>1</td><td>2</td></tr></table>",
      "| a | b\\|c |\n| - | - |\n| 1 | 2 |",
    ],
    ["<div>a</div><div>b</div>", "a\nb"],
    ["<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "漢 (kan)"],
    ["<script>x</script><p style='a'>b</p>", "b"],
  ]);
});

describe("links and pictures", () => {
  table([
    [
      '<a href="https://a.example/b">c <b>d</b></a>',
      "[c **d**](https://a.example/b)",
    ],
    [
      '<a href="https://a.example/b_c">https://a.example/b_c</a>',
      "https://a.example/b_c",
    ],
    [
      '<a href="https://a.example/b."><span class="invisible">https://</span><span>a.example/b.</span></a>',
      "<https://a.example/b.>",
    ],
    [
      '<a href="https://a.example/(b)">c[1]</a>',
      "[c\\[1\\]](https://a.example/%28b%29)",
    ],
    ['wow!<a href="https://a.example/">a</a>', "wow\\![a](https://a.example/)"],
    ['<a href="mailto:a@b.example">a@b.example</a>', "<a@b.example>"],
    ['<a href="https://a.example/"></a>b', "b"],
    [
      '<img src="https://a.example/a.png" alt="a [cat]">',
      "![a \\[cat\\]](https://a.example/a.png)",
    ],
    [
      '<a href="https://a.example/"><img src="https://a.example/a.png" alt="x"></a>',
      "[![x](https://a.example/a.png)](https://a.example/)",
    ],
    ['<a href="javascript:x">a</a>', "a"],
  ]);
});

describe("mentions and tags", () => {
  const mention =
    '<span class="h-card"><a href="https://m.example/@bob_b" class="u-url mention">@<span>bob_b</span></a></span>';
  table([
    [`hi ${mention}`, "hi [@bob_b@m.example](https://m.example/@bob_b)"],
    [
      '<a href="https://m.example/@bob" class="mention">@bob@n.example</a>',
      "[@bob@n.example](https://m.example/@bob)",
    ],
    [
      '<a href="https://m.example/tags/a_b" class="mention hashtag" rel="tag">#<span>A_b</span></a>',
      "#A_b",
    ],
    ['<a href="https://m.example/tags/a" rel="tag">#a</a>', "#a"],
    [
      '<a href="https://m.example/tags/a" rel="tag">a tag</a>',
      "[a tag](https://m.example/tags/a)",
    ],
  ]);

  test("the object may know the person better", () => {
    const people = new Map([["https://m.example/users/1", "bob_b@n.example"]]);
    const named = { tags: new Set<string>(), people };
    for (const href of [
      "https://m.example/@bob_b",
      "https://m.example/users/1",
    ])
      assert.equal(
        htmlToMarkdown(`hi <a href="${href}" class="mention">@bob_b</a>`, {
          named,
        }),
        `hi [@bob_b@n.example](${href})`,
      );
  });

  test("where the object says what it names, its words name nothing else", () => {
    const people = new Map([["https://m.example/bob", "bob@m.example"]]);
    const named = { tags: new Set(["a"]), people };
    const html = "<p>#A #b @bob@m.example @eve@m.example</p>";
    const markdown = htmlToMarkdown(html, { named });
    assert.equal(markdown, "#A \\#b @bob@m.example \\@eve@m.example");
    assert.deepEqual(tagsIn(markdown), ["a"]);
    assert.deepEqual(mentionsIn(markdown), [{ handle: "bob@m.example" }]);
  });

  test("nobody is mentioned by writing the sign", () => {
    const markdown = htmlToMarkdown(
      "<p>@{bob@pod.example} `@{a@b.example}`</p>",
    );
    assert.deepEqual(mentionsIn(markdown), []);
    assert.deepEqual(tagsIn(htmlToMarkdown("<p>#a</p>")), ["a"]);
  });
});

const TEXTS = [
  "1. no list",
  "10) no list",
  "- no list",
  "+ no list",
  "* no list",
  "# no heading",
  "> no quote",
  "---",
  "===",
  "~~~",
  "***",
  "___",
  "| a | b |",
  "|---|---|",
  ":--|--:",
  "*no* _emphasis_ **here** ~~or~~ here",
  "2 * 3 * 4, snake_case, __init__",
  "`no code`",
  "[no link](https://a.example/)",
  "[no]: https://a.example/",
  "![no picture](https://a.example/a.png)",
  "<b>no tag</b> &amp; no entity &#35;",
  "back\\slash \\* \\\\",
  "#1 ## a #",
  "@{bob@pod.example}",
  "a < b > c & d",
];

describe("text stays text", () => {
  for (const text of TEXTS) {
    test(text, () => {
      const escaped = text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
      for (const html of [`<p>${escaped}</p>`, `<p>x<br>${escaped}</p>`]) {
        const again = renderMarkdown(htmlToMarkdown(html), plain);
        assert.equal(htmlToText(again), htmlToText(html));
        assert.doesNotMatch(again, /<(?!\/?(?:p|br|a|span)[ >])/);
      }
    });
  }

  test("the Markdown of any HTML can be rendered", () => {
    const piece = fc.constantFrom(
      ...["<p>", "</p>", "<b>", "</b>", "<ul><li>", "</ul>", "<blockquote>"],
      ...["<br>", "<pre>", "</pre>", "<code>", "</code>", "a", " ", "*", "`"],
      ...[
        '<a href="https://a.example/">',
        "</a>",
        "<h1>",
        "<table><td>",
        "[",
        "]",
      ],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const markdown = htmlToMarkdown(pieces.join(""));
        const html = renderMarkdown(markdown, plain);
        assert.equal(cleanHtml(html).trimEnd(), html);
      }),
    );
  });
});

const PATHOLOGICAL: Record<string, (length: number) => string> = {
  "nested emphasis": (n) => "<b>".repeat(95) + "x ".repeat(n / 2),
  "nested quotes": (n) => "<blockquote>".repeat(95) + "<br>x".repeat(n / 5),
  "nested lists": (n) => "<ul><li>".repeat(45) + "<br>x".repeat(n / 5),
  "open elements": (n) => "<b>".repeat(n / 3),
  stars: (n) => "*".repeat(n),
  brackets: (n) => "](".repeat(n / 2),
  mentions: (n) => "@{".repeat(n / 2),
  spaces: (n) => "a" + " &nbsp;".repeat(n / 7),
  breaks: (n) => "<br> ".repeat(n / 5),
  backticks: (n) => "<code>`</code>".repeat(n / 14),
  cells: (n) => "<table><tr>" + "<td>|".repeat(n / 5),
  links: (n) => '<a href="https://a.example/">a]</a>'.repeat(n / 35),
};

describe("pathological HTML takes time in proportion to its length", () => {
  for (const [name, make] of Object.entries(PATHOLOGICAL)) {
    test(name, () => {
      const time = (length: number) => {
        const html = make(length);
        const start = performance.now();
        assert.ok(htmlToMarkdown(html).length < 10_000_000);
        return performance.now() - start;
      };
      time(10_000);
      const half = time(500_000);
      const whole = time(1_000_000);
      assert.ok(
        whole < 8 * half + 3000,
        `${String(half)} -> ${String(whole)} ms`,
      );
    });
  }
});

test("of a text as many letters are read as one that is kept may have", () => {
  const most = 100_000;
  for (const around of [
    (text: string) => `<p>${text}</p>`,
    (text: string) => `<pre><code>${text}</code></pre>`,
  ]) {
    const markdown = htmlToMarkdown(around("x".repeat(2 * most)));
    const letters = markdown.match(/x/g)?.length ?? 0;
    // A block itself counts as a few letters.
    assert.ok(letters <= most && letters > most - 10, String(letters));
  }
});
