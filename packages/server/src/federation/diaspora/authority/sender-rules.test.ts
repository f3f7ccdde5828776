import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Entity, Profile } from "@kith/diaspora";
import {
  refuseEndpoint,
  refuseForeignAuthor,
  refuseRelayable,
  refuseRetraction,
} from "./sender-rules.ts";

const ALICE = "alice@one.example";
const BOB = "bob@two.example";
const EVE = "eve@evil.example";

suite("who may send what", () => {
  test("everything of one's own comes from its author", () => {
    assert.equal(refuseForeignAuthor({ author: ALICE }, ALICE), undefined);
    assert.ok(refuseForeignAuthor({ author: ALICE }, EVE));
  });

  // sender, author, author of the root, is the root here, may it come so
  const relayables = [
    ["the author, to the server of the post", BOB, BOB, ALICE, true, true],
    ["the author, to another server", BOB, BOB, ALICE, false, false],
    ["the author of the post", ALICE, BOB, ALICE, false, true],
    ["its author, who wrote the post", ALICE, ALICE, ALICE, false, true],
    ["a third party, to another server", EVE, BOB, ALICE, false, false],
    ["a third party, to the server of the post", EVE, BOB, ALICE, true, false],
  ] as const;
  for (const [name, sender, author, rootAuthor, isRootHere, ok] of relayables)
    test(`a comment or like, sent by ${name}: ${ok ? "taken" : "refused"}`, () => {
      const parties = { sender, author, rootAuthor, isRootHere };
      assert.equal(refuseRelayable(parties) === undefined, ok);
    });

  const retractions = [
    ["a post by its author", ALICE, ALICE, null, true],
    ["a post by somebody else", EVE, ALICE, null, false],
    ["a comment by its author", BOB, BOB, ALICE, true],
    ["a comment by the author of the post", ALICE, BOB, ALICE, true],
    ["a comment by somebody else", EVE, BOB, ALICE, false],
  ] as const;
  for (const [name, sender, author, rootAuthor, ok] of retractions)
    test(`a retraction of ${name}: ${ok ? "taken" : "refused"}`, () => {
      const refusal = refuseRetraction({ author, rootAuthor }, sender);
      assert.equal(refusal === undefined, ok);
    });
});

suite("what may come to which endpoint", () => {
  const profile: Profile = {
    type: "profile",
    author: ALICE,
    searchable: true,
    public: false,
    nsfw: false,
  };
  const post = {
    type: "status_message",
    author: ALICE,
    guid: "0123456789abcdef",
    text: "Hello",
    photos: [],
  } as const;
  const contact = {
    type: "contact",
    author: ALICE,
    recipient: BOB,
    following: true,
    sharing: true,
    blocking: false,
  } as const;
  const participation = {
    type: "participation",
    author: ALICE,
    guid: "0123456789abcdef",
    parentGuid: "fedcba9876543210",
    parentType: "Post",
  } as const;
  const message = {
    type: "message",
    author: ALICE,
    guid: "0123456789abcdef",
    text: "Hello",
    conversationGuid: "fedcba9876543210",
  } as const;
  const conversation: Entity = {
    type: "conversation",
    author: ALICE,
    guid: "fedcba9876543210",
    subject: "Us",
    participants: `${ALICE};${BOB}`,
    messages: [message],
  };
  const cases: [string, Entity, string | null, boolean][] = [
    [
      "a public post, for all",
      { ...post, public: true, photos: [] },
      null,
      true,
    ],
    [
      "a limited post, for all",
      { ...post, public: false, photos: [] },
      null,
      false,
    ],
    [
      "a limited post, for Bob",
      { ...post, public: false, photos: [] },
      BOB,
      true,
    ],
    ["names alone, for all", profile, null, true],
    ["a limited profile, for all", { ...profile, bio: "Me" }, null, false],
    [
      "a public profile, for all",
      { ...profile, bio: "Me", public: true },
      null,
      true,
    ],
    ["a limited profile, for Bob", { ...profile, bio: "Me" }, BOB, true],
    ["a contact, for all", contact, null, false],
    ["a contact for Bob, to Bob", contact, BOB, true],
    ["a contact for Bob, to Eve", contact, EVE, false],
    ["a participation, for all", participation, null, false],
    ["a participation, for Bob", participation, BOB, true],
    ["a conversation, for all", conversation, null, false],
    ["a conversation with Bob, to Bob", conversation, BOB, true],
    ["a conversation with Bob, to Eve", conversation, EVE, false],
    ["a message, for all", message, null, false],
    ["a message, to Bob", message, BOB, true],
  ];
  for (const [name, entity, owner, ok] of cases)
    test(`${name}: ${ok ? "taken" : "refused"}`, () => {
      assert.equal(refuseEndpoint(entity, owner) === undefined, ok);
    });
});
