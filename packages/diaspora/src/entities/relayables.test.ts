import assert from "node:assert/strict";
import { test } from "node:test";
import { fault } from "../../test/fault.ts";
import { person, privateKeyOf, publicKeyOf } from "../../test/vectors.ts";
import { buildEntity, buildRelayed } from "./build-entity.ts";
import type { Comment, Like, Relayable } from "./relayable-types.ts";
import { parseEntity } from "./parse-entity.ts";
import { isRelayable } from "./is-relayable.ts";
import {
  relayableSignatureBase,
  signProperties,
  signRelayable,
  verifyAuthorSignature,
} from "./relayables.ts";

const ALICE = "alice@pod-a.example";
const GUID = "048c9303fa7cb75622cd3d85ef1f1711";
const PARENT = "dc7aed941cfde091d9752bb2f71e62d3";

const comment: Comment = {
  type: "comment",
  author: ALICE,
  guid: GUID,
  parentGuid: PARENT,
  text: "Grüße; 1 < 2\r\n😀",
  createdAt: "2020-02-01T12:34:56Z",
};

function read(xml: string): Relayable {
  const entity = parseEntity(xml);
  assert.ok(isRelayable(entity));
  return entity;
}

test("the signed string has our order, and omits missing values", () => {
  assert.equal(
    relayableSignatureBase(comment),
    `${ALICE};${GUID};${PARENT};Grüße; 1 < 2\r\n😀;2020-02-01T12:34:56Z`,
  );
  const more = {
    ...comment,
    text: "x",
    editedAt: "2020-02-02T00:00:00Z",
    threadParentGuid: "c46f92ab34965fbe7b3d9877622b2873",
  };
  assert.equal(
    relayableSignatureBase(more),
    `${ALICE};${GUID};${PARENT};x;2020-02-01T12:34:56Z;2020-02-02T00:00:00Z;c46f92ab34965fbe7b3d9877622b2873`,
  );
  const like: Like = {
    type: "like",
    author: ALICE,
    guid: GUID,
    parentGuid: PARENT,
    parentType: "Post",
    positive: false,
  };
  assert.equal(
    relayableSignatureBase(like),
    `${ALICE};${GUID};${PARENT};Post;false`,
  );
});

test("a signed relayable verifies with the author's key alone", async () => {
  const signed = await signRelayable(comment, privateKeyOf("alice"));
  assert.equal(comment.signed, undefined);
  assert.ok(await verifyAuthorSignature(signed, publicKeyOf("alice")));
  assert.ok(
    await verifyAuthorSignature(signed, person("alice").public_key_pem),
  );
  assert.ok(!(await verifyAuthorSignature(signed, publicKeyOf("bob"))));
  const received = read(buildEntity(signed));
  assert.deepEqual(received, signed);
  assert.ok(await verifyAuthorSignature(received, publicKeyOf("alice")));
});

test("only the outer white space of a comment is trimmed before signing", async () => {
  const text = "\n\t \0 a  b \u00A0\r\n\v\f";
  const signed = await signRelayable(
    { ...comment, text },
    privateKeyOf("alice"),
  );
  assert.equal(signed.text, "a  b \u00A0");
  assert.ok(relayableSignatureBase(signed).includes(";a  b \u00A0;"));
});

test("characters that XML does not allow are replaced before signing", async () => {
  const signed = await signRelayable(
    { ...comment, text: "a\u0001b\uD800c" },
    privateKeyOf("alice"),
  );
  assert.equal(signed.text, "a\uFFFDb\uFFFDc");
  const received = read(buildEntity(signed));
  assert.ok(await verifyAuthorSignature(received, publicKeyOf("alice")));
});

