import {
  isSuspended,
  leaveOutHiddenComments,
  withoutHiddenComments,
  type Viewer,
} from "../visibility/index.ts";
import type { Reader, Tx } from "../../db/db.ts";
import type { CommentId, PersonId, PostId } from "../ids.ts";
import type { Page } from "../page.ts";
import type { PictureChange, ReceivedEdit } from "../posts/index.ts";
import type { HeldText } from "../spam-rules/index.ts";
import {
  countLocalComments,
  countReplies,
  deleteSomeCommentsOf,
  findComment,
  listComments,
  listNewestComments,
  type Comment,
  type CommentKey,
} from "./comment-store.ts";
import {
  checkCommentText,
  createComment,
  receiveRemoteComment,
  type CreateComment,
  type CreateCommentDeps,
  type ReceivedComment,
} from "./create-comment.ts";
import {
  changePictureOfComment,
  editComment,
  type EditComment,
} from "./edit-comment.ts";
import {
  importComment,
  type ImportComment,
  type KeepDeps,
} from "./import-comment.ts";
import {
  takeOverComment,
  type CommentToTakeOver,
} from "./take-over-comment.ts";
import { listCommentsOf, type OwnComments } from "./own-comments.ts";
import { releaseComment } from "./release-comment.ts";
import { receiveCommentEdit } from "./receive-edit.ts";
import {
  findRetractable,
  receiveCommentRetraction,
  removeComment,
} from "./retract-comment.ts";

import {
  listAbove,
  listById,
  countEarlier,
  listByGuid,
  listNodes,
  listNodesBelow,
} from "./thread-queries.ts";

import type { WriteWatch } from "../freshness/index.ts";
import { createCommentCounts } from "./comment-counts.ts";

export type { Comment, CommentKey } from "./comment-store.ts";
export { warnOfPictures, type CommentPhotos } from "./comment-photos.ts";
export { checkCommentText, type CreateComment, type ReceivedComment };
export { MAX_THREAD_LENGTH, type CommentNode } from "./thread-queries.ts";

/** Comments on posts. Everyone who may see a post may see its comments. */
export type Comments = ReturnType<typeof createComments>;

