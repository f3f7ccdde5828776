import type { Db } from "./db/db.ts";
import { createAccounts, createSeal } from "./features/accounts/index.ts";
import { createAspects } from "./features/aspects/index.ts";
import { createBlocks } from "./features/blocks/index.ts";
import { createComments } from "./features/comments/index.ts";
import { createContacts } from "./features/contacts/index.ts";
import { createExports, createOwnExporters } from "./features/exports/index.ts";
import { createFacts, type Effects } from "./features/facts.ts";
import { createLikes } from "./features/likes/index.ts";
import { createLeaving, createLeavingSteps } from "./features/leaving/index.ts";
import { createNotifications, NOTIFY } from "./features/notifications/index.ts";
import { createPeople } from "./features/people/index.ts";
import { createPosts } from "./features/posts/index.ts";
import { createRetractions } from "./features/retractions/index.ts";
import { FAN_OUT } from "./federation/fan-out.ts";
import { createJobs } from "./jobs/jobs.ts";
import type { Clock } from "./lib/clock.ts";

/** Which jobs follow which fact. */
const EFFECTS: Effects = {
  "post.published": [FAN_OUT, NOTIFY],
  "post.received": [NOTIFY],
  "post.retracted": [FAN_OUT, NOTIFY],
  "comment.created": [FAN_OUT, NOTIFY],
  "comment.retracted": [FAN_OUT, NOTIFY],
  "like.created": [FAN_OUT, NOTIFY],
  "like.retracted": [FAN_OUT, NOTIFY],
  "contact.changed": [FAN_OUT],
  "sharing.started": [NOTIFY],
  "profile.changed": [FAN_OUT],
  "person.blocked": [FAN_OUT],
  "person.unblocked": [FAN_OUT],
};

export type FeaturesInput = {
  readonly db: Db;
  readonly clock: Clock;
  /** 32 bytes. */
  readonly secretKey: Uint8Array;
  /** `host[:port]` of the handles here. */
  readonly handleHost: string;
};

/** Everything that a person can do here, and the queue behind it. */
export type Features = ReturnType<typeof composeFeatures>;

export function composeFeatures(input: FeaturesInput) {
  const { db, clock, handleHost } = input;
  const jobs = createJobs({ db, clock });
  const facts = createFacts(jobs, EFFECTS);
  const retractions = createRetractions({ db, clock });
  const people = createPeople({ db, clock, facts });
  const seal = createSeal(input.secretKey);
  const accounts = createAccounts({ db, clock, people, seal, handleHost });
  const contacts = createContacts({ db, clock, facts });
  const aspects = createAspects({ db, clock, people, contacts });
  const posts = createPosts({ db, clock, facts, aspects, retractions });
  const comments = createComments({ db, clock, facts, posts, retractions });
  const reactions = { db, clock, facts, posts, comments, retractions };
  const likes = createLikes(reactions);
  const notifications = createNotifications({ db, clock });
  const blocks = createBlocks({
    db,
    clock,
    facts,
    people,
    contacts,
    aspects,
    notifications,
  });
  const leaving = createLeaving({ db, jobs, accounts, people });
  /** In this order. A feature with data of its own adds its steps here. */
  const leavingSteps = [
    ...createLeavingSteps({
      db,
      aspects,
      blocks,
      comments,
      contacts,
      likes,
      notifications,
      posts,
    }),
  ];
  /** In this order. A feature with data of its own adds its exporters here. */
  const exports = createExports([
    ...createOwnExporters({ db, accounts, people }),
  ]);
  return {
    jobs,
    exports,
    leaving,
    leavingSteps,
    retractions,
    people,
    accounts,
    contacts,
    aspects,
    posts,
    comments,
    likes,
    notifications,
    blocks,
  };
}
