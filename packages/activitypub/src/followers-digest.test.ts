import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import {
  followersDigest,
  readSynchronizationHeader,
  synchronizationHeader,
} from "./followers-digest.ts";

const [ANN, BOB] = ["https://a.example/ann", "https://a.example/bob"];

test("the digest of no followers is zero, and of one the hash of its id", () => {
  assert.equal(followersDigest([]), "0".repeat(64));
  assert.equal(followersDigest([ANN]), hash("sha256", ANN, "hex"));
});

test("computes the digest of the example in FEP-8fcf", () => {
  const ids = [
    "https://testing.example.org/users/1",
    "https://testing.example.org/users/2",
  ];
  assert.equal(
    followersDigest(ids),
    "c33f48cd341ef046a206b8a72ec97af65079f9a3a9b90eef79c5920dce45c61f",
  );
});

test("the digest is independent of order and repetition", () => {
  assert.equal(followersDigest([ANN, BOB, ANN]), followersDigest([BOB, ANN]));
  assert.notEqual(followersDigest([ANN, BOB]), followersDigest([ANN]));
});

test("the header contains the collection, the partial collection and the digest", () => {
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

test("the header is read in any order of parameters, and malformed ones are refused", () => {
  const said = {
    collectionId: "https://b.example/x/followers",
    url: "https://b.example/x/part",
    digest: followersDigest([ANN]),
  };
  assert.deepEqual(
    readSynchronizationHeader(synchronizationHeader(said)),
    said,
  );
  const { collectionId, url, digest } = said;
  const other = `digest="${digest.toUpperCase()}",url="${url}" , collectionId="${collectionId}"`;
  assert.deepEqual(readSynchronizationHeader(other), said);
  for (const header of [
    "",
    "collectionId",
    `collectionId="${collectionId}", url="${url}"`,
    `collectionId="${collectionId}", url="${url}", digest="00"`,
    `collectionId="${collectionId}", url="/x/part", digest="${digest}"`,
    `${other}, url="https://c.example/y"`,
    `${other}, more="${"x".repeat(9000)}"`,
  ])
    assert.equal(readSynchronizationHeader(header), undefined, header);
});
