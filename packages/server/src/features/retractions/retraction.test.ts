import assert from "node:assert/strict";
import { test } from "node:test";
import type { EventId, PostId } from "../ids.ts";
import {
  loadDetails,
  storeDetails,
  type RetractionDetails,
} from "./retraction.ts";

const OLD: readonly (readonly [string, RetractionDetails])[] = [
  [
    `{"kind":"Post","type":"Reshare","public":true,"recipients":[],"rootPersonId":null,"rootGuid":"r"}`,
    {
      kind: "Post",
      type: "reshare",
      public: true,
      recipients: [],
      rootPersonId: null,
      rootGuid: "r",
    },
  ],
  [
    `{"kind":"PollParticipation","postId":7}`,
    { kind: "Vote", postId: 7 as PostId },
  ],
  [
    `{"kind":"EventParticipation","eventId":8}`,
    { kind: "Attendance", eventId: 8 as EventId },
  ],
  [
    `{"kind":"Comment","postId":7,"below":["l"]}`,
    { kind: "Comment", postId: 7 as PostId, below: ["l"] },
  ],
];

for (const [stored, details] of OLD)
  test(`a record that an older Kith kept of a retracted ${details.kind} is read, and written as before`, () => {
    assert.deepEqual(loadDetails(stored), details);
    assert.equal(storeDetails(details), stored);
  });
