import type { Viewer } from "../visibility/index.ts";
import type { Reader, Tx } from "../../db/db.ts";
import { timestamp } from "../../lib/time/clock.ts";
import type { EventId, PersonId, PostId, UserId } from "../ids.ts";
import type { Page } from "../page.ts";
import { countReshares } from "./count-reshares.ts";
import type { Post, PostKey } from "./post.ts";
import {
  countLocalPosts,
  countPublicPosts,
  findPost,
  findPostByPage,
  findReshare,
  findVisiblePost,
  listPostsByGuid,
  listPostsCarrying,
  listPostsOf,
  listReshares,
  listResharerIds,
  listWelcomePosts,
} from "./post-queries.ts";
import { listSelected, listTexts, type Selection } from "./post-selection.ts";
import {
  deletePosts,
  deleteSomeReceivedBy,
  detachEvent,
  insertRecipients,
  insertSubscriber,
  listRecipientIds,
  listSomeIdsOf,
  listSubscriberIds,
  updatePinned,
} from "./post-store.ts";
import {
  publishPost,
  resharePost,
  type Author,
  type PublishDeps,
  type PublishPost,
} from "./publish-post.ts";
import {
  changePostText,
  receivePostEdit,
  type ReceivedEdit,
} from "./receive-edit.ts";
import {
  receiveRemotePost,
  type ReceivedPost,
  type ReceivePostDeps,
} from "./receive-remote-post.ts";
import { listStream, type Visibility } from "./stream-queries.ts";
import { deleteOrHidePost, receivePostRetraction } from "./retract-post.ts";

export type { Post, PostKey } from "./post.ts";
export { checkWarning, MAX_TEXT_LENGTH, readWarning } from "./post.ts";
export {
  checkLocation,
  readLocation,
  type PostLocation,
} from "./post-location.ts";
export type { Visibility } from "./stream-queries.ts";
export {
  attachAll,
  checkText,
  type Attach,
  type Author,
  type PublishPost,
} from "./publish-post.ts";
export type { EditOutcome, ReceivedEdit } from "./receive-edit.ts";
export type { PostPhotos, ReceivedPhoto } from "./post-photos.ts";
export type { Received, ReceivedPost } from "./receive-remote-post.ts";

export type PostsDeps = PublishDeps & ReceivePostDeps;

/** Posts and reshares, and who may see them. */
export type Posts = ReturnType<typeof createPosts>;

export function createPosts(deps: PostsDeps) {
  const { db } = deps;
  return {
    publish: (input: PublishPost, tx?: Tx) => publishPost(deps, input, tx),
    reshare: (author: Author, guid: string) => resharePost(deps, author, guid),
    deleteOrHide: (user: Author, guid: string) =>
      deleteOrHidePost(deps, user, guid),
    receive: (post: ReceivedPost, tx?: Tx) => receiveRemotePost(deps, post, tx),
    receiveEdit: (edit: ReceivedEdit) => receivePostEdit(deps, edit),
    receiveRetraction: (key: PostKey, by: PersonId, tx?: Tx) =>
      receivePostRetraction(deps, key, by, tx),
    /** For what the server itself wrote in the name of an author here. */
    changeText: (tx: Tx, post: Post, text: string) =>
      changePostText(deps, tx, post, text),
    /** The author, elsewhere, pins a post or takes it down. */
    receivePin: (id: PostId, pinned: boolean) =>
      db.transaction((tx) =>
        updatePinned(tx, id, pinned ? timestamp(deps.clock.now()) : null),
      ),
    /** For the owner of the event: with which posts its author tells of it. */
    listCarrying: (eventId: EventId, by: PersonId, reader: Reader = db.read) =>
      listPostsCarrying(reader, eventId, by),
    /** The event is gone: the posts of others that carried it go on without it. */
    detachEvent: (tx: Tx, eventId: EventId) => detachEvent(tx, eventId),
    subscribe: (postId: PostId, personId: PersonId) =>
      db.transaction((tx) => insertSubscriber(tx, postId, personId)),
    /** A post that the viewer may see. */
    findVisible: (key: PostKey, viewer: Viewer, reader: Reader = db.read) =>
      findVisiblePost(reader, key, viewer),
    /** A post whoever may see it: for jobs and federation, never for an answer. */
    find: (key: PostKey, reader: Reader = db.read) => findPost(reader, key),
    /** A post from elsewhere by the address of its page there, whoever may see it. */
    findByPage: (url: string) => findPostByPage(db.read, url),
    listStream: (
      viewer: NonNullable<Viewer>,
      visibility: Visibility,
      page: Page,
    ) => listStream(db.read, viewer, visibility, page),
    listOf: (personId: PersonId, viewer: Viewer, page: Page) =>
      listPostsOf(db.read, personId, viewer, page),
    /** Posts with a tag, by a person, or named by id, that belong into a list of the viewer's. */
    listSelected: (viewer: Viewer, selection: Selection, page: Page) =>
      listSelected(db.read, viewer, selection, page),
    /** The texts of the newest such posts, to be searched. */
    listTexts: (
      viewer: NonNullable<Viewer>,
      below: PostId | null,
      limit: number,
    ) => listTexts(db.read, viewer, below, limit),
    listReshares: (rootGuid: string, viewer: Viewer, page: Page) =>
      listReshares(db.read, rootGuid, viewer, page),
    listByGuid: (guids: readonly string[], viewer: Viewer) =>
      listPostsByGuid(db.read, guids, viewer),
    /** Of these those that the viewer may see, and wants to. */
    listWelcome: (guids: readonly string[], viewer: Viewer) =>
      listWelcomePosts(db.read, guids, viewer),
    findReshareOf: (rootGuid: string, personId: PersonId) =>
      findReshare(db.read, rootGuid, personId),
    /** As many as the viewer finds in the list of the reshares of each post that it may see. */
    countReshares: (guids: readonly string[], viewer: Viewer) =>
      countReshares(db.read, guids, viewer),
    /** Who got a limited post. */
    listRecipientIds: (postId: PostId, reader: Reader = db.read) =>
      listRecipientIds(reader, postId),
    /** Somebody who takes part in a conversation became known only now. */
    addRecipient: (postId: PostId, personId: PersonId) =>
      db.transaction((tx) => insertRecipients(tx, postId, [personId])),
    /** Who asked to hear what happens to a public post, or passed it on. */
    listFollowerIds: async (postId: PostId, guid: string) => [
      ...(await listSubscriberIds(db.read, postId)),
      ...(await listResharerIds(db.read, guid)),
    ],
    /** Of somebody who has left; nobody is told of each. */
    listSomeIdsOf: (tx: Tx, personId: PersonId, limit: number) =>
      listSomeIdsOf(tx, personId, limit),
    removeByIds: (tx: Tx, ids: readonly PostId[]) => deletePosts(tx, ids),
    /** @returns true where more is left */
    removeSomeReceivedBy: (
      reader: { personId: PersonId; userId: UserId | null },
      limit: number,
    ) =>
      db.transaction(
        async (tx) => (await deleteSomeReceivedBy(tx, reader, limit)) > 0,
      ),
    countLocal: () => countLocalPosts(db.read),
    countPublicOf: (personId: PersonId) => countPublicPosts(db.read, personId),
  };
}
