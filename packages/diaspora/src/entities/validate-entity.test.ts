import assert from "node:assert/strict";
import { test } from "node:test";
import { fault } from "../../test/fault.ts";
import type { Entity } from "./entity-types.ts";
import type { Conversation, Profile } from "./person-types.ts";
import type { Photo, StatusMessage } from "./post-types.ts";
import { participantsOf } from "./entity-rules.ts";
import { parseEntity } from "./parse-entity.ts";
import { validateEntity } from "./validate-entity.ts";

const ALICE = "alice@pod-a.example";
const BOB = "bob@pod-b.example";
const GUID = "7eb7fff683eb62671769fdefce83b909";
const OTHER = "282165c5f8f42e1a67487e5af986cba2";

const photo: Photo = {
  type: "photo",
  guid: OTHER,
  author: ALICE,
  public: true,
  remotePhotoPath: "https://pod-a.example/uploads/images/",
  remotePhotoName: "a.jpg",
  statusMessageGuid: GUID,
};
const post: StatusMessage = {
  type: "status_message",
  author: ALICE,
  guid: GUID,
  public: true,
  text: "text",
  photos: [photo],
};
const event = {
  type: "event",
  author: ALICE,
  guid: OTHER,
  summary: "Meeting",
  start: "2020-02-01T12:34:56Z",
  allDay: false,
} as const;
const profile: Profile = {
  type: "profile",
  author: ALICE,
  searchable: true,
  public: true,
  nsfw: false,
};
const message = {
  type: "message",
  author: ALICE,
  guid: OTHER,
  text: "text",
  conversationGuid: GUID,
} as const;
const conversation: Conversation = {
  type: "conversation",
  author: ALICE,
  guid: GUID,
  subject: "subject",
  participants: `${ALICE};${BOB}`,
  messages: [message],
};
const answer = { type: "poll_answer", guid: GUID, answer: "yes" } as const;
const poll = {
  type: "poll",
  guid: GUID,
  question: "q",
  pollAnswers: [answer, { ...answer, guid: OTHER }],
} as const;
const common = { author: ALICE, guid: GUID } as const;
const relayable = { ...common, parentGuid: OTHER } as const;
const like = {
  ...relayable,
  type: "like",
  parentType: "Post",
  positive: true,
} as const;
const contact = {
  type: "contact",
  author: ALICE,
  recipient: BOB,
  following: true,
  sharing: true,
  blocking: false,
} as const;

/** Malformed entities as JavaScript could represent them, so some do not match the type. */
const invalid: Record<string, unknown> = {
  "post without text and photo": { ...post, text: undefined, photos: [] },
  "post with too long a text": { ...post, text: "x".repeat(65536) },
  "photo by another": { ...post, photos: [{ ...photo, author: BOB }] },
  "photo of another post": {
    ...post,
    photos: [{ ...photo, statusMessageGuid: OTHER }],
  },
  "photo without name": { ...photo, remotePhotoName: "" },
  "photo with a negative height": { ...photo, height: -1 },
  "photo with half a pixel": { ...photo, width: 0.5 },
  "photo from nowhere": { ...photo, remotePhotoPath: "uploads/" },
  "event by another": { ...post, event: { ...event, author: BOB } },
  "event without start": { ...event, start: undefined },
  "nested entity of another type": { ...post, location: photo },
  "list that is none": { ...post, photos: photo },
  "boolean as text": { ...post, public: "true" },
  "location without lat": { type: "location", lat: "", lng: "1" },
  "poll with one answer": { ...poll, pollAnswers: [answer] },
  "poll with an empty answer": {
    ...poll,
    pollAnswers: [answer, { ...answer, answer: "" }],
  },
  "question of 256": { ...poll, question: "q".repeat(256) },
  "embed of nothing at all": { type: "embed" },
  "embed of both": {
    type: "embed",
    url: "https://a.example/",
    nothing: true,
  },
  "embed of a relative image": {
    type: "embed",
    url: "https://a.example/",
    image: "/a.png",
  },
  "reshare with half a root": { ...common, type: "reshare", rootGuid: OTHER },
  "comment without text": { ...relayable, type: "comment", text: "" },
  "like of a photo": { ...like, parentType: "Photo" },
  "like that says nothing": { ...like, positive: undefined },
  "vote for nothing": { ...relayable, type: "poll_participation" },
  "status unknown": {
    ...relayable,
    type: "event_participation",
    status: "maybe",
  },
  "block and follow": { ...contact, blocking: true, sharing: false },
  "block and share": { ...contact, blocking: true, following: false },
  "contact with nobody": { ...contact, recipient: "" },
  "name with a semicolon": { ...profile, firstName: "a;b" },
  "first name of 33": { ...profile, firstName: "a".repeat(33) },
  "full name of 71": { ...profile, fullName: "a".repeat(71) },
  "image URL of 256": { ...profile, imageUrl: `/${"a".repeat(255)}` },
  "image URL of another scheme": { ...profile, imageUrl: "data:image/png," },
  "birthday that never was": { ...profile, birthday: "1990-02-30" },
  "six tags": { ...profile, tagString: "#1 #2 #3 #4 #5 #6" },
  "retraction of no type": {
    type: "retraction",
    author: ALICE,
    targetGuid: GUID,
  },
  "participation in a comment": {
    ...relayable,
    type: "participation",
    parentType: "Comment",
  },
  "conversation with oneself": { ...conversation, participants: ALICE },
  "conversation with oneself, twice": {
    ...conversation,
    participants: `${ALICE};${ALICE}`,
  },
  "conversation of others": {
    ...conversation,
    participants: `${BOB};carol@pod-c.example`,
  },
  "conversation with nonsense": {
    ...conversation,
    participants: `${ALICE};${BOB};`,
  },
  "conversation with more people than anybody writes to": {
    ...conversation,
    participants: [ALICE, ...Array<string>(5_000).fill(BOB)].join(";"),
  },
  "message by another": {
    ...conversation,
    messages: [{ ...message, author: BOB }],
  },
  "message of another conversation": {
    ...conversation,
    messages: [{ ...message, conversationGuid: OTHER }],
  },
};

