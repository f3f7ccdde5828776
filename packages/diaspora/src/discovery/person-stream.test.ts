import assert from "node:assert/strict";
import { test } from "node:test";
import { fault } from "../../test/fault.ts";
import { readFixture } from "../../test/vectors.ts";
import { buildPersonStream, parsePersonStream } from "./person-stream.ts";

const ENTRY = {
  guid: "7eb7fff683eb62671769fdefce83b909",
  authorGuid: "3a0808264e17aa0f65e7fbdb12ad452b",
  public: true,
};

test("a pod's stream is read", () => {
  assert.deepEqual(
    parsePersonStream(readFixture("discovery/people-stream.json")),
    [ENTRY],
  );
});

test("malformed entries are dropped", () => {
  const guid = ENTRY.guid;
  const author = { guid: ENTRY.authorGuid };
  const entries = [
    null,
    1,
    {},
    { guid },
    { guid, author: null },
    { guid: "x", author },
    { guid, author, public: "true" },
  ];
  assert.deepEqual(parsePersonStream(JSON.stringify(entries)), [
    { ...ENTRY, public: false },
  ]);
});

test("documents that are not lists are refused", () => {
  for (const json of ["", "{}", "null"]) {
    assert.throws(
      () => parsePersonStream(json),
      fault("discovery", "malformed_document"),
    );
  }
  assert.throws(
    () => parsePersonStream(" ".repeat(2 ** 21 + 1)),
    fault("discovery", "too_large"),
  );
});

test("ours has the members that a pod reads, as named in the sample", () => {
  const post = {
    id: 1,
    guid: ENTRY.guid,
    createdAt: "2020-02-01T12:34:56Z",
    public: true,
    type: "StatusMessage" as const,
    text: "text",
    nsfw: false,
    author: {
      id: 3,
      guid: ENTRY.authorGuid,
      name: "Alice",
      handle: "alice@pod-a.example",
      imageUrl: "https://pod-a.example/l.jpg",
      imageUrlMedium: "https://pod-a.example/m.jpg",
      imageUrlSmall: "https://pod-a.example/s.jpg",
    },
  };
  const json = buildPersonStream([post]);
  assert.deepEqual(parsePersonStream(json), [ENTRY]);
  const [ours] = JSON.parse(json) as [Record<string, object>];
  const [sample] = JSON.parse(readFixture("discovery/people-stream.json")) as [
    Record<string, object>,
  ];
  for (const name of Object.keys(ours)) assert.ok(name in sample, name);
  assert.deepEqual(
    Object.keys(ours["author"] ?? {}),
    Object.keys(sample["author"] ?? {}),
  );
});
