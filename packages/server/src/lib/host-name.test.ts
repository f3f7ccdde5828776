import assert from "node:assert/strict";
import { test } from "node:test";
import { normalHost, withParents } from "./host-name.ts";

test("a host has one spelling", () => {
  for (const [text, host] of [
    ["evil.example", "evil.example"],
    ["EVIL.Example", "evil.example"],
    ["evil.example.", "evil.example"],
    ["evil.example:8443", "evil.example"],
    [" evil.example ", "evil.example"],
    ["https://Evil.Example.:443/users/eve", "evil.example"],
    ["http://evil.example/@eve?x#y", "evil.example"],
    ["bücher.example", "xn--bcher-kva.example"],
    ["XN--BCHER-KVA.example", "xn--bcher-kva.example"],
    ["ｅｖｉｌ.example", "evil.example"],
    ["evil。example", "evil.example"],
    ["ev%69l.example", "evil.example"],
    ["0x7f.1", "127.0.0.1"],
    ["[::1]:3000", "[::1]"],
  ] as const)
    assert.equal(normalHost(text), host, text);
});

test("texts that are no host names are refused", () => {
  for (const text of [
    "",
    " ",
    "a b",
    "eve@evil.example",
    "a/b",
    "https://",
    ".",
  ])
    assert.equal(normalHost(text), undefined, text);
});

test("the domains above a host", () => {
  assert.deepEqual(withParents("a.b.example"), [
    "a.b.example",
    "b.example",
    "example",
  ]);
  assert.deepEqual(withParents("127.0.0.1"), ["127.0.0.1"]);
  assert.deepEqual(withParents("[::1]"), ["[::1]"]);
});
