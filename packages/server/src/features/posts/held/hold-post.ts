import type { Tx } from "../../../db/db.ts";
import type { Timestamp } from "../../../lib/time/clock.ts";
import type { PersonId, PostId } from "../../ids.ts";
import type { SpamRules } from "../../spam-rules/index.ts";
import type { NewPost } from "../post-store.ts";

export type HoldDeps = {
  readonly spamRules: Pick<SpamRules, "held">;
  /** Keeps a post out of homes, where it comes once it is approved. */
  readonly keepFromHomes: (tx: Tx, id: PostId) => Promise<void>;
};

/** A new post that a rule holds, with the people who would see it. */
export type PostToHold = {
  readonly post: NewPost;
  readonly postId: PostId;
  /** Of a limited post. */
  readonly recipients: readonly PersonId[];
  /** The name of the rule. */
  readonly rule: string;
  readonly since: Timestamp;
};

/**
 * A post that waits for a moderator, as it is stored: for its author alone, so that no list, no
 * count and no other server has it.
 */
export function narrowToAuthor<P extends NewPost>(post: P): P {
  const { limitedTo } = post;
  return {
    ...post,
    ...{ public: false, aspects: [] },
    // The author of one from elsewhere is not here to read it.
    ...(limitedTo !== undefined && { limitedTo: "self" }),
  };
}

/** Keeps the audience of a stored post until a moderator decides. */
export async function holdPost(
  { spamRules, keepFromHomes }: HoldDeps,
  tx: Tx,
  { post, postId, recipients, rule, since }: PostToHold,
): Promise<void> {
  const { guid, uri, personId, limitedTo = null, aspects = [] } = post;
  await keepFromHomes(tx, postId);
  await spamRules.held.insert(tx, {
    ...{ kind: "post", guid, uri, personId, postId, rule, createdAt: since },
    audience: {
      ...{ public: post.public, listed: post.listed },
      ...{ limitedTo, aspects, recipients },
    },
  });
}

/**
 * Adds people to those who see a post once it is approved.
 * @returns false if it does not wait
 */
export async function addHeldRecipients(
  { spamRules }: Pick<HoldDeps, "spamRules">,
  tx: Tx,
  postId: PostId,
  people: readonly PersonId[],
): Promise<boolean> {
  const held = await spamRules.held.findPost(tx, postId);
  if (!held) return false;
  const { id, audience } = held;
  const recipients = [...new Set([...audience.recipients, ...people])];
  await spamRules.held.updateAudience(tx, id, { ...audience, recipients });
  return true;
}
