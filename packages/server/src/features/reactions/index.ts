import type { Db } from "../../db/db.ts";
import { lockKey } from "../../db/dialect.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import { hasBlocked } from "../visibility/index.ts";
import type { CommentId, PersonId, PostId } from "../ids.ts";
import type { Posts } from "../posts/index.ts";
import {
  countReactionsOf,
  deleteReaction,
  deleteSomeReactionsOf,
  insertReaction,
  listReactions,
  type Reaction,
} from "./reaction-store.ts";

export type { Reaction } from "./reaction-store.ts";

type ReactionsDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly posts: Posts;
};

/** Whoever gives more to one post means no answer. */
const MAX_OF_ONE = 50;
const MAX_LISTED = 1000;

/** Emoji that people elsewhere answer with. They are kept beside likes and do not count as such. */
export type Reactions = ReturnType<typeof createReactions>;

export function createReactions({ db, clock, posts }: ReactionsDeps) {
  return {
    /**
     * Stores a reaction whose author is certain and may see what it is about, once.
     * @returns false where the author of the post has blocked its author, or there are too many
     */
    receive: (reaction: Reaction): Promise<boolean> =>
      db.transaction(async (tx) => {
        const { postId, personId } = reaction;
        await lockKey(tx, db.dialect, `reaction:${postId}:${personId}`);
        const post = await posts.find({ id: postId }, tx);
        if (!post || (await hasBlocked(tx, post.personId, personId)))
          return false;
        if ((await countReactionsOf(tx, personId, postId)) >= MAX_OF_ONE)
          return false;
        await insertReaction(tx, reaction, timestamp(clock.now()));
        return true;
      }),
    /** @returns false where there is none of this person's under that id */
    receiveRetraction: (uri: string, by: PersonId): Promise<boolean> =>
      db.transaction((tx) => deleteReaction(tx, uri, by)),
    /** For jobs and federation, never for an answer. */
    list: (of: { postId: PostId; commentId: CommentId | null }) =>
      listReactions(db.read, of, MAX_LISTED),
    /** Of somebody who has left. @returns true where more are left */
    removeSomeOf: (personId: PersonId, limit: number) =>
      db.transaction(
        async (tx) => (await deleteSomeReactionsOf(tx, personId, limit)) > 0,
      ),
  };
}
