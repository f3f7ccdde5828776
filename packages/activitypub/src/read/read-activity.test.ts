import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readActivity } from "./read-activity.ts";
import { readCollection } from "./read-collection.ts";

const ACTOR = "https://peer.example/users/bob";

describe("readActivity", () => {
  const base = { type: "Like", actor: ACTOR, object: "https://h.example/1" };

  test("accepts single values, lists, embedded objects and null", () => {
    const read = readActivity({
      ...base,
      type: ["Like"],
      actor: [null, { id: ACTOR, type: "Person" }],
      to: "as:Public",
      cc: [null, { id: "https://h.example/2" }, "https://h.example/2", 7],
      id: null,
      object: { id: "https://h.example/1", type: "Note" },
    });
    assert.equal(read.actor, ACTOR);
    assert.deepEqual(read.to, ["as:Public"]);
    assert.deepEqual(read.cc, ["https://h.example/2"]);
    assert.equal("id" in read, false);
    assert.equal(read.object?.id, "https://h.example/1");
    assert.equal(read.object?.embedded?.["type"], "Note");
  });

  test("accepts unknown types, and one known among others", () => {
    assert.equal(readActivity({ ...base, type: "Bite" }).type, "Bite");
    assert.equal(
      readActivity({ ...base, type: ["x:Reaction", "Like"] }).type,
      "Like",
    );
  });

  test("refuses activities without an actor or an unambiguous type", () => {
    for (const broken of [
      {},
      { actor: ACTOR },
      { ...base, type: 7 },
      { ...base, type: "" },
      { ...base, type: ["Like", "Undo"] },
      { ...base, actor: null },
      { ...base, actor: "bob" },
      { ...base, actor: "javascript:x" },
      { ...base, actor: {} },
    ]) {
      assert.throws(() => readActivity(broken), {
        code: "not_an_activity",
      });
    }
  });

  test("reads only well-formed guids", () => {
    const guid = "0123456789abcdef";
    assert.equal(readActivity({ ...base, "diaspora:guid": guid }).guid, guid);
    for (const broken of [
      "short",
      `${guid}-`,
      `${guid}/x`,
      "x".repeat(256),
      7,
    ]) {
      assert.equal(
        readActivity({ ...base, "diaspora:guid": broken }).guid,
        undefined,
      );
    }
  });
});

describe("readCollection", () => {
  test("reads items under either name, or from an embedded first page", () => {
    assert.deepEqual(
      readCollection({
        type: "OrderedCollectionPage",
        id: "https://h.example/c?page=1",
        items: ["https://h.example/1", null, { id: "https://h.example/2" }],
        next: { id: "https://h.example/c?page=2" },
        totalItems: -3,
      }),
      {
        id: "https://h.example/c?page=1",
        totalItems: 0,
        next: "https://h.example/c?page=2",
        items: [
          { id: "https://h.example/1" },
          {
            id: "https://h.example/2",
            embedded: { id: "https://h.example/2" },
          },
        ],
      },
    );
    const read = readCollection({
      type: "Collection",
      totalItems: 1e300,
      first: {
        type: "CollectionPage",
        id: "https://h.example/f",
        items: "https://h.example/1",
        next: "https://h.example/n",
      },
    });
    assert.equal(read.totalItems, 2_147_483_647);
    assert.deepEqual(
      [read.first, read.next, read.items],
      [
        "https://h.example/f",
        "https://h.example/n",
        [{ id: "https://h.example/1" }],
      ],
    );
  });

  test("refuses other types", () => {
    assert.throws(() => readCollection({ type: "Note" }), {
      code: "not_a_collection",
    });
    assert.throws(() => readCollection({}), { code: "not_a_collection" });
  });
});
