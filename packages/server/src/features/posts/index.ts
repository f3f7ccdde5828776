import {
  withoutHiddenPosts,
  type FilterContext,
  type Viewer,
} from "../visibility/index.ts";
import type { Reader, Tx } from "../../db/db.ts";
import { timestamp, type Timestamp } from "../../lib/time/clock.ts";
import type { EventId, PersonId, PostId, UserId } from "../ids.ts";
import type { Indexing } from "../indexing/index.ts";
import type { Page } from "../page.ts";
import type { Newcomers } from "../newcomers/index.ts";
import type { HeldAudience, SpamRules } from "../spam-rules/index.ts";
import { listNamesBeside } from "./queries/names-beside.ts";
import type { WriteWatch } from "../freshness/index.ts";
import { createReshareCounts } from "./queries/reshare-counts.ts";
import type { Post, PostKey } from "./post.ts";
import {
  countPublicOfEach,
  listPostsOf,
  type OwnPosts,
} from "./queries/own-posts.ts";
import {
  listNewestHere,
  listPublic,
  type PublicPosts,
} from "./queries/public-queries.ts";
import {
  countLocalPosts,
  countPublicPosts,
  findPost,
  findPostByPage,
  findVisiblePost,
  listPostsByGuid,
  listPostsById,
  listPostsWithEvent,
  listThoseBelow,
  listWelcomePosts,
} from "./queries/post-queries.ts";
import {
  findReshare,
  listResharedBy,
  listReshares,
  listResharersHere,
  listResharesHere,
  listResharerIds,
} from "./queries/reshare-queries.ts";
import { listFound, type FoundOptions } from "./queries/found-queries.ts";
import {
  hasTagged,
  listSelected,
  listTexts,
  type Selection,
} from "./queries/post-selection.ts";
import {
  deletePosts,
  detachEvent,
  listSomeIdsOf,
  updatePinned,
} from "./post-store.ts";
import {
  deleteSomeReceivedBy,
  insertRecipients,
  insertSubscriber,
  isHidden,
  listRecipientIds,
  listRecipientsOf,
  listSubscriberIds,
} from "./recipient-store.ts";
import {
  publishPost,
  resharePost,
  type Author,
  type PublishDeps,
  type PublishPost,
} from "./publish-post.ts";
import {
  changePictureOf,
  changePostText,
  editPost,
  type EditPost,
  type PictureChange,
} from "./edit-post.ts";
import {
  importPost,
  type ImportPost,
  type ImportPostDeps,
} from "./import-post.ts";
import { addHeldRecipients } from "./held/hold-post.ts";
import { releasePost, type ReleaseDeps } from "./held/release-post.ts";
import { takeOverPost, type PostToTakeOver } from "./take-over-post.ts";
import { receivePostEdit, type ReceivedEdit } from "./receive-edit.ts";
import {
  receiveRemotePost,
  renamePost,
  type ReceivedPost,
  type ReceivePostDeps,
} from "./receive-remote-post.ts";
import { hasIndexedPost, listIndexedPosts } from "./queries/sitemap-posts.ts";
import { listStream, type Visibility } from "./queries/stream-queries.ts";
import {
  deleteOrHidePost,
  hidePost,
  receivePostRetraction,
} from "./retract-post.ts";

export { reshareLockOf } from "./post-store.ts";
export { amendAll, type Amend, type PictureChange } from "./edit-post.ts";
export type { ImportPost } from "./import-post.ts";
export type { PostToTakeOver } from "./take-over-post.ts";
export type { Post, PostKey } from "./post.ts";
export {
  checkWarning,
  MAX_TEXT_LENGTH,
  MAX_WARNING_LENGTH,
  readWarning,
} from "./post.ts";
export {
  checkLocation,
  readLocation,
  type PostLocation,
} from "./post-location.ts";
export type { Visibility } from "./queries/stream-queries.ts";
export {
  attachAll,
  checkText,
  type Attach,
  type PostReach,
  type Author,
  type PublishPost,
} from "./publish-post.ts";
export type { EditOutcome, ReceivedEdit } from "./receive-edit.ts";
export type { ConversationReaders } from "./conversation-readers.ts";
export type { PostLinks } from "./post-links.ts";
export type { PhotoCopies, PostPhotos, ReceivedPhoto } from "./post-photos.ts";
export {
  REFUSED_BY_RULE,
  type Received,
  type ReceivedPost,
} from "./receive-remote-post.ts";

export type PostsDeps = PublishDeps &
  ReleaseDeps &
  ReceivePostDeps &
  ImportPostDeps & {
    readonly indexing: Pick<Indexing, "renewPostsWith">;
    readonly writeWatch: WriteWatch;
    readonly newcomers: Newcomers;
    readonly spamRules: Pick<SpamRules, "admit">;
  };

/** Posts and reshares, and who may see them. */
export type Posts = ReturnType<typeof createPosts>;

