import type { Db, Tx } from "../../db/db.ts";
import { KithError } from "../../lib/errors.ts";
import type { PersonId, PhotoId } from "../ids.ts";
import type { People, Person } from "../people/index.ts";
import { checkCommentText } from "../comments/index.ts";
import type { Author, Post, Posts, PublishPost } from "../posts/index.ts";
import { keepRefusal } from "../spam-rules/index.ts";
import { listBlockedAmong, listBlockersAmong } from "../visibility/index.ts";
import { checkSubject, MAX_PARTICIPANTS } from "./conversation.ts";

export type StartDeps = {
  readonly db: Db;
  readonly people: People;
  readonly posts: Posts;
};

export type StartConversation = {
  readonly author: Author;
  readonly personIds: readonly PersonId[];
  readonly subject?: string | undefined;
  /** The first message. */
  readonly text: string;
  /** Of the first message: the author's pending pictures, in this order. */
  readonly photoIds?: readonly PhotoId[];
  /** May a message with pictures do without a text? */
  readonly isTextOptional?: boolean;
  /** Stores something with it, in its transaction. */
  readonly attach?: PublishPost["attach"];
};

/**
 * Starts a conversation with named people.
 * @throws {KithError} `empty_string` for a blank message; `bad_request` for nobody or too
 *   many people, for people whom the author has blocked, and for texts that are too long;
 *   `not_found` for unknown people, and for people who have blocked the author
 */
export async function startConversation(
  { db, people, posts }: StartDeps,
  {
    author,
    personIds,
    subject,
    text,
    photoIds = [],
    isTextOptional = false,
    attach,
  }: StartConversation,
): Promise<Post> {
  const mayBeBlank = isTextOptional && photoIds.length > 0;
  const checked = checkCommentText(text, "message", mayBeBlank);
  const warning = checkSubject(subject);
  const ids = [...new Set(personIds)].filter((id) => id !== author.personId);
  if (ids.length === 0)
    throw new KithError("bad_request", "Name at least one other person.");
  if (ids.length >= MAX_PARTICIPANTS)
    throw new KithError(
      "bad_request",
      `A conversation has at most ${MAX_PARTICIPANTS} participants.`,
    );
  const starting = db.transaction(async (tx) => {
    const others = await people.listById(ids, tx);
    await checkOthers(tx, author, ids, others);
    const self = await people.find({ id: author.personId }, tx);
    if (!self) throw new KithError("not_found", "No such account.");
    return posts.publish(
      {
        author,
        ...{ text: checked, photoIds, isTextOptional },
        warning,
        audience: { kind: "people", personIds: ids },
        participants: [self.handle],
        ...(attach && { attach }),
      },
      tx,
    );
  });
  return keepRefusal(db, starting);
}

async function checkOthers(
  tx: Tx,
  { personId }: Author,
  ids: readonly PersonId[],
  found: ReadonlyMap<PersonId, Person>,
): Promise<void> {
  const blockers = await listBlockersAmong(tx, personId, ids);
  const isThere = (id: PersonId) =>
    found.get(id)?.state === "active" && !blockers.has(id);
  if (!ids.every(isThere)) throw new KithError("not_found", "No such person.");
  if ((await listBlockedAmong(tx, personId, ids)).length > 0)
    throw new KithError(
      "bad_request",
      "You have blocked a person in this conversation.",
    );
}