export function createComments(
  deps: CreateCommentDeps & KeepDeps & { readonly writeWatch: WriteWatch },
) {
  const { db, posts } = deps;
  const count = createCommentCounts(db, deps.writeWatch);
  return {
    create: (input: CreateComment) => createComment(deps, input),
    /** Stores an old comment from an archive, and tells nobody. */
    import: (comment: ImportComment) => importComment(deps, comment),
    /** Stores a comment that has waited for a moderator. @see releaseComment */
    release: (
      tx: Tx,
      held: HeldText & { readonly kind: "comment" },
      isLocal: boolean,
    ) => releaseComment(deps, tx, held, isLocal),
    /** Stores a comment of a server that moves here, and notifies nobody. */
    takeOver: (comment: CommentToTakeOver) => takeOverComment(deps, comment),
    /** Finds a comment that this person may delete: its own, or one on a post of its own. */
    findRetractable: (key: CommentKey, by: PersonId) =>
      findRetractable(deps, db.read, key, by),
    edit: (
      author: CreateComment["author"],
      key: CommentKey,
      edit: EditComment,
    ) => editComment(deps, author, key, edit),
    /** Changes or deletes a picture of a user's own comment, as an edit of it. */
    changePicture: (
      tx: Tx,
      author: CreateComment["author"],
      id: CommentId,
      change: PictureChange,
    ) => changePictureOfComment(deps, tx, author, id, change),
    /** @param keepsPhotos lets the pictures of an own comment wait for something else */
    remove: (
      user: CreateComment["author"],
      guid: string,
      keepsPhotos = false,
    ) => removeComment(deps, user, guid, keepsPhotos),
    receive: (comment: ReceivedComment, outer?: Tx) =>
      receiveRemoteComment(deps, comment, outer),
    receiveEdit: (edit: ReceivedEdit) => receiveCommentEdit(deps, edit),
    receiveRetraction: (key: CommentKey, by: PersonId, tx?: Tx) =>
      receiveCommentRetraction(deps, key, by, tx),
    /** For jobs and federation, never for a response. */
    find: (key: CommentKey, reader: Reader = db.read) =>
      findComment(reader, key),
    /** Finds a comment on a post that the viewer may see. */
    findVisible: async (
      key: CommentKey,
      viewer: Viewer,
      reader: Reader = db.read,
    ): Promise<Comment | undefined> => {
      const comment = await findComment(reader, key);
      if (!comment || (await isSuspended(reader, comment.personId)))
        return undefined;
      const post = await posts.findVisible(
        { id: comment.postId },
        viewer,
        reader,
      );
      return post && comment;
    },
    /**
     * Lists the comments of a post that the caller has found visible, without those by
     * people whom the viewer avoids, and without those that a filter of the viewer hides.
     */
    list: (postId: PostId, page: Page, viewer: Viewer) =>
      withoutHiddenComments(db.read, viewer, page, (part) =>
        listComments(db.read, postId, part, viewer?.personId ?? null),
      ),
    /** Lists one page of comments, as `read`, without those that a filter hides. */
    withoutHidden: (
      viewer: Viewer,
      page: Page,
      read: (page: Page) => Promise<Comment[]>,
    ) => withoutHiddenComments(db.read, viewer, page, read),
    /** Leaves out the comments that a filter of the viewer hides. */
    leaveOutHidden: (comments: readonly Comment[], viewer: Viewer) =>
      leaveOutHiddenComments(db.read, viewer, comments),
    /** For a thread; the caller has found the post or comment visible. */
    listNodes: (postId: PostId, viewer: Viewer) =>
      listNodes(db.read, postId, viewer?.personId ?? null),
    listNodesBelow: (comment: Comment, viewer: Viewer) =>
      listNodesBelow(db.read, comment, viewer?.personId ?? null),
    listAbove: async (comment: Comment, viewer: Viewer) => {
      const above = await listAbove(db.read, comment, viewer?.personId ?? null);
      return leaveOutHiddenComments(db.read, viewer, above);
    },
    /** Comments that the caller has found visible. */
    listById: (ids: readonly CommentId[]) => listById(db.read, ids),
    listByGuid: (guids: readonly string[]) => listByGuid(db.read, guids),
    /** Counts the comments above this one in the list that the viewer reads. */
    countEarlier: (comment: Pick<Comment, "id" | "postId">, viewer: Viewer) =>
      countEarlier(db.read, comment, viewer?.personId ?? null),
    /** The newest of each post, fewer where a filter of the viewer hides some of them. */
    listNewest: async (
      postIds: readonly PostId[],
      perPost: number,
      viewer: Viewer,
    ) => {
      const readerId = viewer?.personId ?? null;
      // The counts are mostly kept, and most posts have no comments.
      const counts = await count(postIds, viewer);
      const commented = postIds.filter((id) => (counts.get(id) ?? 0) > 0);
      const newest = await listNewestComments(
        ...([db.read, commented, perPost, readerId] as const),
      );
      return leaveOutHiddenComments(db.read, viewer, newest);
    },
    /**
     * Deletes some comments of a person who has left.
     * @returns true if more remain
     */
    removeSomeOf: (personId: PersonId, limit: number) =>
      db.transaction(
        async (tx) => (await deleteSomeCommentsOf(tx, personId, limit)) > 0,
      ),
    /** Counts the comments that people write whom the viewer does not avoid. */
    count,
    /** Counts the direct replies of each of these comments, by Guid. */
    countReplies: (guids: readonly string[], viewer: Viewer) =>
      countReplies(db.read, guids, viewer?.personId ?? null),
    /** Lists a page of a person's comments on posts that the viewer may see, newest first. */
    listOf: (
      personId: PersonId,
      viewer: Viewer,
      page: Page,
      which?: OwnComments,
    ) => listCommentsOf(db.read, personId, viewer, page, which),
    countLocal: () => countLocalComments(db.read),
  };
}
