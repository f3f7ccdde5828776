import type { Tx } from "../../db/db.ts";
import type { Post } from "./post.ts";

type LinkingPost = Pick<Post, "id" | "personId" | "public">;

type ChangeLink = (
  tx: Tx,
  post: LinkingPost,
  link: string | undefined,
) => Promise<void>;

/**
 * The use cases of linked pages that posts need. Injected, because previews depend on posts.
 * "Own" posts are by people here, who may have switched previews off.
 */
export type PostLinks = {
  /** Notes the first link of a new post, if its page may be read for a preview. */
  add: ChangeLink;
  addOwn: ChangeLink;
  /** Notes that of an edited post instead of its former one. */
  replace: ChangeLink;
  replaceOwn: ChangeLink;
};
