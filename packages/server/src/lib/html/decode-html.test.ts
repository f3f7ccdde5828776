import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeHtml } from "./decode-html.ts";

const latin = (text: string) => Buffer.from(text, "latin1");

test("the byte order mark comes before the type, and that before the document", () => {
  const meta = '<meta charset="windows-1252">ü';
  assert.equal(decodeHtml(Buffer.from(`\uFEFF${meta}`), ""), meta);
  const wide = Buffer.from("\uFEFFü", "utf16le");
  assert.equal(decodeHtml(wide, "text/html; charset=utf-8"), "ü");
  const typed = "text/html; Charset='iso-8859-1'";
  assert.equal(decodeHtml(latin("ü"), typed), "ü");
  assert.equal(decodeHtml(latin(meta), "text/html"), meta);
  const http =
    "<META http-equiv=Content-Type content='text/html; charset=koi8-r'>";
  const bytes = Buffer.concat([latin(http), Buffer.from([0xf0])]);
  assert.equal(decodeHtml(bytes, ""), `${http}П`);
});

test("without any of them it is UTF-8", () => {
  assert.equal(decodeHtml(Buffer.from("ü"), "text/html"), "ü");
  assert.equal(decodeHtml(new Uint8Array(), ""), "");
});

test("unknown, forbidden and wrong encodings do no harm", () => {
  for (const label of ["nonsense", "utf-7", "iso-2022-kr", "__proto__"])
    assert.equal(
      decodeHtml(Buffer.from("ü"), `text/html; charset=${label}`),
      "ü",
    );
  assert.equal(decodeHtml(latin("ü"), "text/html; charset=utf-8"), "\uFFFD");
});
