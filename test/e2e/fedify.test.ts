import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  TESTED_DATABASE_KINDS,
  type DatabaseKind,
} from "../../packages/server/test/support/server/databases.ts";
import { meet, type Meeting } from "./fedify/meeting.ts";
import * as friends from "./fedify/friend-steps.ts";
import * as talk from "./fedify/talk-steps.ts";
import * as proofs from "./fedify/proof-steps.ts";
import type { SignatureKind } from "./fedify/peer.ts";

const SIGNATURES: readonly SignatureKind[] = [
  "draft-cavage-http-signatures-12",
  "rfc9421",
];

/** In this order: each builds on the previous ones. */
const STEPS = [
  friends.findEachOther,
  friends.followBothWays,
  talk.postBothWays,
  talk.limitedPosts,
  talk.replyBothWays,
  talk.likeBothWays,
  talk.announceBothWays,
  talk.editBothWays,
  talk.deleteBothWays,
  friends.unfollowBothWays,
  proofs.httpSignatures,
  proofs.sharedInboxes,
  proofs.integrityProofs,
  proofs.noComplaints,
];

for (const database of TESTED_DATABASE_KINDS)
  for (const signatures of SIGNATURES)
    describe(`a server on Fedify, ${signatures} first, ${database}`, () =>
      converse(database, signatures));

/** Ann here and Fay there use all features, and both servers understand each other. */
function converse(database: DatabaseKind, signatures: SignatureKind): void {
  let meeting: Meeting;

  before(async () => {
    meeting = await meet(database, signatures);
  });
  after(() => meeting.remove());

  let isWalking = true;
  for (const { name, walk } of STEPS)
    test(name, async () => {
      assert.ok(isWalking, "a step before this one failed");
      isWalking = false;
      await walk(meeting);
      isWalking = true;
    });
}
