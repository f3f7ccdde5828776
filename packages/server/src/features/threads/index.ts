import type { Db } from "../../db/db.ts";
import { KithError } from "../../lib/errors.ts";
import type { Comment, Comments } from "../comments/index.ts";
import { notFoundIfGone } from "../gone-meanwhile.ts";
import type { PostId, UserId } from "../ids.ts";
import type { Page } from "../page.ts";
import type { Author, PostKey, Posts } from "../posts/index.ts";
import type { Viewer } from "../visibility/index.ts";
import {
  arrangeThread,
  cutThread,
  locateInThread,
  sliceThread,
  type Placed,
  type ThreadPlace,
} from "./arrange.ts";
import {
  deleteMute,
  deleteSomeMutes,
  insertMute,
  listMuted,
} from "./muted-post-store.ts";

export type ThreadsDeps = {
  readonly db: Db;
  readonly comments: Pick<
    Comments,
    "listAbove" | "listById" | "listNodes" | "listNodesBelow" | "withoutHidden"
  >;
  readonly posts: Pick<Posts, "findVisible">;
};

/** A comment in a thread, and its depth below the post or comment that was asked for. */
export type ThreadComment = {
  readonly comment: Comment;
  readonly depth: number;
  /** The number of comments below it that are left out. */
  readonly deeper: number;
};

export type { ThreadPlace } from "./arrange.ts";

/** How much of a thread is listed. */
export type ThreadCut = {
  /** The levels below its root; all without it. */
  readonly levels?: number;
};

/** The conversations below posts: in order, and muted. */
export type Threads = ReturnType<typeof createThreads>;

export function createThreads({ db, comments, posts }: ThreadsDeps) {
  /** Replies to a comment that a filter hides stay at their depth. */
  const load = async (
    whole: readonly Placed[],
    page: Page,
    viewer: Viewer,
    { levels = Infinity }: ThreadCut = {},
  ): Promise<ThreadComment[]> => {
    const placed = cutThread(whole, levels);
    const places = new Map(placed.map((place) => [place.id, place]));
    const shown = await comments.withoutHidden(viewer, page, async (part) => {
      const ids = sliceThread(placed, part).map(({ id }) => id);
      const found = await comments.listById(ids);
      return ids.flatMap((id) => found.get(id) ?? []);
    });
    return shown.map((comment) => {
      const { depth = 0, deeper = 0 } = places.get(comment.id) ?? {};
      return { comment, depth, deeper };
    });
  };
  const change = async (
    user: Author,
    key: PostKey,
    write: typeof insertMute,
  ): Promise<void> => {
    const writing = db.transaction(async (tx) => {
      const post = await posts.findVisible(key, user, tx);
      if (!post) throw new KithError("not_found", "No such post.");
      await write(tx, user.userId, post.id);
    });
    await notFoundIfGone(writing);
  };
  return {
    /**
     * Lists one page of the comments on a post that the caller has found visible, with the
     * replies to each directly below it. Of a longer conversation the oldest are shown.
     */
    listBelowPost: async (
      postId: PostId,
      page: Page,
      viewer: Viewer,
      cut?: ThreadCut,
    ) => {
      const nodes = await comments.listNodes(postId, viewer);
      return load(arrangeThread(nodes), page, viewer, cut);
    },
    /** Lists one page of the replies to a visible comment, and to those, in the same order. */
    listBelow: async (
      comment: Comment,
      page: Page,
      viewer: Viewer,
      cut?: ThreadCut,
    ) => {
      const nodes = await comments.listNodesBelow(comment, viewer);
      return load(arrangeThread(nodes, comment), page, viewer, cut);
    },
    /**
     * Finds the list that shows a visible comment, where lists have so many levels.
     * @returns undefined below a longer conversation than is read
     */
    locate: async (
      comment: Comment,
      viewer: Viewer,
      levels: number,
    ): Promise<ThreadPlace | undefined> => {
      const nodes = await comments.listNodes(comment.postId, viewer);
      return locateInThread(arrangeThread(nodes), comment.id, levels);
    },
    /** Lists the comments above a visible one, from the post downwards. */
    listAbove: (comment: Comment, viewer: Viewer) =>
      comments.listAbove(comment, viewer),
    /**
     * Stops notifications of anything that happens to a post or below it.
     * @throws {KithError} `not_found` for a post that the user may not see
     */
    mute: (user: Author, key: PostKey) => change(user, key, insertMute),
    /** @throws {KithError} `not_found` as `mute` does */
    unmute: (user: Author, key: PostKey) => change(user, key, deleteMute),
    /** Lists those of the posts that the user has muted. */
    listMuted: (userId: UserId, postIds: readonly PostId[]) =>
      listMuted(db.read, userId, postIds),
    /** @returns true if more remain */
    removeSomeMutesOf: (userId: UserId, limit: number) =>
      db.transaction(
        async (tx) => (await deleteSomeMutes(tx, userId, limit)) > 0,
      ),
  };
}
