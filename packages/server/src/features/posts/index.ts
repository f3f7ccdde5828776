import type { Reader } from "../../db/db.ts";
import type { PersonId, PostId } from "../ids.ts";
import type { Page } from "../page.ts";
import type { PostKey, Viewer } from "./post.ts";
import {
  countLocalPosts,
  countPublicPosts,
  countReshares,
  findPost,
  findVisiblePost,
  listPostsByGuid,
  listPostsOf,
  listReshares,
  listResharerIds,
} from "./post-queries.ts";
import {
  insertSubscriber,
  listRecipientIds,
  listSubscriberIds,
} from "./post-store.ts";
import {
  publishPost,
  resharePost,
  type Author,
  type PublishDeps,
  type PublishPost,
} from "./publish-post.ts";
import {
  receiveRemotePost,
  type ReceivedPost,
  type ReceivePostDeps,
} from "./receive-remote-post.ts";
import { listStream, type Visibility } from "./stream-queries.ts";
import { deleteOrHidePost, receivePostRetraction } from "./retract-post.ts";

export type { Post, PostKey, PostType, Viewer } from "./post.ts";
export { MAX_TEXT_LENGTH } from "./post.ts";
export { isVisibleTo } from "./post-access.ts";
export type { Visibility } from "./stream-queries.ts";
export { checkText, type Author } from "./publish-post.ts";
export type { Received, ReceivedPost } from "./receive-remote-post.ts";

export type PostsDeps = PublishDeps & ReceivePostDeps;

/** Posts and reshares, and who may see them. */
export type Posts = ReturnType<typeof createPosts>;

export function createPosts(deps: PostsDeps) {
  const { db } = deps;
  return {
    publish: (input: PublishPost) => publishPost(deps, input),
    reshare: (author: Author, guid: string) => resharePost(deps, author, guid),
    deleteOrHide: (user: Author, guid: string) =>
      deleteOrHidePost(deps, user, guid),
    receive: (post: ReceivedPost) => receiveRemotePost(deps, post),
    receiveRetraction: (key: PostKey, by: PersonId) =>
      receivePostRetraction(deps, key, by),
    subscribe: (postId: PostId, personId: PersonId) =>
      db.transaction((tx) => insertSubscriber(tx, postId, personId)),
    /** A post that the viewer may see. */
    findVisible: (key: PostKey, viewer: Viewer, reader: Reader = db.read) =>
      findVisiblePost(reader, key, viewer),
    /** A post whoever may see it: for jobs and federation, never for an answer. */
    find: (key: PostKey, reader: Reader = db.read) => findPost(reader, key),
    listStream: (
      viewer: NonNullable<Viewer>,
      visibility: Visibility,
      page: Page,
    ) => listStream(db, viewer, visibility, page),
    listOf: (personId: PersonId, viewer: Viewer, page: Page) =>
      listPostsOf(db.read, personId, viewer, page),
    listReshares: (rootGuid: string, viewer: Viewer, page: Page) =>
      listReshares(db.read, rootGuid, viewer, page),
    listByGuid: (guids: readonly string[], viewer: Viewer) =>
      listPostsByGuid(db.read, guids, viewer),
    countReshares: (guids: readonly string[]) => countReshares(db.read, guids),
    /** Who got a limited post. */
    listRecipientIds: (postId: PostId) => listRecipientIds(db.read, postId),
    /** Who asked to hear what happens to a public post, or passed it on. */
    listFollowerIds: async (postId: PostId, guid: string) => [
      ...(await listSubscriberIds(db.read, postId)),
      ...(await listResharerIds(db.read, guid)),
    ],
    countLocal: () => countLocalPosts(db.read),
    countPublicOf: (personId: PersonId) => countPublicPosts(db.read, personId),
  };
}
