import type { Db, Tx } from "../../db/db.ts";
import { KithError } from "../../lib/errors.ts";
import type { Comments, CreateComment } from "../comments/index.ts";
import type { CommentId, PersonId, PostId, UserId } from "../ids.ts";
import type { Page } from "../page.ts";
import type { People } from "../people/index.ts";
import type { Author, Posts } from "../posts/index.ts";
import {
  countUnreadConversations,
  findConversation,
  findNewestOfOthers,
  listConversations,
  listMessages,
  listNewestMessages,
  listParticipantIds,
  listUsersWithout,
} from "./conversation-queries.ts";
import type { Conversation } from "./conversation.ts";
import {
  deleteSomeReadersOf,
  deleteUnread,
  insertUnread,
  updateState,
} from "./reader-store.ts";
import {
  startConversation,
  type StartConversation,
} from "./start-conversation.ts";

export { createConversationReaders } from "./reader-store.ts";
export {
  MAX_PARTICIPANTS,
  MAX_SUBJECT_LENGTH,
  type Conversation,
  type PrivateMessage,
} from "./conversation.ts";

export type ConversationsDeps = {
  readonly db: Db;
  readonly people: People;
  readonly posts: Posts;
  readonly comments: Comments;
  /** Marks the notification of a conversation as read. */
  readonly markNoticeRead: (
    tx: Tx,
    userId: UserId,
    guid: string,
  ) => Promise<void>;
};

/** The parts of a message beside its text. */
type MessageParts = Partial<
  Pick<CreateComment, "attach" | "isTextOptional" | "photoIds">
>;

type ConversationKey = { readonly id: PostId } | { readonly guid: string };

/**
 * Private conversations of named people, over both protocols. A conversation is a limited
 * post, its first message; its comments are the others, and its content warning is its
 * subject.
 */
export type Conversations = ReturnType<typeof createConversations>;

export function createConversations(deps: ConversationsDeps) {
  const { db, comments, markNoticeRead } = deps;
  const get = async (user: Author, key: ConversationKey, reader = db.read) => {
    const found = await findConversation(reader, user, key);
    if (!found) throw new KithError("not_found", "No such conversation.");
    return found;
  };
  return {
    start: (input: StartConversation) => startConversation(deps, input),
    find: (user: Author, key: ConversationKey) =>
      findConversation(db.read, user, key),
    /**
     * Writes a message to the others.
     * @throws {KithError} `not_found`, `empty_string`, `bad_request`
     */
    reply: (
      author: Author,
      { id }: Conversation,
      text: string,
      more: MessageParts = {},
    ) => comments.create({ author, on: { id }, text, as: "message", ...more }),
    list: (user: Author, page: Page) => listConversations(db.read, user, page),
    /** Lists the messages of a conversation of the user's. */
    listMessages: (user: Author, id: PostId, page: Page) =>
      listMessages(db.read, user, id, page),
    listNewestMessages: (user: Author, ids: readonly PostId[]) =>
      listNewestMessages(db.read, user, ids),
    listParticipantIds: (ids: readonly PostId[]) =>
      listParticipantIds(db.read, ids),
    countUnread: (user: Author) => countUnreadConversations(db.read, user),
    /**
     * Marks a conversation as read up to a message, or the newest one of others as unread.
     * @param upTo all messages if it is missing
     * @throws {KithError} `not_found`; `bad_request` if nobody else has written
     */
    mark: (user: Author, key: ConversationKey, upTo?: number | "unread") =>
      db.transaction(async (tx) => {
        const { id, guid, personId, unread } = await get(user, key, tx);
        if (upTo === "unread") {
          if (unread === 0) await markUnread(tx, user, id, personId);
        } else await deleteUnread(tx, user.userId, id, upTo);
        const marked = await get(user, { id }, tx);
        if (marked.unread === 0) await markNoticeRead(tx, user.userId, guid);
        return marked;
      }),
    /**
     * Hides a conversation from this user: until the next message, or, once left, for
     * good. Other participants do not learn of it.
     * @throws {KithError} `not_found`
     */
    hide: (user: Author, key: ConversationKey, state: "hidden" | "left") =>
      db.transaction(async (tx) => {
        const { id, guid, activityKey } = await get(user, key, tx);
        await updateState(tx, user.userId, id, state, activityKey);
        await deleteUnread(tx, user.userId, id);
        await markNoticeRead(tx, user.userId, guid);
      }),
    /** Lists the users who have not read a message; the first one is no comment. */
    listUsersWithout: (id: PostId, commentId: CommentId | null) =>
      listUsersWithout(db.read, id, commentId),
    /** Deletes what a person who has left had read. @returns true if more are left */
    removeSomeOf: (userId: UserId, limit: number) =>
      db.transaction(
        async (tx) => (await deleteSomeReadersOf(tx, userId, limit)) > 0,
      ),
  };
}

/** @throws {KithError} `bad_request` if nobody else has written in it */
async function markUnread(
  tx: Tx,
  user: Author,
  id: PostId,
  starterId: PersonId,
): Promise<void> {
  const newest = await findNewestOfOthers(tx, user, id);
  if (newest === null && starterId === user.personId)
    throw new KithError("bad_request", "Nobody else has written in it.");
  await insertUnread(tx, user.userId, id, newest);
}
