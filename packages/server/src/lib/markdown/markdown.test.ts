import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { cleanHtml } from "../html/html-cleaner.ts";
import { mentionsIn, renderMarkdown, tagsIn } from "./markdown.ts";
import type { MarkdownContext } from "./markdown-rules.ts";

const REL = 'rel="nofollow noopener noreferrer"';
const context: MarkdownContext = {
  mention: (handle, name) =>
    handle.startsWith("nobody")
      ? undefined
      : { href: `https://pod.example/u/${handle}`, label: name ?? handle },
  tagHref: (tag) => `https://pod.example/tags/${encodeURIComponent(tag)}`,
};
const render = (text: string) => renderMarkdown(text, context);
const person = (handle: string, label: string) =>
  `<span class="h-card"><a href="https://pod.example/u/${handle}" class="u-url mention" ${REL}>@<span>${label}</span></a></span>`;
const tag = (name: string, shown = name) =>
  `<a href="https://pod.example/tags/${encodeURIComponent(name)}" class="mention hashtag" rel="tag nofollow noopener noreferrer">#<span>${shown}</span></a>`;
const link = (url: string, text = url) => `<a href="${url}" ${REL}>${text}</a>`;

function table(cases: [string, string][]) {
  for (const [text, html] of cases) {
    test(JSON.stringify(text), () => {
      assert.equal(render(text), html);
      assert.equal(cleanHtml(html), html);
    });
  }
}

describe("markdown", () => {
  table([
    ["", ""],
    ["helloworld", "<p>helloworld</p>"],
    ["a\nb\n\nc", "<p>a<br>\nb</p>\n<p>c</p>"],
    [
      "**a** *b* ~~c~~ `d`",
      "<p><strong>a</strong> <em>b</em> <s>c</s> <code>d</code></p>",
    ],
    ["# a\n## b", "<h1>a</h1>\n<h2>b</h2>"],
    ["> a", "<blockquote>\n<p>a</p>\n</blockquote>"],
    ["3. a\n4. b", '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>'],
    [
      "```js\na < b\n```",
      '<pre><code class="language-js">a &lt; b\n</code></pre>',
    ],
    [
      "![a cat](https://a.example/c.png)",
      '<p><img src="https://a.example/c.png" alt="a cat"></p>',
    ],
    [
      '[a](https://a.example/ "t")',
      `<p>${link("https://a.example/", "a")}</p>`,
    ],
    [
      "see https://a.example/b_c_d.",
      `<p>see ${link("https://a.example/b_c_d")}.</p>`,
    ],
    ["<https://a.example/>", `<p>${link("https://a.example/")}</p>`],
    [
      "a@b.example example.org www.example.org",
      "<p>a@b.example example.org www.example.org</p>",
    ],
    ['(c) -- "x" ...', '<p>(c) -- "x" ...</p>'],
    ["snake_case_name", "<p>snake_case_name</p>"],
    [
      "|a|b|\n|-|-|\n|1|2|",
      "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>",
    ],
  ]);
});

