import assert from "node:assert/strict";
import { test } from "node:test";
import { KithError } from "../../lib/errors.ts";
import { contrast, contrastOfAccent, inkOn, readAccent } from "./accent.ts";
import { readStyle } from "./read-style.ts";
import { composeStyle, MAX_STYLE_BYTES } from "./style-sheet.ts";

const isRefused = (error: unknown): boolean =>
  error instanceof KithError && error.code === "bad_request";

test("a style sheet may use what loads nothing, and files of this server", () => {
  for (const style of [
    "",
    "main { color: red }",
    "@media (min-width: 40em) { .post { border: 0 } }",
    "@keyframes turn { to { rotate: 1turn } }",
    "body { background: url(/assets/icon-192.png) }",
    'body { background: url("/assets/icon-192.png") }',
    ":root { --s4: 20px }",
    "/* url(https://evil.example) */ p { margin: 0 }",
  ])
    assert.equal(readStyle(style), style, style);
});

test("a style sheet that loads from elsewhere is refused, however it is written", () => {
  for (const style of [
    '@import "https://evil.example/a.css";',
    '@\\69mport "//evil.example";',
    "@charset 'utf-8';",
    "@font-face { font-family: a; src: url(/a.woff) }",
    "p { background: url(https://evil.example/a.png) }",
    "p { background: URL( 'https://evil.example/a.png' ) }",
    "p { background: \\75rl('//evil.example/a.png') }",
    "p { background: url(//evil.example/a.png) }",
    "p { background: url(/\\5c evil.example/a.png) }",
    "p { background: url('/\\a /evil.example') }",
    "p { background: url(a.png) }",
    "p { background: url(data:image/png;base64,AA) }",
    "p { --x: url(https://evil.example/a.png) }",
    "p { background: image-set('https://evil.example/a.png' 1x) }",
    "p { background: src('https://evil.example/a.png') }",
    "@media print { p { background: url(https://evil.example/) } }",
    "@supports (background: url(https://evil.example/)) { p { margin: 0 } }",
  ])
    assert.throws(() => readStyle(style), isRefused, style);
});

test("a style sheet that is wrong or too long is refused", () => {
  assert.throws(
    () => readStyle("main { color red }"),
    /style sheet \(CSS\); line 1/,
  );
  assert.throws(() => readStyle("p { content: 'a\n }"), isRefused);
  const long = `/*${"ä".repeat(MAX_STYLE_BYTES / 2)}*/`;
  assert.throws(() => readStyle(long), /at most 20480 bytes/);
});

test("the contrast is that of WCAG, and a weak accent is refused with it", () => {
  assert.equal(contrast("#000000", "#ffffff"), 21);
  assert.ok(Math.abs(contrast("#777777", "#ffffff") - 4.48) < 0.005);
  assert.equal(readAccent(" #0B6157 ", "light"), "#0b6157");
  assert.equal(readAccent("", "dark"), "");
  // Good on white, but not on the softer ground.
  assert.ok(contrast("#747474", "#ffffff") > 4.5);
  assert.ok(contrastOfAccent("#747474", "light") < 4.5);
  assert.throws(() => readAccent("#ffff00", "light"), /it has 1\.\d\d\.$/);
  assert.throws(() => readAccent("#0b6157", "dark"), /it has \d\.\d\d\.$/);
  for (const wrong of ["red", "#fff", "#0b6157;", "#0b61570", "#gggggg"])
    assert.throws(() => readAccent(wrong, "light"), /must be a colour/);
});

test("text on an accent is black or white, whichever reads better", () => {
  for (const accent of ["#0b6157", "#7dd3c2", "#767676", "#0000ff"])
    assert.ok(contrast(inkOn(accent), accent) >= 4.5, accent);
  const sheet = composeStyle({
    ...{ accentLight: "#1a237e", accentDark: "", style: "p { margin: 0 }" },
  });
  assert.match(sheet?.css ?? "", /--accent: light-dark\(#1a237e, #7dd3c2\)/);
  assert.match(sheet?.css ?? "", /light-dark\(#ffffff, #000000\)[^]*p \{/);
  const none = { accentLight: "", accentDark: "", style: "" };
  assert.equal(composeStyle(none), null);
});
