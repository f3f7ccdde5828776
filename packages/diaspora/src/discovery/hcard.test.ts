import assert from "node:assert/strict";
import { test } from "node:test";
import { fault } from "../../test/fault.ts";
import { person, publicKeyOf, readFixture } from "../../test/vectors.ts";
import { DiasporaError } from "../errors.ts";
import { buildHcard, parseHcard } from "./hcard.ts";

interface HcardCase {
  readonly file: string;
  readonly verdict: "accept" | "reject";
  readonly parsed?: Readonly<Record<string, unknown>>;
}

const { hcard: cases } = JSON.parse(readFixture("discovery/cases.json")) as {
  hcard: HcardCase[];
};

for (const { file, verdict, parsed = {} } of cases) {
  test(`hcard: ${file}`, () => {
    const html = readFixture(`discovery/${file}`);
    if (verdict === "reject") {
      assert.throws(
        () => parseHcard(html),
        (error) =>
          error instanceof DiasporaError && error.stage === "discovery",
      );
      return;
    }
    const card = parseHcard(html);
    assert.equal(card.guid, parsed["guid"]);
    assert.equal(card.nickname, parsed["nickname"]);
    assert.equal(card.fullName, parsed["full_name"]);
    assert.equal(card.firstName, parsed["first_name"]);
    assert.equal(card.lastName, parsed["last_name"] ?? "");
    assert.equal(card.publicKeyPem, parsed["public_key"]);
    assert.equal(card.searchable, parsed["searchable"]);
    assert.equal(card.imageUrl, parsed["photo_large_url"]);
    assert.equal(card.imageUrlMedium, parsed["photo_medium_url"]);
    assert.equal(card.imageUrlSmall, parsed["photo_small_url"]);
  });
}

test("all cases are present", () => assert.equal(cases.length, 9));

const input = {
  guid: "3a0808264e17aa0f65e7fbdb12ad452b",
  nickname: "alice",
  fullName: 'Alice <b> & "Söns" 😀',
  firstName: "Alice",
  lastName: "",
  publicKeyPem: person("alice").public_key_pem,
  searchable: false,
  imageUrl: "https://pod-a.example/l.jpg?a=1&b=2",
  imageUrlMedium: "https://pod-a.example/m.jpg",
  imageUrlSmall: "https://pod-a.example/s.jpg",
  baseUrl: "https://pod-a.example/kith",
};

test("our own hCard round-trips", () => {
  const { baseUrl, ...values } = input;
  assert.deepEqual(parseHcard(buildHcard(input)), {
    ...values,
    podLocation: new URL("/", baseUrl).href,
  });
});

test("a PKCS#1 key is published as SPKI", () => {
  const pkcs1 = publicKeyOf("alice").export({ type: "pkcs1", format: "pem" });
  const html = buildHcard({ ...input, publicKeyPem: pkcs1.toString() });
  assert.equal(parseHcard(html).publicKeyPem, input.publicKeyPem);
});

test("the first occurrence of a value counts, and a photo only inside its container", () => {
  const html = buildHcard(input)
    .replace('<div class="vcard">', '<img class="photo" src="/stray.png">$&')
    .replace("</div>\n</body>", '<i class="uid">second</i>$&');
  const card = parseHcard(html);
  assert.equal(card.guid, input.guid);
  assert.equal(card.imageUrl, input.imageUrl);
});

test("guid and key may come from WebFinger instead", () => {
  const html = buildHcard(input)
    .replace('class="uid"', "")
    .replace('class="key"', "");
  assert.throws(
    () => parseHcard(html),
    fault("discovery", "incomplete_document"),
  );
  const { guid, publicKeyPem } = input;
  const card = parseHcard(html, { guid, publicKeyPem });
  assert.equal(card.guid, guid);
  assert.equal(card.publicKeyPem, publicKeyPem);
});

test("malformed values are refused, each with its code", () => {
  const html = buildHcard(input);
  const faults: [string, string | RegExp, string][] = [
    ["invalid_property", input.guid, "short"],
    ["invalid_property", ">Alice</span>", `>${"a".repeat(33)}</span>`],
    ["invalid_property", "https://pod-a.example/m.jpg", "javascript:x"],
    ["bad_key", "BEGIN PUBLIC KEY", "BEGIN CERTIFICATE"],
    ["incomplete_document", "entity_photo_small", "entity"],
    ["incomplete_document", 'class="fn"', ""],
  ];
  for (const [code, from, to] of faults) {
    const changed = html.replace(from, to);
    assert.notEqual(changed, html);
    assert.throws(() => parseHcard(changed), fault("discovery", code), code);
  }
  assert.throws(
    () => parseHcard(" ".repeat(600_000)),
    fault("discovery", "too_large"),
  );
});

test("deep and unclosed HTML is harmless", () => {
  const deep = "<div class='uid entity_photo photo'>".repeat(14_000);
  assert.throws(
    () => parseHcard(deep),
    fault("discovery", "incomplete_document"),
  );
});
