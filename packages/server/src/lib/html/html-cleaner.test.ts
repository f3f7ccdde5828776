import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { cleanHtml, escapeHtml, htmlToText } from "./html-cleaner.ts";

const REL = 'rel="nofollow noopener noreferrer"';

describe("markup that stays", () => {
  const unchanged = [
    "plain text with \"quotes\" and 'apostrophes'",
    "<p>one<br>two</p><p>three</p>",
    "<p><strong>a</strong> <em>b</em> <b>c</b> <i>d</i> <u>e</u></p>",
    "<p><del>a</del> <s>b</s> x<sup>2</sup> y<sub>1</sub></p>",
    '<pre><code class="language-js">if (a &lt; b) {}\n\n  c</code></pre>',
    "<blockquote><p>said</p></blockquote>",
    '<ol start="3" reversed="reversed"><li value="7">a</li></ol>',
    "<ul><li>a<ul><li>b</li></ul></li><li><p>c</p></li></ul>",
    "<h1>1</h1><h2>2</h2><h3>3</h3><h4>4</h4><h5>5</h5><h6>6</h6><hr>",
    `<p><a href="https://example.org/a?b=1&amp;c=2" ${REL}>x</a></p>`,
    `<a href="mailto:alice@example.org" ${REL}>mail</a>`,
    `<span class="h-card"><a href="https://example.org/@bob" class="u-url mention" ${REL}>@<span>bob</span></a></span>`,
    '<a href="https://example.org/tags/a" class="mention hashtag" rel="tag nofollow noopener noreferrer">#<span>a</span></a>',
    '<span class="invisible">https://</span><span class="ellipsis">x</span>',
    '<img src="https://example.org/a.png" alt="A cat" title="t" width="20" height="10">',
    "<table><caption>c</caption><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>",
    "<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>",
    "emoji 🦊 and &amp;lt; entities",
    "",
  ];
  for (const html of unchanged) {
    test(html || "nothing", () => {
      assert.equal(cleanHtml(html), html);
    });
  }
});

describe("markup that changes", () => {
  const cases: [string, string, string][] = [
    [
      "ids and styles",
      '<p id="a" style="color:red" lang="x">b</p>',
      "<p>b</p>",
    ],
    ["handlers", '<p onclick="x()" data-a="b">c</p>', "<p>c</p>"],
    [
      "unknown classes",
      '<span class="btn mention">a</span>',
      '<span class="mention">a</span>',
    ],
    [
      "target",
      `<a href="https://a.org/" target="_top" download>b</a>`,
      `<a href="https://a.org/" ${REL}>b</a>`,
    ],
    [
      "rel=me",
      '<a href="https://a.org/" rel="me tag">b</a>',
      '<a href="https://a.org/" rel="tag nofollow noopener noreferrer">b</a>',
    ],
    [
      "links to nowhere",
      '<a name="x">b</a><a href="/x">c</a><a href="//a.org/">d</a>',
      "bcd",
    ],
    [
      "pictures without address",
      '<img alt="a cat"> <img src="/x.png">',
      "a cat ",
    ],
    [
      "links in links",
      '<a href="https://a.org/">a<a href="https://b.org/">b</a>',
      `<a href="https://a.org/" ${REL}>a</a><a href="https://b.org/" ${REL}>b</a>`,
    ],
    ["open elements", "<p>a<b>b<p>c", "<p>a<b>b</b></p><p><b>c</b></p>"],
    ["misnested elements", "<b>a<i>b</b>c</i>", "<b>a<i>b</i></b><i>c</i>"],
    ["emphasis around blocks", "<b><p>a</b>b</p>", "<b></b><p><b>a</b>b</p>"],
    [
      "paragraphs in paragraphs",
      "<p>a<button><p>b</p></button>c</p>",
      "<p>a<br>b<br>c</p>",
    ],
    [
      "headings in headings",
      "<h1>a<x-y><h2>b</h2></x-y></h1>",
      "<h1>a<br>b</h1>",
    ],
    [
      "items in items",
      "<ul><li>a<section><li>b</ul>",
      "<ul><li>a<br>b</li></ul>",
    ],
    [
      "links in cells in links",
      `<a href="https://a.org/"><table><td><a href="https://b.org/">b</a>`,
      `<a href="https://a.org/" ${REL}><table><tbody><tr><td>b</td></tr></tbody></table></a>`,
    ],
    ["elements of SVG", '<svg><a href="https://a.org/">a</a><td>b</svg>', "ab"],
    ["names that look like selectors", "<p.a>b</p.a><table#b>c", "bc"],
    ["end tags alone", "<b>a</b></p>b</br>c", "<b>a</b><p></p>b<br>c"],
    ["carriage returns", "a\r\nb&#13;c", "a\nbc"],
    [
      "blocks in paragraphs",
      "<p>a<ul><li>b</ul>",
      "<p>a</p><ul><li>b</li></ul>",
    ],
    [
      "divisions",
      "<div>a</div><div>b</div>c<section>d</section>",
      "a<br>b<br>c<br>d",
    ],
    [
      "divisions around blocks",
      "<div><p>a</p></div><div><p>b</p></div>",
      "<p>a</p><p>b</p>",
    ],
    ["definition lists", "<dl><dt>a<dd>b</dl>", "a<br>b"],
    [
      "cells without rows",
      "<table><td>a</td></table>",
      "<table><tbody><tr><td>a</td></tr></tbody></table>",
    ],
    [
      "text in tables",
      "<table>x<tr>y<td>a</table>",
      "xy<table><tbody><tr><td>a</td></tr></tbody></table>",
    ],
    ["rows without a table", "<tr><td>a</td><td>b</td></tr>", "a<br>b"],
    ["items without a list", "<li>a</li><li>b</li>", "a<br>b"],
    [
      "old names",
      "<strike>a</strike><kbd>b</kbd><ins>c</ins>",
      "<s>a</s><code>b</code><u>c</u>",
    ],
    ["comments", "a<!-- b -->c<!d>e<?f?>g", "aceg"],
    ["first line break of pre", "<pre>\n\na</pre>", "<pre>\n\na</pre>"],
    [
      "odd URLs",
      '<a href="https:example.org/ä b">a</a>',
      `<a href="https://example.org/%C3%A4%20b" ${REL}>a</a>`,
    ],
    ["spelling", "<P>A<BR/>B</P>", "<p>A<br>B</p>"],
    ["control characters", "a\u0000b\u0008c\ud800d\te", "abc\ufffdd\te"],
    ["formulas", "<math><mi>x</mi><annotation>\\x</annotation></math>", "x"],
    [
      "metadata",
      "<html><head><title>t</title></head><body><p>a</p></body></html>",
      "<p>a</p>",
    ],
  ];
  for (const [name, html, clean] of cases) {
    test(name, () => {
      assert.equal(cleanHtml(html), clean);
      assert.equal(cleanHtml(clean), clean);
    });
  }
});

