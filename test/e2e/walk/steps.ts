import * as audiences from "./audience-steps.ts";
import * as events from "./event-steps.ts";
import * as outages from "./outage-steps.ts";
import * as moves from "./move-steps.ts";
import * as people from "./people-steps.ts";
import * as posts from "./post-steps.ts";
import * as retractions from "./retraction-steps.ts";
import * as talk from "./talk-steps.ts";
import * as threads from "./thread-steps.ts";
import type { Step, WalkProtocol } from "./town.ts";

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
  posts.everythingInOne,
  ...talk.comments,
  ...talk.likes,
  ...talk.commentLikes,
  threads.deepThread,
  threads.edits,
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

export const STEPS: Readonly<Record<WalkProtocol, readonly Step[]>> = {
  diaspora: WHOLE_WALK,
  activitypub: WALK_OVER_ACTIVITYPUB,
};
