import assert from "node:assert/strict";
import { test } from "node:test";
import { htmlToMarkdown } from "../markdown/markdown-from-html.ts";
import { htmlFromBbcode } from "./html-from-bbcode.ts";

const markdownOf = (text: string): string =>
  htmlToMarkdown(htmlFromBbcode(text).html).trim();

test("the tags of Friendica become Markdown", () => {
  for (const [bbcode, markdown] of [
    [
      "[b]bold[/b], [i]slanted[/i] and [s]gone[/s]",
      "**bold**, *slanted* and ~~gone~~",
    ],
    ["[url=https://a.example/x]there[/url]", "[there](https://a.example/x)"],
    ["[url]https://a.example/[/url]", "https://a.example/"],
    [
      "[bookmark=https://a.example/]a page[/bookmark]",
      "[a page](https://a.example/)",
    ],
    [
      "[attachment type='link' url='https://a.example/' title='x']words[/attachment]",
      "[words](https://a.example/)",
    ],
    ["[quote=Bob]said[/quote]", "> said"],
    ["[code]a[b]c[/code]", "`a[b]c`"],
    ["[code=php]one\ntwo[/code]", "```\none\ntwo\n```"],
    ["[h2]head[/h2]text", "## head\n\ntext"],
    ["[color=red][size=20]plain[/size][/color]", "plain"],
    ["[nobb][b]no[/b][/nobb]", "[b]no[/b]"],
    ["[ul][li]one[/li][li]two[/li][/ul]", "- one\n- two"],
    ["a < b & *c*", "a < b & \\*c\\*"],
  ] as const)
    assert.equal(markdownOf(bbcode), markdown, bbcode);
});

test("nested, unclosed and crossing tags end with what is around them", () => {
  for (const [bbcode, markdown] of [
    ["[b]one [i]two[/i] three[/b]", "**one *two* three**"],
    ["[b]never closed", "**never closed**"],
    ["[quote][b]crossing[/quote] after[/b]", "> **crossing**\n\nafter"],
    ["[/b]closed only[/i]", "closed only"],
    ["[code]never closed", "[code]never closed"],
    ["[unknown]as it is[/unknown]", "[unknown]as it is[/unknown]"],
    ["[url=javascript:alert(1)]click[/url]", "click"],
    ["[url]javascript:alert(1)[/url]", "javascript:alert(1)"],
    ["[img]javascript:alert(1)[/img]", ""],
  ] as const)
    assert.equal(markdownOf(bbcode), markdown, bbcode);
});

test("markup of HTML stays text, whatever tag it stands in", () => {
  for (const bbcode of [
    "<script>x</script>",
    "[b=<script>x</script>]<img src=x onerror=y>[/b]",
    `[url=https://a.example/"onclick="x]<b>[/url]`,
    "[code]</code><script>x</script>[/code]",
    "[video]<script>x</script>[/video]",
  ]) {
    const { html } = htmlFromBbcode(bbcode);
    assert.doesNotMatch(html, /<(?:script|img)|"onclick/, bbcode);
  }
});

test("pictures and shared texts of others are taken out", () => {
  const { html, pictures, shares } = htmlFromBbcode(
    "mine[img]https://a.example/1.png[/img][img=https://a.example/2.png]a cat[/img]" +
      "[img=10x10]https://a.example/3.png[/img][share author='Bob']theirs[/share]",
  );
  assert.equal(html, "mine");
  assert.ok(shares);
  assert.deepEqual(pictures, [
    { url: "https://a.example/1.png", text: "" },
    { url: "https://a.example/2.png", text: "a cat" },
    { url: "https://a.example/3.png", text: "" },
  ]);
});

test("hostile text is read in its time", () => {
  for (const part of [
    "[",
    "[b=",
    "[b]",
    "[/b]",
    "[code]",
    "[url=",
    "[img]",
    "[list][*]",
  ]) {
    const startedAt = performance.now();
    const { html } = htmlFromBbcode(part.repeat(400_000 / part.length));
    assert.ok(html.length < 10_000_000);
    assert.ok(performance.now() - startedAt < 4_000, part);
  }
  const deep = htmlFromBbcode("[quote]".repeat(5_000)).html;
  assert.ok(deep.split("<blockquote>").length <= 41);
});
