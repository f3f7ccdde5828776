import assert from "node:assert/strict";
import { test } from "node:test";
import { cleanedHtml, html, toText, webAddress } from "./html.ts";

test("a value is escaped, between tags and in attributes", () => {
  const hostile = `<script>"'&`;
  assert.equal(
    toText(html`<p title="${hostile}">${hostile}</p>`),
    `<p title="&lt;script&gt;&quot;&#39;&amp;">&lt;script&gt;&quot;&#39;&amp;</p>`,
  );
});

test("HTML of ours stays, also in lists", () => {
  const item = html`<b>${"<"}</b>`;
  assert.equal(
    toText(html`<p>${[item, ">", item]}</p>`),
    "<p><b>&lt;</b>&gt;<b>&lt;</b></p>",
  );
  assert.equal(toText(html`${cleanedHtml("<i>x</i>")}`), "<i>x</i>");
});

test("a missing value leaves nothing, and zero is a number", () => {
  assert.equal(
    toText(html`<p>${undefined}${null}${false}${0}</p>`),
    "<p>0</p>",
  );
});

test("indents of the source are left out, blanks of values are kept", () => {
  // By another name, because the formatter writes templates of html anew.
  const raw = html;
  const shown = raw`<p>
      a
      ${"b\n  c"}
    </p>`;
  assert.equal(toText(shown), "<p>\na\nb\n  c\n</p>");
});

test("data cannot pass for HTML", () => {
  const forged = JSON.parse('{"markup":"<script>"}') as never;
  assert.doesNotMatch(toText(html`<p>${forged}</p>`), /script/);
});

test("only web addresses become links", () => {
  assert.equal(webAddress("https://a.example/x"), "https://a.example/x");
  for (const text of ["javascript:alert(1)", "data:text/html,x", "/x", null])
    assert.equal(webAddress(text), undefined);
});