describe("no way around the cleaner", () => {
  table([
    [
      "<script>alert(1)</script>",
      "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>",
    ],
    ["<b onclick=x>a</b>", "<p>&lt;b onclick=x&gt;a&lt;/b&gt;</p>"],
    ["[a](javascript:alert(1))", "<p>[a](javascript:alert(1))</p>"],
    ["[a](JAVASCRIPT:alert(1))", "<p>[a](JAVASCRIPT:alert(1))</p>"],
    ["[a](java&#10;script:alert(1))", "<p>[a](java\nscript:alert(1))</p>"],
    ["![a](data:image/png;base64,AA)", "<p>![a](data:image/png;base64,AA)</p>"],
    ["![a](mailto:a@b.example)", "<p>a</p>"],
    ["[a](/local) [b](//c.example)", "<p>[a](/local) [b](//c.example)</p>"],
    ["[a]\n\n[a]: javascript:x", "<p>[a]</p>\n<p>[a]: javascript:x</p>"],
    [
      '[a](https://a.example/"onclick="x)',
      `<p>${link("https://a.example/%22onclick=%22x", "a")}</p>`,
    ],
    ["ftp://a.example //a.example", "<p>ftp://a.example //a.example</p>"],
    [
      "@{<img src=x>; a@b.example}",
      `<p>${person("a@b.example", "&lt;img src=x&gt;")}</p>`,
    ],
  ]);

  test("the result of any text is clean", () => {
    const piece = fc.constantFrom(
      ...["*", "_", "`", "[", "](", ")", "<", ">", "#a", "@{", "a@b.c}", "; "],
      ...[
        "\n",
        "\n\n",
        "> ",
        "- ",
        "    ",
        "|",
        "~~",
        "https://",
        "x",
        "!",
        "&",
      ],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join("");
        const html = render(text);
        assert.equal(cleanHtml(html).trimEnd(), html);
        tagsIn(text);
        mentionsIn(text);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("mentions", () => {
  table([
    [
      "hi @{bob@pod.example}!",
      `<p>hi ${person("bob@pod.example", "bob@pod.example")}!</p>`,
    ],
    [
      "@{Bob B.; bob@pod.example}",
      `<p>${person("bob@pod.example", "Bob B.")}</p>`,
    ],
    [
      "@{B_o_b *x*; b_o_b@pod.example}",
      `<p>${person("b_o_b@pod.example", "B_o_b *x*")}</p>`,
    ],
    [
      "_@{b_b@pod.example}_",
      `<p><em>${person("b_b@pod.example", "b_b@pod.example")}</em></p>`,
    ],
    [
      "@{BOB@Pod.Example:3000}",
      `<p>${person("bob@pod.example:3000", "bob@pod.example:3000")}</p>`,
    ],
    ["@{Nobody; nobody@pod.example}", "<p>Nobody</p>"],
    ["@{nobody@pod.example}", "<p>nobody@pod.example</p>"],
    ["`@{bob@pod.example}`", "<p><code>@{bob@pod.example}</code></p>"],
    ["    @{bob@pod.example}", "<pre><code>@{bob@pod.example}\n</code></pre>"],
    ["\\@{bob@pod.example}", "<p>@{bob@pod.example}</p>"],
    [
      "@{bob} @{} @{a b@c.example} @{bob@pod.example",
      "<p>@{bob} @{} @{a b@c.example} @{bob@pod.example</p>",
    ],
    [
      "[see @{bob@pod.example}](https://a.example/)",
      `<p>${link("https://a.example/", "see @bob@pod.example")}</p>`,
    ],
  ]);

  test("are written as a handle, too", () => {
    const bob = person("bob@pod.example", "bob@pod.example");
    assert.equal(render("hi @Bob@pod.example."), `<p>hi ${bob}.</p>`);
    assert.equal(render("(@bob@pod.example)"), `<p>(${bob})</p>`);
    const port = "bob@pod.example:3000";
    assert.equal(render(`@${port}!`), `<p>${person(port, port)}!</p>`);
    const page = "[@bob@pod.example](https://pod.example/@bob)";
    assert.equal(render(page), `<p>${bob}</p>`);
    const unknown = "@nobody@pod.example";
    assert.equal(render(unknown), `<p>${unknown}</p>`);
    assert.equal(
      render(`[${unknown}](https://a.example/)`),
      `<p>${link("https://a.example/", unknown)}</p>`,
    );
    assert.deepEqual(mentionsIn(`@bob@pod.example ${page} @eve@b.example:80`), [
      { handle: "bob@pod.example" },
      { handle: "eve@b.example:80" },
    ]);
    for (const none of [
      "me@bob@pod.example",
      "https://a.example/@bob@pod.example",
      "`@bob@pod.example`",
      "\\@bob@pod.example",
      "@bob @bob@",
      "@bob@pod@example",
      "[see @bob@pod.example](https://a.example/)",
    ])
      assert.deepEqual(mentionsIn(none), [], none);
  });

  test("a link that shows a tag alone is that tag", () => {
    const text = "([#A](https://m.example/tags/a))";
    assert.equal(render(text), `<p>(${tag("a", "A")})</p>`);
    assert.deepEqual(tagsIn(text), ["a"]);
    assert.deepEqual(tagsIn("[\\#a](https://a.example/)"), []);
  });

  test("are listed once each, in lower case", () => {
    const text =
      "@{Bob; Bob@Pod.Example} @{bob@pod.example} @{eve@b.example}\n`@{x@y.example}`";
    assert.deepEqual(mentionsIn(text), [
      { handle: "bob@pod.example", name: "Bob" },
      { handle: "eve@b.example" },
    ]);
    assert.deepEqual(mentionsIn("nobody here"), []);
  });
});

describe("tags", () => {
  table([
    ["#a and #B", `<p>${tag("a")} and ${tag("b", "B")}</p>`],
    ["x\n#foo_bar-baz.", `<p>x<br>\n${tag("foo_bar-baz")}.</p>`],
    [
      "#日本語 #Ünï #1 #<3",
      `<p>${tag("日本語")} ${tag("ünï", "Ünï")} ${tag("1")} ${tag("<3", "&lt;3")}</p>`,
    ],
    ["#\u200fأهلا", `<p>${tag("أهلا")}</p>`],
    ["a#b (#c) ##d # e", "<p>a#b (#c) ##d # e</p>"],
    [
      "https://a.example/ #a",
      `<p>${link("https://a.example/")} ${tag("a")}</p>`,
    ],
    ["https://a.example/#a", `<p>${link("https://a.example/#a")}</p>`],
    ["`#a` \\#b", "<p><code>#a</code> #b</p>"],
    ["# #a", `<h1>${tag("a")}</h1>`],
    [
      "[x #a](https://a.example/)",
      `<p>${link("https://a.example/", "x #a")}</p>`,
    ],
    ["**b #a**", `<p><strong>b ${tag("a")}</strong></p>`],
  ]);

  test("are listed once each, in lower case", () => {
    assert.deepEqual(tagsIn("#B #a #b `#c`\n\n    #d\n\n#NSFW"), [
      "b",
      "a",
      "nsfw",
    ]);
    assert.deepEqual(tagsIn("none"), []);
    assert.deepEqual(tagsIn(`#${"a".repeat(255)}`), ["a".repeat(255)]);
    assert.deepEqual(tagsIn(`#${"a".repeat(256)}`), []);
  });
});

describe("diaspora:// links", () => {
  const guid = "0123456789abcdef";
  const known: MarkdownContext = {
    ...context,
    diasporaLink: (l) =>
      l.handle === "bob@pod.example"
        ? `https://pod.example/${l.type}/${l.guid}`
        : undefined,
  };

  test("stay text where nobody resolves them", () => {
    const text = `diaspora://bob@pod.example/post/${guid}`;
    assert.equal(render(text), `<p>${text}</p>`);
    assert.equal(render(`[a](${text})`), "<p>a</p>");
    const other = `diaspora://eve@pod.example/post/${guid}`;
    assert.equal(renderMarkdown(other, known), `<p>${other}</p>`);
    const short = "[a](diaspora://bob@pod.example/post/1)";
    assert.equal(renderMarkdown(short, known), "<p>a</p>");
  });

  test("lead to the record where somebody does", () => {
    const url = `https://pod.example/post/${guid}`;
    for (const scheme of ["diaspora", "web+diaspora"]) {
      const text = `${scheme}://bob@pod.example/post/${guid}`;
      assert.equal(
        renderMarkdown(`see ${text}.`, known),
        `<p>see ${link(url, text)}.</p>`,
      );
      assert.equal(
        renderMarkdown(`[a](${text})`, known),
        `<p>${link(url, "a")}</p>`,
      );
    }
  });
});

describe("texts of very many marks", () => {
  test("are read up to a limit, and shown as they are behind it", () => {
    const html = render(`${"*a* ".repeat(5000)}**b** & #end\n<i>`);
    assert.ok(html.startsWith("<p><em>a</em> <em>a</em> "));
    const emphasised = html.split("<em>").length - 1;
    assert.equal(emphasised, 1500);
    assert.match(html, /<p>\*a\* \*a\* /);
    assert.ok(html.endsWith("**b** &amp; #end<br>\n&lt;i&gt;</p>"));
    assert.deepEqual(tagsIn(`#first ${"* ".repeat(5000)} #last`), ["first"]);
  });

  test("are cut between two words, and lose nothing", () => {
    const words = Array.from({ length: 4000 }, (_, index) => `w${index},`);
    const html = render(words.join(" "));
    const shown = html
      .replaceAll(/<\/?p>/g, " ")
      .trim()
      .split(/\s+/);
    assert.deepEqual(shown, words);
    assert.match(render(",".repeat(65_535)), /^<p>,+<\/p>\n<p>,+<\/p>$/);
  });

  test("a long text of words is read whole", () => {
    const line =
      "Some *words* that were written, and a [link](https://x.y).\n\n";
    const html = render(line.repeat(200) + "**end**");
    assert.ok(html.endsWith("<strong>end</strong></p>"));
  });

  for (const part of ["#a ", "![", "http://a ", "**a", "[[]", "<", "@{"])
    test(`of ${part} take no longer than others`, () => {
      const text = part.repeat(Math.floor(65_535 / part.length));
      render(text);
      const before = process.cpuUsage();
      render(text);
      // CPU time, which other programs do not lengthen: usually a tenth of it; without the limit a
      // second.
      const { user } = process.cpuUsage(before);
      assert.ok(user < 700_000, `${user / 1000} ms`);
    });
});
