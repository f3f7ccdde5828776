import assert from "node:assert/strict";
import { test } from "node:test";
import { fault } from "../../test/fault.ts";
import { parseXml } from "./xml.ts";
import { replaceNonXmlCharacters, textElement } from "./xml-write.ts";

function textOf(inner: string): string {
  return parseXml(`<a>${inner}</a>`, "payload").text;
}

test("names, attributes, order and text are preserved", () => {
  const root = parseXml(
    '<me:a x="1 &amp; 2"> <b>one</b><c/><b>two</b></me:a>',
    "payload",
  );
  assert.equal(root.name, "me:a");
  assert.equal(root.attributes["x"], "1 & 2");
  assert.deepEqual(
    root.children.map(({ name, text }) => [name, text]),
    [
      ["b", "one"],
      ["c", ""],
      ["b", "two"],
    ],
  );
});

test("text is decoded once and never trimmed", () => {
  assert.equal(textOf(" \n a \t "), " \n a \t ");
  assert.equal(textOf("&#65;&#x1F600;&amp;lt;&quot;&apos;"), "A😀&lt;\"'");
  assert.equal(
    textOf("a<![CDATA[<b>&amp;]]>c<!-- d --><?e f?>g"),
    "a<b>&amp;cg",
  );
});

test("literal line ends become LF, character references stay", () => {
  assert.equal(textOf("a\r\nb\rc&#13;\nd&#xD;"), "a\nb\nc\r\nd\r");
});

test("a declaration of XML 1.1 does not change the rules for line ends", () => {
  const root = parseXml(
    '<?xml version="1.1"?><a>x\u0085y\u2028z</a>',
    "payload",
  );
  assert.equal(root.text, "x\u0085y\u2028z");
});

test("a DOCTYPE is refused in every effective position", () => {
  for (const xml of [
    "<!DOCTYPE a><a/>",
    '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
    "<!doctype a><a/>",
    "<!-- <![CDATA[ --><!DOCTYPE a><a/>",
  ]) {
    assert.throws(
      () => parseXml(xml, "envelope"),
      fault("envelope", "doctype_refused"),
      xml,
    );
  }
});

test("a DOCTYPE in CDATA is only text", () => {
  assert.equal(textOf("<![CDATA[<!DOCTYPE html>]]>"), "<!DOCTYPE html>");
});

test("malformed XML is refused", () => {
  const broken = [
    "",
    " ",
    "a",
    "<a>",
    "<a></b>",
    "<a/><b/>",
    "<a>&b;</a>",
    "<a>&constructor;</a>",
  ];
  for (const xml of [
    ...broken,
    "<a>\u0000</a>",
    "<a>&#0;</a>",
    "<a x='1' x='2'/>",
    "<a>]]></a>",
    "<a>\uD800</a>",
  ]) {
    assert.throws(
      () => parseXml(xml, "payload"),
      fault("payload", "malformed_xml"),
      xml,
    );
  }
});

test("depth, elements, attributes, references and size have limits", () => {
  const nested = (depth: number) => "<a>".repeat(depth) + "</a>".repeat(depth);
  assert.equal(parseXml(nested(8), "payload").name, "a");
  assert.throws(
    () => parseXml(nested(9), "payload"),
    fault("payload", "too_complex"),
  );
  const wide = (count: number) => `<a>${"<b/>".repeat(count - 1)}</a>`;
  assert.equal(parseXml(wide(2000), "payload").children.length, 1999);
  assert.throws(
    () => parseXml(wide(2001), "payload"),
    fault("payload", "too_complex"),
  );
  const attributes = (count: number) =>
    `<a ${Array.from({ length: count }, (_, index) => `x${index}='1'`).join(" ")}/>`;
  assert.equal(
    Object.keys(parseXml(attributes(16), "payload").attributes).length,
    16,
  );
  assert.throws(
    () => parseXml(attributes(17), "payload"),
    fault("payload", "too_complex"),
  );
  const references = (count: number) => `<a>${"&amp;".repeat(count)}</a>`;
  assert.equal(parseXml(references(2 ** 17), "payload").text.length, 2 ** 17);
  assert.throws(
    () => parseXml(references(2 ** 17 + 1), "payload"),
    fault("payload", "too_complex"),
  );
  assert.throws(
    () => parseXml(" ".repeat(2 ** 21 + 1), "payload"),
    fault("payload", "too_large"),
  );
});

test("a written element round-trips", () => {
  const text = " <a> & ]]> \r\n\t\"' 😀 ";
  const xml = textElement("text", text);
  assert.equal(xml, "<text> &lt;a&gt; &amp; ]]&gt; &#13;\n\t\"' 😀 </text>");
  assert.equal(parseXml(xml, "payload").text, text);
  assert.equal(textElement("text", ""), "<text/>");
});

test("characters that XML does not allow are replaced, one for one", () => {
  assert.equal(
    replaceNonXmlCharacters("a\u0000\u000B\uD800b\uFFFE😀\r"),
    "a\uFFFD\uFFFD\uFFFDb\uFFFD😀\r",
  );
});

test("only a valid name can be an element's name", () => {
  for (const name of ["", "1a", "a b", "a>", "<a", "-a", "a\n", "é×"]) {
    assert.throws(
      () => textElement(name, ""),
      fault("payload", "invalid_property"),
      name,
    );
  }
  for (const name of ["a", "_a-1.b", "x:y", "é"]) {
    assert.equal(textElement(name, ""), `<${name}/>`);
  }
});