test("invalid entities are not signed", async () => {
  const invalid: Comment[] = [
    { ...comment, text: " \n " },
    { ...comment, text: "x".repeat(65536) },
    { ...comment, author: "Alice@pod-a.example" },
    { ...comment, createdAt: "2020-02-01T12:34:56.000Z" },
  ];
  for (const one of invalid) {
    await assert.rejects(
      signRelayable(one, privateKeyOf("alice")),
      fault("validation", "invalid_property"),
    );
  }
  await assert.rejects(
    signRelayable(comment, "no key"),
    fault("author_signature", "bad_key"),
  );
});

test("relaying keeps order, unknown properties, exact texts and the signature", async () => {
  const properties: [string, string][] = [
    ["guid", GUID],
    ["x_new", " kept \r\n as it is "],
    ["text", "x"],
    ["parent_guid", PARENT],
    ["created_at", "2020-02-01 12:34:56 UTC"],
    ["author", ALICE],
    ["empty_new", ""],
  ];
  const authorSignature = await signProperties(
    properties,
    privateKeyOf("alice"),
  );
  const received = read(
    buildRelayed({ ...comment, signed: { properties, authorSignature } }),
  );
  assert.deepEqual(received.signed, { properties, authorSignature });
  assert.ok(received.type === "comment");
  assert.equal(received.text, "x");
  assert.equal(received.createdAt, "2020-02-01T12:34:56Z");
  assert.ok(await verifyAuthorSignature(received, publicKeyOf("alice")));
  assert.equal(buildEntity(received), buildRelayed(received));
});

test("other signatures are neither signed nor relayed", () => {
  const xml = buildEntity(comment).replace(
    "</comment>",
    "<author_signature>QQ==</author_signature><parent_author_signature>QQ==</parent_author_signature><x/></comment>",
  );
  const received = read(xml);
  assert.equal(received.signed?.authorSignature, "QQ==");
  assert.equal(received.signed.properties.at(-1)?.[0], "x");
  assert.ok(!buildRelayed(received).includes("parent_author_signature"));
});

test("a missing, empty or malformed signature is invalid", async () => {
  const unsigned = read(buildEntity(comment));
  assert.equal(unsigned.signed?.authorSignature, undefined);
  const key = publicKeyOf("alice");
  assert.ok(!(await verifyAuthorSignature(unsigned, key)));
  assert.ok(!(await verifyAuthorSignature(comment, key)));
  const properties = unsigned.signed?.properties ?? [];
  for (const authorSignature of ["", " ", "?", "QUJD"]) {
    const signed = { properties, authorSignature };
    assert.ok(!(await verifyAuthorSignature({ ...unsigned, signed }, key)));
  }
  await assert.rejects(
    verifyAuthorSignature(unsigned, "no key"),
    fault("author_signature", "bad_key"),
  );
});

test("a signature over the re-formatted values is accepted too, but over no others", async () => {
  const verifies = async (signedAt: string, sentAt: string) => {
    const at = (time: string): [string, string][] => [
      ["author", ALICE],
      ["guid", GUID],
      ["parent_guid", PARENT],
      ["text", "2020-02-01T12:34:56.5Z"],
      ["created_at", time],
    ];
    const authorSignature = await signProperties(
      at(signedAt),
      privateKeyOf("alice"),
    );
    const properties = at(sentAt);
    const sent = { ...comment, signed: { properties, authorSignature } };
    return verifyAuthorSignature(
      read(buildRelayed(sent)),
      publicKeyOf("alice"),
    );
  };
  const canonical = "2020-02-01T12:34:56Z";
  assert.ok(await verifies(canonical, "2020-02-01T12:34:56.5Z"));
  assert.ok(await verifies("2020-02-01 12:34:56", "2020-02-01 12:34:56"));
  assert.ok(!(await verifies(canonical, "2020-02-01T12:34:57.5Z")));
  assert.ok(!(await verifies("2020-02-01 12:34:56", canonical)));
});

test("a stored name that is not an XML name cannot be written", () => {
  const properties: [string, string][] = [["x><y", "1"]];
  assert.throws(
    () => buildRelayed({ ...comment, signed: { properties } }),
    fault("payload", "invalid_property"),
  );
});
