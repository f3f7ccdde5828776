import type { Tx } from "../../../db/db.ts";
import type { PostId } from "../../ids.ts";
import { storeList } from "../../stored-list.ts";
import type { Post } from "../post.ts";

/** Of a post that has waited for a moderator. */
export async function updatePostAudience(
  tx: Tx,
  id: PostId,
  {
    listed,
    limitedTo,
    aspects,
    ...post
  }: Pick<Post, "aspects" | "limitedTo" | "listed" | "public">,
): Promise<void> {
  await tx
    .updateTable("posts")
    .set({
      ...{ public: post.public, listed, limited_to: limitedTo },
      audience_aspects: storeList(aspects),
    })
    .where("id", "=", id)
    .execute();
}
