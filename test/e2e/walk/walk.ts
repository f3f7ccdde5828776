import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { DatabaseKind } from "../../../packages/server/test/support/server/databases.ts";
import { kindsInTime } from "../../support/long-run.ts";
import { listNotifications } from "./look.ts";
import * as audiences from "./audience-steps.ts";
import * as events from "./event-steps.ts";
import * as outages from "./outage-steps.ts";
import * as moves from "./move-steps.ts";
import * as people from "./people-steps.ts";
import * as posts from "./post-steps.ts";
import * as quotes from "./quote-steps.ts";
import * as retractions from "./retraction-steps.ts";
import * as talk from "./talk-steps.ts";
import * as threads from "./thread-steps.ts";
import {
  startServers,
  type Servers,
  type Step,
  type WalkProtocol,
} from "./town.ts";

/**
 * In this order. Each depends only on `shareBothWays`, and leaves the people and their
 * contacts unchanged; a person who leaves for good belongs to the step itself. Steps that
 * end contacts with other servers come last.
 */
const WHOLE_WALK: readonly Step[] = [
  posts.shareBothWays,
  posts.publicPost,
  posts.limitedPost,
  audiences.followersOnly,
  audiences.severalAspects,
  audiences.namedPeople,
  audiences.oneself,
  audiences.unlisted,
  posts.publicPhoto,
  posts.limitedPhoto,
  posts.publicPoll,
  posts.limitedPoll,
  events.publicEvent,
  events.limitedEvent,
  events.changedEvent,
  events.confirmedGuests,
  posts.everythingInOne,
  ...talk.comments,
  ...talk.likes,
  ...talk.commentLikes,
  threads.deepThread,
  threads.edits,
  quotes.quoteAllowedThenRevoked,
  quotes.quoteRefused,
  talk.strangersTalk,
  talk.localPeopleTalk,
  talk.sayNothingElsewhere,
  talk.reshare,
  talk.reshareBringsRoot,
  talk.mentions,
  talk.tags,
  ...retractions.takeBackWords,
  retractions.takeBackPosts,
  retractions.takeBackReshare,
  retractions.takeBackEvent,
  retractions.takeBackPhotoWithPost,
  retractions.takeBackPhoto,
  people.profile,
  people.endSharing,
  people.approveFollowers,
  people.block,
  outages.receiverAway,
  outages.relayerAway,
  moves.moveAway,
  people.leave,
];

/**
 * All but one: over ActivityPub an account that moves leaves its posts behind. A Move
 * notifies only followers, and an object's id, which names its author's server, cannot
 * change.
 */
const WALK_OVER_ACTIVITYPUB: readonly Step[] = WHOLE_WALK.map((step) =>
  step === moves.moveAway ? moves.leadFollowersOn : step,
);

const STEPS: Readonly<Record<WalkProtocol, readonly Step[]>> = {
  diaspora: WHOLE_WALK,
  activitypub: WALK_OVER_ACTIVITYPUB,
};

/** The database for the walk in each run; long runs use both. */
const DATABASES = { diaspora: "postgres", activitypub: "sqlite" } as const;

/** Tests in which three servers with a single protocol go through all steps. */
export function walkOver(protocol: WalkProtocol): void {
  for (const database of kindsInTime(DATABASES[protocol]))
    describe(`three servers over ${protocol} alone, ${database}`, () =>
      walk(database, protocol));
}

/** People on three servers use all features, and check the results on each. */
function walk(database: DatabaseKind, protocol: WalkProtocol): void {
  let town: Servers;

  before(async () => {
    town = await startServers(database, protocol);
  });
  after(() => town.remove());

  for (const step of STEPS[protocol]) test(step.name, () => step.walk(town));

  test("no one was notified twice", async () => {
    const { ann, bob, cid, abe, bea, cat } = town;
    for (const who of [ann, bob, cid, abe, bea, cat]) {
      const notifications = (await listNotifications(who)).filter(
        (one) => !town.changed.has(one.split(" ").at(-1) ?? ""),
      );
      assert.equal(
        new Set(notifications).size,
        notifications.length,
        notifications.join("\n"),
      );
    }
  });

  test("no failure was logged", () => {
    for (const { output } of town.servers)
      assert.doesNotMatch(output, /"level":(?:50|60)/);
  });
}
