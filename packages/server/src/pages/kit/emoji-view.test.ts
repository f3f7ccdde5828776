import assert from "node:assert/strict";
import { test } from "node:test";
import { showEmojis, withEmojis } from "./emoji-view.ts";
import { html, toText } from "./html.ts";

const emoji = (shortcode: string) => ({
  shortcode,
  url: `https://pics.example/${shortcode}.png?a&b`,
});
const shown = (text: string, ...names: string[]) =>
  toText(showEmojis(text, names.map(emoji)));
const picture = (name: string) =>
  `<img class="emoji" src="https://pics.example/${name}.png?a&amp;b" alt=":${name}:" title=":${name}:" />`;

test("shortcodes in a text become pictures, but not in code, in links' addresses or where they are unknown", () => {
  assert.equal(shown(":a::b:c:", "a", "b"), `${picture("a")}${picture("b")}c:`);
  assert.equal(shown(":x:a:", "a"), `:x${picture("a")}`);
  assert.equal(shown(":c++:", "c++"), picture("c++"));
  for (const same of [
    "<code>:a:</code>",
    '<pre tabindex="0"><code>1\n:a:</code></pre>',
    '<a href="https://a.example/:a:" title=":a:">x</a>',
    ":b: 12:30:45 :A:",
  ])
    assert.equal(shown(same, "a"), same);
  assert.equal(shown("<b>:a:</b>", "a"), `<b>${picture("a")}</b>`);
});

test("names are escaped around their pictures", () => {
  const name = withEmojis('<i>:a:"&:b:', [emoji("a")]);
  assert.equal(toText(html`${name}`), `&lt;i&gt;${picture("a")}&quot;&amp;:b:`);
  assert.equal(withEmojis(":a:", []), ":a:");
});

test("no text has more than two hundred pictures, and what is made to cost much is quick", () => {
  const many = shown(":a:".repeat(1000), "a");
  assert.equal(many.split("<img").length, 201);
  assert.ok(many.endsWith(":a:"));
  const alike = Array.from({ length: 50 }, (_, at) =>
    "a".repeat(62).concat(String(at)),
  );
  const text = `:${"a".repeat(63)}`.repeat(1000);
  assert.equal(shown(text, ...alike), text);
  assert.equal(shown("<code>".repeat(10_000), "a").length, 60_000);
});