export function createPosts(deps: PostsDeps) {
  const { db } = deps;
  return {
    publish: (input: PublishPost, tx?: Tx) => publishPost(deps, input, tx),
    /** Stores an old post from an archive, and tells nobody. */
    import: (post: ImportPost) => importPost(deps, post),
    /** Stores a post of a server that moves here, and notifies nobody. */
    takeOver: (post: PostToTakeOver) => takeOverPost(deps, post),
    /** @param listed is the reshare in public lists, if the post is? */
    reshare: (author: Author, guid: string, listed = true) =>
      resharePost(deps, author, guid, listed),
    /** @param keepsPhotos lets the pictures of an own post wait for another one */
    deleteOrHide: (user: Author, guid: string, keepsPhotos = false) =>
      deleteOrHidePost(deps, user, guid, keepsPhotos),
    /** Hides another person's post, see {@link hidePost}. */
    hide: (user: Author, key: PostKey) => hidePost(deps, user, key),
    isHidden: (userId: UserId, postId: PostId) =>
      isHidden(db.read, userId, postId),
    /** Lets a post through that has waited for a moderator. */
    release: (
      tx: Tx,
      id: PostId,
      audience: HeldAudience,
      isLocal: boolean,
    ): Promise<boolean> => releasePost(deps, tx, id, audience, isLocal),
    receive: (post: ReceivedPost, tx?: Tx) => receiveRemotePost(deps, post, tx),
    edit: (author: Author, key: PostKey, edit: EditPost) =>
      editPost(deps, author, key, edit),
    receiveEdit: (edit: ReceivedEdit) => receivePostEdit(deps, edit),
    receiveRetraction: (key: PostKey, by: PersonId, tx?: Tx) =>
      receivePostRetraction(deps, key, by, tx),
    /** For text that the server itself writes on behalf of a local author. */
    changeText: (tx: Tx, post: Post, text: string) =>
      changePostText(deps, tx, post, text),
    /** Changes or removes a picture of a local post; the caller announces it. */
    changePicture: (tx: Tx, postId: PostId, change: PictureChange) =>
      changePictureOf(deps, tx, postId, change),
    /** Applies a remote author's pinning or unpinning of a post. */
    receivePin: (id: PostId, isPinned: boolean) =>
      db.transaction((tx) =>
        updatePinned(tx, id, isPinned ? timestamp(deps.clock.now()) : null),
      ),
    /** @param pinnedAt null to unpin; the caller announces it */
    setPin: (tx: Tx, id: PostId, pinnedAt: Timestamp | null) =>
      updatePinned(tx, id, pinnedAt),
    /** Lists the posts with which the event's owner announces it. */
    listWithEvent: (eventId: EventId, by: PersonId, reader: Reader = db.read) =>
      listPostsWithEvent(reader, eventId, by),
    /** Detaches a deleted event from other people's posts, which remain without it. */
    detachEvent: (tx: Tx, eventId: EventId) =>
      deps.indexing.renewPostsWith(tx, eventId, () => detachEvent(tx, eventId)),
    subscribe: (postId: PostId, personId: PersonId) =>
      db.transaction((tx) => insertSubscriber(tx, postId, personId)),
    /** Finds a post that the viewer may see. */
    findVisible: (key: PostKey, viewer: Viewer, reader: Reader = db.read) =>
      findVisiblePost(reader, key, viewer),
    /** Finds a post regardless of its audience: for jobs and federation, never for a response. */
    find: (key: PostKey, reader: Reader = db.read) => findPost(reader, key),
    /** Finds a remote post by the address of its web page, regardless of its audience. */
    findByPage: (url: string) => findPostByPage(db.read, url),
    /** This list, as those below, without posts that a filter of the viewer hides in it. */
    listStream: (
      viewer: NonNullable<Viewer>,
      visibility: Visibility,
      page: Page,
    ) => {
      const context = visibility === "public" ? "public" : "home";
      return withoutHiddenPosts(db.read, viewer, context, page, (part) =>
        listStream(db.read, viewer, visibility, part),
      );
    },
    listOf: (
      personId: PersonId,
      viewer: Viewer,
      page: Page,
      which?: OwnPosts,
    ) =>
      withoutHiddenPosts(db.read, viewer, "account", page, (part) =>
        listPostsOf(db.read, personId, viewer, part, which),
      ),
    /** Lists the listed public posts, also for a viewer without an account. */
    listPublic: (viewer: Viewer, which: PublicPosts, page: Page) =>
      withoutHiddenPosts(db.read, viewer, "public", page, (part) =>
        listPublic(db.read, viewer, which, part),
      ),
    /** The newest public post of each person here, of those with the newest ones. */
    listNewestHere: (limit: number) => listNewestHere(db.read, limit),
    /**
     * Lists the posts with a tag, by a person or with given ids that belong in the
     * viewer's lists.
     */
    listSelected: (
      viewer: Viewer,
      selection: Selection,
      page: Page,
      context: FilterContext,
    ) =>
      withoutHiddenPosts(db.read, viewer, context, page, (part) =>
        listSelected(db.read, viewer, selection, part),
      ),
    /** Does the viewer find a post in the list of this tag? */
    hasTagged: (tag: string, viewer: Viewer) => hasTagged(db.read, viewer, tag),
    /** Lists those of the posts that a search may show to the viewer, newest first. */
    listFound: (
      ids: readonly PostId[],
      viewer: NonNullable<Viewer>,
      options?: FoundOptions,
    ) => listFound(db.read, ids, viewer, options),
    /** Lists the texts of the newest such posts, for search. */
    listTexts: (
      viewer: NonNullable<Viewer>,
      below: PostId | null,
      limit: number,
    ) => listTexts(db.read, viewer, below, limit),
    /** Lists the posts here that search engines may read. */
    listIndexed: (range: Parameters<typeof listIndexedPosts>[1]) =>
      listIndexedPosts(db.read, range),
    /** Is there such a post between these keys? */
    hasIndexed: (keys: Parameters<typeof hasIndexedPost>[1]) =>
      hasIndexedPost(db.read, keys),
    listReshares: (rootGuid: string, viewer: Viewer, page: Page) =>
      listReshares(db.read, rootGuid, viewer, page),
    listByGuid: (guids: readonly string[], viewer: Viewer) =>
      listPostsByGuid(db.read, guids, viewer),
    /** Lists the posts with these ids that the viewer may see, newest post first. */
    listById: (ids: readonly PostId[], viewer: Viewer) =>
      listPostsById(db.read, ids, viewer),
    /** Lists those of the given posts that the viewer may see and has not hidden or blocked. */
    listWelcome: (guids: readonly string[], viewer: Viewer) =>
      listWelcomePosts(db.read, guids, viewer),
    /** Lists the addresses and Guids that posts link to or quote, whether or not they are here. */
    listNamesBeside: (ids: readonly PostId[]) => listNamesBeside(db.read, ids),
    /** Gives a remote post another ActivityPub id. @returns false where its author has no such post */
    rename: (of: Pick<Post, "guid" | "personId">, uri: string) =>
      renamePost(deps, of, uri),
    /** Lists the newest reshares of a post by active people here. */
    listResharesHere: (rootGuid: string, limit: number) =>
      listResharesHere(db.read, rootGuid, limit),
    /** Lists the newest reshare of any post of a person, by each active person here. */
    listResharersHere: (rootPersonId: PersonId, limit: number) =>
      listResharersHere(db.read, rootPersonId, limit),
    findReshareOf: (rootGuid: string, personId: PersonId) =>
      findReshare(db.read, rootGuid, personId),
    /** The Guids of those of the posts that this person has reshared. */
    listResharedBy: (personId: PersonId, guids: readonly string[]) =>
      listResharedBy(db.read, personId, guids),
    /** Counts the reshares that the viewer finds in the list of each post that it may see. */
    countReshares: createReshareCounts(db, deps.writeWatch),
    /** Lists the recipients of a limited post. */
    listRecipientIds: (postId: PostId, reader: Reader = db.read) =>
      listRecipientIds(reader, postId),
    /** Lists the recipients of limited posts. */
    listRecipientsOf: (postIds: readonly PostId[]) =>
      listRecipientsOf(db.read, postIds),
    /** Adds a participant of a conversation who became known only now. */
    addRecipient: (postId: PostId, personId: PersonId) =>
      db.transaction(async (tx) => {
        if (await addHeldRecipients(deps, tx, postId, [personId])) return;
        await insertRecipients(tx, postId, [personId]);
        await deps.indexing.renewPost(tx, postId);
      }),
    /** Lists the people who reshared a post, for notifications. */
    listResharerIds: (guid: string) => listResharerIds(db.read, guid),
    /** Lists the people who subscribed to a public post or reshared it. */
    listFollowerIds: async (postId: PostId, guid: string) => [
      ...(await listSubscriberIds(db.read, postId)),
      ...(await listResharerIds(db.read, guid)),
    ],
    /** Lists the people who commented on it, liked something there, or voted. */
    listThoseBelow: (postId: PostId) => listThoseBelow(db.read, postId),
    /** Lists some posts of a person who has left; no one is notified of each. */
    listSomeIdsOf: (tx: Tx, personId: PersonId, limit: number) =>
      listSomeIdsOf(tx, personId, limit),
    /** Deletes posts, with their pictures and those of their comments. */
    removeByIds: async (tx: Tx, ids: readonly PostId[]) => {
      await deps.photos.removeBelow(tx, ids);
      await deletePosts(tx, ids);
    },
    /** @returns true if more remain */
    removeSomeReceivedBy: (
      reader: { personId: PersonId; userId: UserId | null },
      limit: number,
    ) =>
      db.transaction(
        async (tx) => (await deleteSomeReceivedBy(tx, reader, limit)) > 0,
      ),
    countLocal: () => countLocalPosts(db.read),
    countPublicOfEach: (personIds: readonly PersonId[]) =>
      countPublicOfEach(db.read, personIds),
    countPublicOf: (personId: PersonId) => countPublicPosts(db.read, personId),
  };
}
