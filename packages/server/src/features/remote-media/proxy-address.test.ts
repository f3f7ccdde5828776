import assert from "node:assert/strict";
import { createHmac, randomBytes } from "node:crypto";
import { test } from "node:test";
import { createProxyAddresses, hideProxyAddresses } from "./proxy-address.ts";

const BASE = "https://kith.example";
const URLS = [
  "https://pics.example/a.png",
  "https://pics.example/a%2Fb.png?x=1&y=%20#c",
  "https://xn--bcher-kva.example/ü//../x.png",
  `https://pics.example/${"a".repeat(2000)}.png`,
];
const key = randomBytes(32);
const addresses = createProxyAddresses(key, BASE);

function partsOf(address: string): [string, string] {
  const [, signature = "", encoded = ""] =
    /^https:\/\/kith\.example\/proxy\/([\w-]{32})\/([\w-]+)$/.exec(address) ??
    assert.fail(address);
  return [signature, encoded];
}

test("an address leads to its picture, also after a restart", () => {
  const again = createProxyAddresses(Uint8Array.from(key), BASE);
  for (const url of URLS) {
    const address = addresses.addressOf(url);
    assert.equal(again.addressOf(url), address);
    assert.equal(again.verify(...partsOf(address)), url);
  }
});

test("a picture of this server keeps its URL, and no other does", () => {
  const own = `${BASE}/media/x.png`;
  assert.equal(addresses.addressOf(own), own);
  const other = "https://kith.example.evil.example/media/x.png";
  assert.equal(addresses.verify(...partsOf(addresses.addressOf(other))), other);
});

test("nobody else can sign an address", () => {
  const [first = "", second = ""] = URLS;
  const [signature, encoded] = partsOf(addresses.addressOf(first));
  const [, other] = partsOf(addresses.addressOf(second));
  const foreign = createProxyAddresses(randomBytes(32), BASE);
  const direct = createHmac("sha256", key).update(first).digest();
  for (const [given, of] of [
    [signature, other],
    ["", encoded],
    ["A".repeat(32), encoded],
    [signature.slice(0, -1), encoded],
    [`${signature}A`, encoded],
    [signature.toLowerCase(), encoded],
    ["ü".repeat(16), encoded],
    [direct.subarray(0, 24).toString("base64url"), encoded],
    [partsOf(foreign.addressOf(first))[0], encoded],
    [signature, ""],
    [signature, "%%%"],
  ] as const)
    assert.equal(addresses.verify(given, of), undefined, `${given} ${of}`);
});

test("log lines do not contain the addresses", () => {
  const address = addresses.addressOf(URLS[0] ?? "");
  const line = JSON.stringify({ url: address, msg: `GET ${address} failed` });
  assert.equal(
    hideProxyAddresses(line),
    `{"url":"${BASE}/proxy/[picture]","msg":"GET ${BASE}/proxy/[picture] failed"}`,
  );
});