describe("limits", () => {
  test("cuts at 1 MiB, wherever that falls", () => {
    const long = cleanHtml("a".repeat(1_048_570) + "<b>&amp;bold</b> more");
    assert.ok(long.startsWith("aaa"));
    assert.ok(long.length < 1_048_590);
    assert.equal(cleanHtml("x".repeat(3_000_000)).length, 1_048_576);
    assert.equal(cleanHtml("x".repeat(1_048_575) + "🦊").length, 1_048_576);
  });

  test("keeps sixty levels, and the text of what is deeper", () => {
    const nested = (depth: number) =>
      cleanHtml("<b>".repeat(depth) + "x" + "</b>".repeat(depth));
    assert.equal(nested(50).split("<b>").length, 51);
    assert.equal(nested(150).split("<b>").length, 61);
    assert.equal(nested(5000), "x");
  });

  test("long attributes are dropped or cut", () => {
    const url = `https://example.org/${"a".repeat(3000)}`;
    assert.equal(cleanHtml(`<a href="${url}">x</a>`), "x");
    const alt = cleanHtml(
      `<img src="https://a.org/" alt="${"b".repeat(20_000)}">`,
    );
    assert.ok(alt.length < 10_100);
  });
});

describe("text", () => {
  const cases: [string, string][] = [
    ["<p>one<br>two</p><p>three</p>", "one\ntwo\n\nthree"],
    ["<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>", "- a\n- b\n- c"],
    ['<ol start="4"><li>a</li><li>b</li></ol>', "4. a\n5. b"],
    ["a   b\n c <b> d</b>e", "a b c de"],
    ["<pre>a\n  b\n</pre>c", "a\n  b\n\nc"],
    ['see <img src="https://a.org/" alt="a cat">', "see a cat"],
    [
      "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>",
      "a b\nc",
    ],
    ["&lt;script&gt; &amp; co.", "<script> & co."],
    ["<script>x</script><h1>a</h1>b", "a\n\nb"],
    ["", ""],
  ];
  for (const [html, text] of cases) {
    test(html || "nothing", () => {
      assert.equal(htmlToText(html), text);
    });
  }
});

test("escaping", () => {
  assert.equal(
    escapeHtml(`<a b="c" d='e'>&`),
    "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;",
  );
});

test("tags behind the first fifteen thousand are left out, their text stays", () => {
  const html = cleanHtml(`${"<b>x</b>".repeat(9000)}<p>behind</p><`);
  assert.equal(html.split("<").length - 1, 15_000);
  assert.ok(html.endsWith("xxbehind&lt;"));
});

test("a link to a host that no name can have is none", () => {
  const label = "\u4e00".repeat(64);
  assert.equal(cleanHtml(`<a href="http://${label}.example/">x</a>`), "x");
  assert.equal(cleanHtml(`<a href="http:\\/\\${label}/">x</a>`), "x");
});
