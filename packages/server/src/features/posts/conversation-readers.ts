import type { Tx } from "../../db/db.ts";
import type { CommentId, PersonId, PostId } from "../ids.ts";

/**
 * The messages of a conversation that each local participant has not read yet. Kept in the transaction that
 * stores the conversation or the message.
 */
export type ConversationReaders = {
  /** Adds the local ones among these people. The author of the conversation has read it. */
  add(
    tx: Tx,
    conversation: { readonly id: PostId; readonly personId: PersonId },
    people: readonly PersonId[],
  ): Promise<void>;
  /** The newest message: unread by everyone but its author, and hidden no longer. */
  noteMessage(
    tx: Tx,
    message: {
      readonly id: CommentId;
      readonly postId: PostId;
      readonly personId: PersonId;
    },
  ): Promise<void>;
};
