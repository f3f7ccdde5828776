import { lockNames } from "../../db/lock-names.ts";
import { receivedTimestamp } from "../../lib/time/clock.ts";
import { notFoundIfGone } from "../gone-meanwhile.ts";
import type { CommentId } from "../ids.ts";
import { checkText } from "../posts/index.ts";
import {
  findComment,
  insertComment,
  type NewComment,
} from "./comment-store.ts";
import type { CreateCommentDeps } from "./create-comment.ts";
import type { KeepDeps } from "./import-comment.ts";

/** A comment of a server that moves here as a whole, by anybody. */
export type CommentToTakeOver = Pick<
  NewComment,
  "createdAt" | "guid" | "personId" | "postId" | "text" | "updatedAt"
>;

/**
 * Stores a comment under its own Guid and date, once. Records no fact: nobody is notified, and no
 * other server gets it.
 * @returns its id; undefined if it is here, also if it was retracted since
 * @throws {KithError} `empty_string`, `bad_request`, `not_found` for a post that is gone
 */
export async function takeOverComment(
  deps: Omit<CreateCommentDeps, "facts" | "readers"> & KeepDeps,
  comment: CommentToTakeOver,
): Promise<CommentId | undefined> {
  const text = checkText(comment.text, "comment").trim();
  const found = deps.texts.read(text);
  const { guid, personId, postId } = comment;
  const writing = deps.db.transaction(async (tx) => {
    await lockNames(tx, deps.db.dialect, [guid]);
    if (await findComment(tx, { guid })) return undefined;
    const thing = { kind: "Comment", guid, uri: null, personId } as const;
    if (await deps.retractions.isRetracted(tx, thing)) return undefined;
    const now = deps.clock.now();
    const stored = {
      ...{ ...comment, text, uri: null, parentGuid: null },
      createdAt: receivedTimestamp(comment.createdAt, now),
      updatedAt: receivedTimestamp(comment.updatedAt ?? comment.createdAt, now),
    };
    const { id } = await insertComment(tx, stored, now);
    await deps.keepFromHomes(tx, id);
    await deps.texts.keep(tx, { postId, commentId: id }, found);
    await deps.indexing.renewPost(tx, postId);
    return id;
  });
  return notFoundIfGone(writing);
}
