import assert from "node:assert/strict";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import fc from "fast-check";
import { KithError, type ErrorCode } from "../../lib/errors.ts";
import { MAX_NESTING } from "./json-nesting.ts";
import { UploadedFile } from "./multipart.ts";
import { parseBody, parseForm, type Parameters } from "./parameters.ts";

const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";
const MULTIPART = 'multipart/form-data; boundary="x"';

const parse = async (type: string | undefined, body: string | Buffer) => ({
  ...(await parseBody(type, Buffer.from(body))),
});

async function assertRefused(
  type: string | undefined,
  body: string | Buffer,
  code: ErrorCode = "bad_request",
): Promise<void> {
  await assert.rejects(
    parse(type, body),
    (error) => error instanceof KithError && error.code === code,
    `${type}: ${String(body).slice(0, 60)}`,
  );
}

function part(head: string, value: string | Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`--x\r\ncontent-disposition: form-data; ${head}\r\n\r\n`),
    Buffer.from(value),
    Buffer.from("\r\n"),
  ]);
}

const multipart = (...parts: Buffer[]) =>
  Buffer.concat([...parts, Buffer.from("--x--\r\n")]);

test("a form is read as browsers write it", () => {
  const { ...read } = parseForm("a=1+2&b=%C3%A4%26&c&d=&&e=1&e=2&f=a=b");
  assert.deepEqual(read, {
    a: "1 2",
    b: "ä&",
    c: "",
    d: "",
    e: ["1", "2"],
    f: "a=b",
  });
});

test("a written form is read back as it was", () => {
  const texts = fc.string({ unit: "grapheme" });
  fc.assert(
    fc.property(fc.dictionary(texts, texts, { maxKeys: 20 }), (values) => {
      const pairs = Object.entries(values);
      const written = new URLSearchParams(pairs).toString();
      assert.deepEqual(Object.entries(parseForm(written)), pairs);
    }),
  );
});

test("bytes that are not UTF-8 are refused in every form", async () => {
  const bad = Buffer.from([0x61, 0xff, 0xfe]);
  const before = (text: string) => Buffer.concat([Buffer.from(text), bad]);
  await assertRefused(FORM, before("a="));
  for (const body of ["a=%ff", "%ff=a", "a=%F0%9F", "a=%ED%A0%80"])
    await assertRefused(FORM, body);
  await assertRefused(
    JSON_TYPE,
    Buffer.concat([before('{"a":"'), Buffer.from('"}')]),
  );
  await assertRefused(MULTIPART, multipart(part('name="a"', bad)));
  const honest = multipart(part('name="a"', "\uFFFD"));
  assert.deepEqual(await parse(MULTIPART, honest), { a: "\uFFFD" });
});

test("JSON is one object", async () => {
  assert.deepEqual(
    await parse("application/json; charset=utf-8", '{"a":[1]}'),
    {
      a: [1],
    },
  );
  for (const body of [
    "[]",
    "null",
    "1",
    '"a"',
    "",
    " ",
    "{",
    '{"a":1}x',
    "a=1",
  ])
    if (body !== "") await assertRefused(JSON_TYPE, body);
});

