import type { Db } from "../../db/db.ts";
import type { Accounts } from "../../features/accounts/index.ts";
import type { Blocks } from "../../features/blocks/index.ts";
import type { Comments } from "../../features/comments/index.ts";
import type { Contacts } from "../../features/contacts/index.ts";
import type { Events } from "../../features/events/index.ts";
import type { HostPolicies } from "../../features/host-policies/index.ts";
import type { Leaving } from "../../features/leaving/index.ts";
import type { Likes } from "../../features/likes/index.ts";
import type { Moves } from "../../features/moves/index.ts";
import type { Participations } from "../../features/participations/index.ts";
import type { People, Person } from "../../features/people/index.ts";
import type { Polls } from "../../features/polls/index.ts";
import type { Photos } from "../../features/photos/index.ts";
import type { Post, Posts } from "../../features/posts/index.ts";
import type { Quotes } from "../../features/quotes/index.ts";
import type { Retractions } from "../../features/retractions/index.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import type { Clock } from "../../lib/time/clock.ts";
import type { GuardedFetch } from "../../lib/http-client/guarded-fetch.ts";
import type { Log } from "../../observability/log.ts";
import type { Dispatcher } from "../outbound/dispatch.ts";
import type { Inbound } from "../inbound/create-inbound.ts";
import type { Strangers } from "../inbound/strangers.ts";

/** The dependencies of the translator to and from diaspora*. */
export type DiasporaDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly accounts: Accounts;
  readonly people: People;
  readonly contacts: Contacts;
  readonly blocks: Blocks;
  readonly hostPolicies: Pick<HostPolicies, "isHostAllowed">;
  readonly posts: Posts;
  readonly photos: Photos;
  readonly comments: Comments;
  readonly leaving: Leaving;
  readonly likes: Likes;
  readonly moves: Moves;
  readonly events: Events;
  readonly polls: Polls;
  readonly participations: Participations;
  readonly quotes: Quotes;
  readonly retractions: Retractions;
  readonly inbound: Inbound;
  readonly strangers: Strangers;
  readonly dispatch: Dispatcher;
  readonly jobs: Jobs;
  readonly fetch: GuardedFetch;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** `host[:port]` of the local handles. */
  readonly handleHost: string;
  /**
   * Finds a person by handle: a known one, or on the network.
   * @param source host of the sender whose message causes the look-up, for its limit
   */
  readonly discover: (
    handle: string,
    source?: string,
  ) => Promise<Person | undefined>;
  /** The ActivityPub id of a post; null where it has none. */
  readonly uriOfPost: (post: Post, author: Person) => string | null;
  /** Does the object under this ActivityPub id, on its own server, name the actor as its author? */
  readonly isAuthorOf: (uri: string, actorUri: string) => Promise<boolean>;
};
