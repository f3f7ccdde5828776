import * as events from "./event-steps.ts";
import * as outages from "./outage-steps.ts";
import * as moves from "./move-steps.ts";
import * as people from "./people-steps.ts";
import * as posts from "./post-steps.ts";
import * as retractions from "./retraction-steps.ts";
import * as talk from "./talk-steps.ts";
import type { Step, WalkProtocol } from "./town.ts";

/**
 * In this order. Each stands on `shareBothWays` alone, and leaves the people of the
 * town and what they share as it found them; who goes for good is somebody of the
 * step's own. What ends with a server's people elsewhere comes last.
 */
const WHOLE_WALK: readonly Step[] = [
  posts.shareBothWays,
  posts.publicPost,
  posts.limitedPost,
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
  talk.strangersTalk,
  talk.neighboursTalk,
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
  people.block,
  outages.receiverAway,
  outages.relayerAway,
  moves.moveAway,
  people.leave,
];

/**
 * All but one: an account that moves leaves over ActivityPub what it wrote where it
 * is. A Move tells the followers alone, and an object's id, which is its author's
 * server for ever, cannot become another one's.
 */
const WALK_OVER_ACTIVITYPUB: readonly Step[] = WHOLE_WALK.map((step) =>
  step === moves.moveAway ? moves.leadFollowersOn : step,
);

export const STEPS: Readonly<Record<WalkProtocol, readonly Step[]>> = {
  diaspora: WHOLE_WALK,
  activitypub: WALK_OVER_ACTIVITYPUB,
};
