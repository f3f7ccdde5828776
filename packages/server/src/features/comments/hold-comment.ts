import type { Tx } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { PersonId } from "../ids.ts";
import type { ReceivedPhoto } from "../posts/index.ts";
import type { HeldComment, SpamRules } from "../spam-rules/index.ts";
import type { NewComment } from "./comment-store.ts";

type HoldDeps = { readonly spamRules: Pick<SpamRules, "held"> };

type CommentToHold = NewComment & {
  /** People mentioned outside the text. */
  readonly mentioned?: readonly PersonId[] | undefined;
  readonly photos?: readonly ReceivedPhoto[];
};

/** Texts of one author that may wait are few. */
const ALL_OF_ONE = { offset: 0, limit: 100 };

/**
 * Keeps a comment until a moderator decides; nobody but its author and moderators see it. One
 * that waits already is not kept twice.
 * @param isElsewhere does the server of its author say when it was written?
 */
export async function holdComment(
  { spamRules }: HoldDeps,
  tx: Tx,
  comment: CommentToHold,
  { rule, since }: { readonly rule: string; readonly since: Timestamp },
  isElsewhere = false,
): Promise<void> {
  const { guid, uri, personId, postId } = comment;
  const waiting = await spamRules.held.listOf(tx, personId, ALL_OF_ONE);
  const isRepeated = waiting.some(
    (it) =>
      it.kind === "comment" &&
      it.postId === postId &&
      it.comment.text === comment.text,
  );
  if (isRepeated) return;
  await spamRules.held.insert(tx, {
    ...{ kind: "comment", guid, uri, personId, postId, rule },
    createdAt: since,
    comment: contentOf(comment, isElsewhere),
  });
}

/**
 * Takes over the last text of a comment from elsewhere that waits.
 * @returns false if none does
 */
export async function replaceHeld(
  { spamRules }: HoldDeps,
  tx: Tx,
  comment: CommentToHold,
): Promise<boolean> {
  const { guid, uri, personId } = comment;
  const held =
    (await spamRules.held.find(tx, { guid })) ??
    (uri === null ? undefined : await spamRules.held.find(tx, { uri }));
  if (held?.kind !== "comment" || held.personId !== personId) return false;
  await spamRules.held.updateComment(tx, held.id, contentOf(comment, true));
  return true;
}

function contentOf(comment: CommentToHold, isElsewhere: boolean): HeldComment {
  const { text, parentGuid, mentioned = null, photos = [] } = comment;
  const { warning = null, language = null, emojis = [] } = comment;
  return {
    ...{ text, parentGuid, mentioned, photos, warning, language, emojis },
    createdAt: isElsewhere ? comment.createdAt : null,
    updatedAt: comment.updatedAt ?? null,
  };
}
