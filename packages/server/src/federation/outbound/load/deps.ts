import type { Accounts } from "../../../features/accounts/index.ts";
import type { Comments } from "../../../features/comments/index.ts";
import type { Events } from "../../../features/events/index.ts";
import type { Likes } from "../../../features/likes/index.ts";
import type { Participations } from "../../../features/participations/index.ts";
import type { People } from "../../../features/people/index.ts";
import type { Photos } from "../../../features/photos/index.ts";
import type { Polls } from "../../../features/polls/index.ts";
import type { Posts } from "../../../features/posts/index.ts";
import type { Quotes } from "../../../features/quotes/index.ts";
import type { Retractions } from "../../../features/retractions/index.ts";
import type { Texts } from "../../../features/texts/index.ts";

/** The features from which facts and the messages about them are loaded. */
export type LoadDeps = {
  readonly accounts: Accounts;
  readonly people: People;
  readonly posts: Posts;
  readonly quotes: Quotes;
  readonly comments: Comments;
  readonly likes: Likes;
  readonly events: Events;
  readonly photos: Photos;
  readonly polls: Polls;
  readonly participations: Participations;
  readonly retractions: Retractions;
  readonly texts: Texts;
};