for (const [title, entity] of Object.entries(invalid)) {
  test(`refused: ${title}`, () => {
    assert.throws(
      () => validateEntity(entity as Entity),
      (error: unknown) =>
        fault("validation", "invalid_property")(error) ||
        fault("validation", "missing_property")(error),
    );
  });
}

test("the entities without these faults are valid", () => {
  const pollAnswers = [...poll.pollAnswers];
  const full = { ...post, event, poll: { ...poll, pollAnswers } };
  const all: Entity[] = [full, photo, event, profile, conversation, like];
  for (const entity of [...all, contact, message]) {
    assert.doesNotThrow(() => validateEntity(entity));
  }
});

test("limits count code points and include the limit", () => {
  const names = { firstName: "😀".repeat(32), lastName: "ü".repeat(32) };
  assert.doesNotThrow(() => validateEntity({ ...profile, ...names }));
  const text = "😀".repeat(65535);
  assert.doesNotThrow(() => validateEntity({ ...post, text }));
});

test("the error names the property", () => {
  assert.throws(
    () => validateEntity({ ...post, author: "Alice" }),
    /status_message\.author/,
  );
});

test("participants are handles", () => {
  assert.deepEqual(participantsOf(conversation), [ALICE, BOB]);
});

test("an address may be empty, but its element must be present", () => {
  const xml = "<location><address/><lat>1</lat><lng>2</lng></location>";
  assert.deepEqual(parseEntity(xml), { type: "location", lat: "1", lng: "2" });
  assert.throws(
    () => parseEntity(xml.replace("<address/>", "")),
    fault("validation", "missing_property"),
  );
});

test("a malformed extension is dropped, not the comment", () => {
  const xml = (extra: string) =>
    `<comment><author>${ALICE}</author><guid>${GUID}</guid><parent_guid>${OTHER}</parent_guid><text>x</text>${extra}</comment>`;
  const good = parseEntity(
    xml(`<thread_parent_guid>${OTHER}</thread_parent_guid>`),
  );
  assert.ok(good.type === "comment");
  assert.equal(good.threadParentGuid, OTHER);
  const bad = parseEntity(
    xml(
      "<thread_parent_guid>1</thread_parent_guid><activitypub_id>x</activitypub_id>",
    ),
  );
  assert.ok(bad.type === "comment");
  assert.ok(!("threadParentGuid" in bad) && !("activitypubId" in bad));
  assert.equal(bad.signed?.properties.length, 6);
});

test("names of JavaScript's own properties are not entities", () => {
  for (const name of ["constructor", "__proto__", "toString"]) {
    assert.throws(
      () => parseEntity(`<${name}/>`),
      fault("payload", "unknown_entity"),
    );
  }
});
