import type { Db, Reader, Tx } from "../../db/db.ts";
import { lockKey } from "../../db/dialect.ts";
import { lockNames } from "../../db/lock-names.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import { hasBlocked, type Viewer } from "../visibility/index.ts";
import type { CommentId, PersonId, PostId } from "../ids.ts";
import type { Page } from "../page.ts";
import type { Posts } from "../posts/index.ts";
import {
  countReactions,
  listReactionsTo,
  type ListedReaction,
  type ReactionCount,
  type ReactionTarget,
} from "./reaction-queries.ts";
import {
  countReactionsOf,
  deleteReaction,
  deleteSomeReactionsOf,
  hasReaction,
  insertReaction,
  listReactions,
  type Reaction,
} from "./reaction-store.ts";

export type { Reaction } from "./reaction-store.ts";
export type { ListedReaction, ReactionCount } from "./reaction-queries.ts";

type ReactionsDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly posts: Posts;
  /** The address under which this server shows a picture of another one. */
  readonly proxyUrlOf: (url: string) => string;
};

/** More by one person to one post is not meant as a response. */
const MAX_OF_ONE = 50;
const MAX_LISTED = 1000;

/** Emoji reactions of remote people. Stored beside likes, and not counted as likes. */
export type Reactions = ReturnType<typeof createReactions>;

export function createReactions(deps: ReactionsDeps) {
  const { db, clock, posts } = deps;
  const proxied = <R extends { readonly emojiUrl: string | null }>(
    it: R,
  ): R => ({
    ...it,
    emojiUrl: it.emojiUrl === null ? null : deps.proxyUrlOf(it.emojiUrl),
  });
  return {
    /**
     * Stores a reaction, once. The caller has authenticated its author and checked that the
     * author may see the post or comment.
     * @param isUndone has it been retracted before it arrived?
     * @returns false if it was, the post's author has blocked the reacting person, or there are
     * too many
     */
    receive: (
      reaction: Reaction,
      isUndone: (tx: Tx) => Promise<boolean>,
    ): Promise<boolean> =>
      db.transaction(async (tx) => {
        const { postId, personId } = reaction;
        await lockNames(tx, db.dialect, [reaction.uri]);
        if (await isUndone(tx)) return false;
        await lockKey(tx, db.dialect, `reaction:${postId}:${personId}`);
        const post = await posts.find({ id: postId }, tx);
        if (!post || (await hasBlocked(tx, post.personId, personId)))
          return false;
        if ((await countReactionsOf(tx, personId, postId)) >= MAX_OF_ONE)
          return false;
        await insertReaction(tx, reaction, timestamp(clock.now()));
        return true;
      }),
    /** Has this person a reaction with that id? */
    has: (reader: Reader, uri: string, by: PersonId): Promise<boolean> =>
      hasReaction(reader, uri, by),
    /** @returns false if this person has no reaction with that id */
    receiveRetraction: (uri: string, by: PersonId): Promise<boolean> =>
      db.transaction((tx) => deleteReaction(tx, uri, by)),
    /**
     * Counts the reactions to each of these posts or comments, by their emojis. The caller has
     * found the things visible; the pictures are loaded from this server.
     */
    count: async (
      type: ReactionTarget,
      ids: readonly number[],
      viewer: Viewer,
    ): Promise<Map<number, ReactionCount[]>> => {
      const found = await countReactions(db.read, type, ids, viewer);
      return new Map([...found].map(([id, list]) => [id, list.map(proxied)]));
    },
    /** Lists a page of the reactions to something visible, newest first. */
    listTo: async (
      target: { readonly type: ReactionTarget; readonly id: number },
      viewer: Viewer,
      page: Page,
    ): Promise<ListedReaction[]> =>
      (await listReactionsTo(db.read, target, viewer, page)).map(proxied),
    /** For jobs and federation, never for a response. */
    list: (of: { postId: PostId; commentId: CommentId | null }) =>
      listReactions(db.read, of, MAX_LISTED),
    /** Removes reactions of a deleted account. @returns true if more are left */
    removeSomeOf: (personId: PersonId, limit: number) =>
      db.transaction(
        async (tx) => (await deleteSomeReactionsOf(tx, personId, limit)) > 0,
      ),
  };
}
