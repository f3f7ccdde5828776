import * as outages from "./outage-steps.ts";
import * as people from "./people-steps.ts";
import * as posts from "./post-steps.ts";
import * as retractions from "./retraction-steps.ts";
import * as talk from "./talk-steps.ts";
import type { Step, WalkProtocol } from "./town.ts";

/** In this order. Each stands on `shareBothWays` alone. */
const WHOLE_WALK: readonly Step[] = [
  posts.shareBothWays,
  posts.publicPost,
  posts.limitedPost,
  posts.publicPhoto,
  posts.limitedPhoto,
  posts.publicPoll,
  posts.limitedPoll,
  posts.publicEvent,
  posts.limitedEvent,
  posts.everythingInOne,
  ...talk.comments,
  ...talk.likes,
  ...talk.commentLikes,
  talk.strangersTalk,
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
  people.profile,
  people.endSharing,
  people.block,
  outages.receiverAway,
  outages.relayerAway,
  people.leave,
];

export const STEPS: Readonly<Record<WalkProtocol, readonly Step[]>> = {
  diaspora: WHOLE_WALK,
  activitypub: WHOLE_WALK,
};
