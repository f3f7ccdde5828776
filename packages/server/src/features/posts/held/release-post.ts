import type { Tx } from "../../../db/db.ts";
import type { Facts } from "../../facts.ts";
import type { PostId } from "../../ids.ts";
import type { Indexing } from "../../indexing/index.ts";
import type { HeldAudience } from "../../spam-rules/index.ts";
import type { Texts } from "../../texts/index.ts";
import { listBlockersAmong } from "../../visibility/index.ts";
import type { ConversationReaders } from "../conversation-readers.ts";
import type { PostLinks } from "../post-links.ts";
import { findPost } from "../queries/post-queries.ts";
import { insertRecipients } from "../recipient-store.ts";
import { updatePostAudience } from "./held-post-store.ts";

export type ReleaseDeps = {
  readonly facts: Facts;
  readonly texts: Pick<Texts, "read">;
  readonly links: PostLinks;
  readonly readers: ConversationReaders;
  readonly indexing: Pick<Indexing, "renewPost">;
  /** Gives a post its place in homes, as if it came now. */
  readonly placeInHomes: (tx: Tx, id: PostId) => Promise<void>;
};

/**
 * Gives a post that has waited its audience. From now on it is handled as a new post: it is
 * delivered, and people are notified.
 * @param isLocal is its author somebody here?
 * @returns false if it is gone
 */
export async function releasePost(
  deps: ReleaseDeps,
  tx: Tx,
  id: PostId,
  audience: HeldAudience,
  isLocal: boolean,
): Promise<boolean> {
  await updatePostAudience(tx, id, audience);
  const post = await findPost(tx, { id });
  if (!post) return false;
  const { personId: by } = post;
  const blockers = await listBlockersAmong(tx, by, audience.recipients);
  const recipients = audience.recipients.filter((it) => !blockers.has(it));
  if (!post.public) await insertRecipients(tx, id, recipients);
  if (post.participants !== null)
    await deps.readers.add(
      tx,
      post,
      isLocal ? [by, ...recipients] : recipients,
    );
  const { link } = deps.texts.read(post.text);
  await (isLocal ? deps.links.addOwn : deps.links.add)(tx, post, link);
  await deps.indexing.renewPost(tx, id);
  await deps.placeInHomes(tx, id);
  const type = isLocal ? "post.published" : "post.received";
  await deps.facts.record(tx, { type, postId: id, by });
  return true;
}
