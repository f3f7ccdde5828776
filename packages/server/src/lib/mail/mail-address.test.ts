import assert from "node:assert/strict";
import { test } from "node:test";
import { readMailAddress } from "./mail-address.ts";
import { inMailLine } from "./mail-text.ts";
import { readSmtpUrl } from "./smtp-url.ts";

test("addresses are read as people type them, and nothing else is", () => {
  for (const [typed, expected] of [
    [" Ann@Mail.Example ", "Ann@mail.example"],
    ["ann+kith@bücher.example", "ann+kith@xn--bcher-kva.example"],
    ["a.b-c_d@localhost", "a.b-c_d@localhost"],
    ["ann@mail.example\r\nBcc: eve@mail.example", undefined],
    ["ann@mail.example,eve@mail.example", undefined],
    ['"a b"@mail.example', undefined],
    ["a..b@mail.example", undefined],
    ["ann@-mail.example", undefined],
    ["ann@127.0.0.1", undefined],
    ["ann@", undefined],
    ["@mail.example", undefined],
    [`${"a".repeat(65)}@mail.example`, undefined],
    [`a@${"b.".repeat(130)}example`, undefined],
    ["ann@mail.example\0", undefined],
  ] as const)
    assert.equal(readMailAddress(typed), expected, typed);
});

test("a text of others stays in one line, in its direction and within its length", () => {
  assert.equal(inMailLine("a\r\nBcc: b\u2028c\u202ed\0e"), "a Bcc: b c d e");
  assert.equal(inMailLine("👩‍👩‍👧 family"), "👩‍👩‍👧 family");
  assert.equal(inMailLine("x".repeat(500), 10), `${"x".repeat(9)}…`);
  assert.equal(inMailLine("\ud800!"), "\ufffd!");
});

test("the address of a mail server says how it is reached", () => {
  assert.deepEqual(readSmtpUrl("smtps://a%40b:p%3Aw@mail.example"), {
    ...{ host: "mail.example", port: 465, isTls: true, isLoopback: false },
    credentials: { user: "a@b", password: "p:w" },
  });
  const local = { isTls: false, isLoopback: true };
  assert.deepEqual(readSmtpUrl("smtp://[::1]:2525/"), {
    ...{ host: "::1", port: 2525, ...local },
  });
  for (const text of [
    ...["mail.example", "http://mail.example", "smtp://", "smtp://a@b"],
    ...["smtp://mail.example/path", "smtp://mail.example?tls=none"],
    "smtp://a:%ff@mail.example",
  ])
    assert.equal(readSmtpUrl(text), undefined, text);
});
