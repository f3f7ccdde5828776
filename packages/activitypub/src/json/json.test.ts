import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { parseJson, serialize } from "./json.ts";
import type { JsonObject } from "./json-types.ts";

const parse = (text: string) => parseJson(Buffer.from(text));
const plain = (json: JsonObject): unknown => JSON.parse(serialize(json));
const malformed = { name: "ActivityPubError", code: "malformed_json" };

describe("parseJson", () => {
  test("reads every kind of value", () => {
    const text =
      ' {"a":[1,-0.5e2,true,false,null,"x\\u00e9\\n\\"\\\\"],"b":{},"c":[]}\r\n\t';
    assert.deepEqual(plain(parse(text)), JSON.parse(text));
  });

  test("agrees with JSON.parse on what serialize writes", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue({ noUnicodeString: false })),
        (value) => {
          const text = JSON.stringify(value);
          const expected = JSON.parse(text, (name, inner: unknown) =>
            name === "__proto__" ||
            name === "constructor" ||
            name === "prototype"
              ? undefined
              : inner,
          ) as unknown;
          assert.deepEqual(plain(parse(text)), expected);
        },
      ),
    );
  });

  test("refuses everything that JSON.parse refuses", () => {
    const inputs = [
      "",
      " ",
      "{",
      '{"a"}',
      '{"a":}',
      '{"a":1,}',
      "{,}",
      '{"a":1}x',
      "{a:1}",
      "{'a':1}",
      '{"a":01}',
      '{"a":1.}',
      '{"a":.5}',
      '{"a":+1}',
      '{"a":0x10}',
      '{"a":NaN}',
      '{"a":tru}',
      '{"a":"\n"}',
      '{"a":"\\x"}',
      '{"a":"\\u12g4"}',
      '{"a":"x}',
      '{"a":"x\\',
      '{"a":[1,]}',
      '{"a":[1',
      '{"a" 1}',
      '{/**/"a":1}',
    ];
    for (const input of inputs) {
      assert.throws(() => JSON.parse(input));
      assert.throws(() => parse(input), malformed, input);
    }
  });

  test("refuses ambiguous JSON that JSON.parse accepts", () => {
    const inputs = [
      "[]",
      '"x"',
      "null",
      '{"a":1,"a":2}',
      '{"a":1,"\\u0061":2}',
      '{"__proto__":1,"__proto__":2}',
      '{"a":1e999}',
      '{"a":-1e999}',
    ];
    for (const input of inputs) {
      assert.doesNotThrow(() => JSON.parse(input));
      assert.throws(() => parse(input), malformed, input);
    }
  });

  test("refuses other encodings than UTF-8, and a byte order mark", () => {
    const bytes = (text: string, encoding: BufferEncoding) =>
      Buffer.from(text, encoding);
    for (const input of [
      bytes('{"a":"é"}', "latin1"),
      bytes('{"a":1}', "utf16le"),
      bytes('\uFEFF{"a":1}', "utf8"),
      Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
    ]) {
      assert.throws(() => parseJson(input), malformed);
    }
  });

  test("limits depth and bytes", () => {
    const nested = (depth: number) =>
      `{"a":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;
    assert.ok(parse(nested(100)));
    assert.throws(() => parse(nested(101)), malformed);
    assert.throws(() => parse("[".repeat(1_000_000)), malformed);
    const siblings = `{"a":[${"[],".repeat(1000)}[]]}`;
    assert.ok(parse(siblings));
    assert.throws(() => parse(`{"a":"${"x".repeat(1_048_576)}"}`), malformed);
    assert.throws(
      () => parseJson(Buffer.from('{"a":1}'), { maxBytes: 6 }),
      malformed,
    );
  });

  test("returns objects without a prototype", () => {
    const json = parse('{"toString":1,"hasOwnProperty":2,"constructor":3}');
    assert.deepEqual(Object.keys(json), ["toString", "hasOwnProperty"]);
    assert.equal("valueOf" in json, false);
  });

  test("takes linear time on a megabyte", () => {
    const started = performance.now();
    const many = Array.from({ length: 60_000 }, (_, n) => `"k${n}":${n}`);
    assert.equal(Object.keys(parse(`{${many.join(",")}}`)).length, 60_000);
    assert.ok(performance.now() - started < 5000);
  });
});