test("JSON is read as deep as any value is", async () => {
  const nested = (depth: number) =>
    `{"a":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;
  assert.ok("a" in (await parse(JSON_TYPE, nested(MAX_NESTING))));
  await assertRefused(JSON_TYPE, nested(MAX_NESTING + 1));
});

test("a multipart form gives its fields, and names its files", async () => {
  const body = multipart(
    part('name="text"', "line\r\nline"),
    part('name="list"', "1"),
    part('name="list"', "2"),
    part('name="image"; filename="a.png"', Buffer.from([0x89, 0xff, 0])),
  );
  assert.deepEqual(await parse(MULTIPART, body), {
    text: "line\r\nline",
    list: ["1", "2"],
    image: "",
  });
});

test("where a file is wanted, a multipart form gives its bytes", async () => {
  const bytes = Buffer.from([0, 1, 0xff, 13, 10]);
  const field = part('name="text"', "ä");
  const file = (name: string, fileName: string, value = bytes) =>
    part(`name="${name}"; filename="${fileName}"`, value);
  const read = (...parts: Buffer[]) =>
    parseBody(MULTIPART, multipart(...parts), "image");
  for (const parts of [
    [field, file("image", "a.png")],
    [file("image", ""), field],
  ]) {
    const { image, text } = await read(...parts);
    assert.ok(image instanceof UploadedFile);
    assert.deepEqual(image.bytes, bytes);
    assert.equal(text, "ä");
  }
  const long = Buffer.alloc(3_000_000, "ab");
  const { image: large } = await read(file("image", "a", long));
  assert.ok(large instanceof UploadedFile && large.bytes.equals(long));
  const { image: empty } = await read(file("image", "a", Buffer.alloc(0)));
  assert.ok(empty instanceof UploadedFile && empty.bytes.length === 0);
  const none = await read(file("image", "", Buffer.alloc(0)), field);
  assert.deepEqual({ ...none }, { text: "ä" });
  const { image: both } = await read(
    file("image", "a"),
    part('name="image"', ""),
  );
  assert.ok(Array.isArray(both));
  for (const parts of [
    [file("image", "a"), file("image", "b")],
    [file("picture", "a")],
    [file("image", "a"), file("picture", "a")],
    [file("image", "a"), part('name="text"', Buffer.from([0xff]))],
  ])
    await assert.rejects(read(...parts), { code: "bad_request" });
  const cut = multipart(file("image", "a")).subarray(0, 70);
  await assert.rejects(parseBody(MULTIPART, cut, "image"), {
    code: "bad_request",
  });
});

test("a multipart form that is broken is refused", async () => {
  const whole = multipart(part('name="a"', "value"));
  for (const type of ["multipart/form-data", "multipart/form-data; boundary="])
    await assertRefused(type, whole);
  await assertRefused(MULTIPART, whole.subarray(0, 20));
  await assertRefused(MULTIPART, whole.subarray(0, whole.length - 12));
  await assertRefused(MULTIPART, "--y\r\n\r\nvalue\r\n--y--\r\n");
});

test("an empty body has no parameters, whatever its type", async () => {
  for (const type of [FORM, JSON_TYPE, MULTIPART, "text/xml", "x", undefined])
    assert.deepEqual(await parse(type, ""), {});
});

test("other types are refused", async () => {
  for (const type of [
    "text/xml",
    "text/plain",
    "application/jsonp",
    "",
    undefined,
  ])
    await assertRefused(type, "a=1", "unsupported_media_type");
});

test("200 parameters are enough", async () => {
  const form = (length: number) =>
    Array.from({ length }, (_, n) => `p${n}=1`).join("&");
  assert.equal(Object.keys(parseForm(form(200))).length, 200);
  assert.throws(() => parseForm(form(201)), KithError);
  const parts = Array.from({ length: 201 }, (_, n) =>
    part(`name="p${n}"`, "1"),
  );
  await assertRefused(MULTIPART, multipart(...parts));
  const json = Object.fromEntries(parts.map((_, n) => [`p${n}`, 1]));
  await assertRefused(JSON_TYPE, JSON.stringify(json));
});

test("a name of a prototype is a name like any other", async () => {
  for (const name of ["__proto__", "constructor", "toString"]) {
    for (const [type, body] of [
      [FORM, `${name}=x&${name}=y`],
      [JSON_TYPE, `{"${name}":["x","y"]}`],
    ] as const) {
      const read = await parseBody(type, Buffer.from(body));
      assert.deepEqual(Object.entries(read), [[name, ["x", "y"]]]);
      assert.equal(Object.getPrototypeOf(read), null);
    }
  }
  assert.equal(({} as Record<string, unknown>)["x"], undefined);
});

/** The longest time for which `work` blocked the event loop. */
async function longestBlockMs(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  await work();
  await setTimeout(10);
  delay.disable();
  return delay.max / 1e6;
}

const TOO_LONG_MS = 1000;

test("a body of very many parts is refused without being read to its end", async () => {
  const small = part('name="a"', "x");
  const files = part('name="a"; filename="f"', "x");
  for (const [one, fileName] of [
    [small, undefined],
    [files, undefined],
    [files, "a"],
  ] as const) {
    const body = multipart(Buffer.alloc(150_000 * one.length, one));
    const blockedMs = await longestBlockMs(() =>
      assert.rejects(parseBody(MULTIPART, body, fileName), {
        code: "bad_request",
      }),
    );
    assert.ok(blockedMs < TOO_LONG_MS, `${blockedMs} ms`);
  }
  const most = multipart(...Array.from({ length: 200 }, () => small));
  const { a } = await parseBody(MULTIPART, most);
  assert.ok(Array.isArray(a) && a.length === 200);
  const over = multipart(...Array.from({ length: 201 }, () => small));
  await assertRefused(MULTIPART, over);
});

test("texts that look like broken ones cost no more beside a large file", async () => {
  const file = part(
    'name="image"; filename="f"',
    Buffer.alloc(20 * 1024 * 1024, Buffer.from("\uFFFD").subarray(0, 1)),
  );
  const texts = Array.from({ length: 199 }, (_, index) =>
    part(`name="t${index}"`, "\uFFFD".repeat(100) + String(index)),
  );
  let read: Parameters = {};
  const blockedMs = await longestBlockMs(async () => {
    read = await parseBody(MULTIPART, multipart(file, ...texts), "image");
  });
  assert.equal(read["t7"], `${"\uFFFD".repeat(100)}7`);
  assert.ok(blockedMs < TOO_LONG_MS, `${blockedMs} ms`);
});

test("a file full of U+FFFD does not make up for bytes that are not UTF-8", async () => {
  const head = 'name="image"; filename="f"';
  for (const length of [3, 65_536, 200_000]) {
    const file = part(head, "\uFFFD".repeat(length));
    const broken = part('name="text"', Buffer.from([0x61, 0xff]));
    for (const parts of [
      [file, broken],
      [broken, file],
    ])
      await assert.rejects(parseBody(MULTIPART, multipart(...parts), "image"), {
        code: "bad_request",
      });
    const honest = part('name="text"', "\uFFFD");
    const { text } = await parseBody(
      MULTIPART,
      multipart(file, honest),
      "image",
    );
    assert.equal(text, "\uFFFD");
  }
});

test("a body in another charset is refused, and not misread", async () => {
  for (const [type, body] of [
    [`${FORM}; charset=iso-8859-1`, "a=x"],
    [`${FORM};charset="windows-1252"`, "a=x"],
    [`${JSON_TYPE}; charset=utf-16`, '{"a":"x"}'],
    [`${MULTIPART}; charset=latin1`, multipart(part('name="a"', "x"))],
  ] as const)
    await assertRefused(type, body, "unsupported_media_type");
  for (const charset of ["utf-8", "UTF-8", '"utf-8"', "utf8", "us-ascii"])
    assert.deepEqual(await parse(`${FORM}; charset=${charset}`, "a=x"), {
      a: "x",
    });
});
