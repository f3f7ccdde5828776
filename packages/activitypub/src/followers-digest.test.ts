import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import { followersDigest, synchronizationHeader } from "./followers-digest.ts";

const [ANN, BOB] = ["https://a.example/ann", "https://a.example/bob"];

test("the digest of nobody is zero, and of one the hash of its id", () => {
  assert.equal(followersDigest([]), "0".repeat(64));
  assert.equal(followersDigest([ANN]), hash("sha256", ANN, "hex"));
});

test("the example of FEP-8fcf has the digest that stands there", () => {
  const ids = [
    "https://testing.example.org/users/1",
    "https://testing.example.org/users/2",
  ];
  assert.equal(
    followersDigest(ids),
    "c33f48cd341ef046a206b8a72ec97af65079f9a3a9b90eef79c5920dce45c61f",
  );
});

test("neither the order nor a repetition changes the digest", () => {
  assert.equal(followersDigest([ANN, BOB, ANN]), followersDigest([BOB, ANN]));
  assert.notEqual(followersDigest([ANN, BOB]), followersDigest([ANN]));
});

test("the header names the collection, the part and the digest", () => {
  const header = synchronizationHeader({
    collectionId: "https://b.example/x/followers",
    url: "https://b.example/x/part",
    digest: "00",
  });
  assert.equal(
    header,
    'collectionId="https://b.example/x/followers", url="https://b.example/x/part", digest="00"',
  );
});
