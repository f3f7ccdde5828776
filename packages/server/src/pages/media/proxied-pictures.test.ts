import assert from "node:assert/strict";
import { test } from "node:test";
import { cleanHtml } from "../../lib/html/html-cleaner.ts";
import { html, toText } from "../kit/html.ts";
import { proxyPictures } from "./proxied-pictures.ts";

const addressOf = (url: string) => `/proxy/${encodeURIComponent(url)}`;
const proxied = (page: string) => proxyPictures(page, { addressOf });

test("every picture of another server is loaded from here", () => {
  const url = "https://pics.example/a.png?b=1&c='2'";
  const page = html`<p>
    <img class="avatar" src="${url}" alt="" /><img alt="b" src="${url}" />
  </p>`;
  const at = encodeURIComponent(new URL(url).href).replaceAll("'", "&#39;");
  assert.equal(
    proxied(toText(page)).replaceAll(/\s+/g, " "),
    `<p> <img class="avatar" src="/proxy/${at}" alt="" /><img alt="b" src="/proxy/${at}" /> </p>`,
  );
});

test("paths of this server, links and texts stay as they are", () => {
  const page = toText(
    html`<img src="/assets/a.svg" alt="" /><a href="https://a.example/">x</a>
      <p>${'<img src="https://a.example/">'}</p>`,
  );
  assert.equal(proxied(page), page);
});

test("no description hides the picture of a hostile text", () => {
  const evil = "https://evil.example/a.png";
  for (const alt of ["x src=", ' src="', "> src=", "<img src=", 'a" src="b'])
    for (const page of [
      toText(html`<img alt="${alt}" title="${alt}" src="${evil}" />`),
      cleanHtml(
        `<img alt="${alt.replaceAll('"', "&quot;")}" title=' src=' src="${evil}">`,
      ),
    ]) {
      const shown = proxied(page);
      assert.ok(!shown.includes(`="${evil}"`), shown);
      assert.ok(shown.includes(`src="${addressOf(evil)}"`), shown);
    }
});
