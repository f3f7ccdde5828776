import type { Reader } from "../../../db/db.ts";
import {
  appearsTo,
  isNotSilencedFor,
  POST_AUTHORS,
  type Viewer,
} from "../../visibility/index.ts";
import { fetchPage, type Page } from "../../page.ts";
import type { Post } from "../post.ts";
import { hasPhotos } from "./own-posts.ts";
import { selectPosts, toPost } from "./post-queries.ts";

/** Which public posts are listed. */
export type PublicPosts = {
  /** Only by people of this server, or only by those of others. */
  readonly from?: "here" | "elsewhere" | undefined;
  /** Only those with pictures? */
  readonly withPhotos?: boolean;
  /** Reshares, too? */
  readonly reshares?: boolean;
};

/** Lists one page of the listed public posts that belong in the viewer's lists, newest first. */
export async function listPublic(
  reader: Reader,
  viewer: Viewer,
  { from, withPhotos = false, reshares = true }: PublicPosts,
  page: Page,
): Promise<Post[]> {
  let listed = selectPosts(reader)
    .where("posts.public", "=", true)
    .where("posts.listed", "=", true)
    .where(appearsTo(viewer))
    .where(isNotSilencedFor(viewer?.userId ?? null, POST_AUTHORS));
  if (!reshares) listed = listed.where("posts.root_guid", "is", null);
  if (withPhotos) listed = listed.where(hasPhotos);
  if (from !== undefined)
    listed = listed.where((eb) =>
      eb.exists(
        eb
          .selectFrom("people as writer")
          .select("writer.id")
          .whereRef("writer.id", "=", "posts.person_id")
          .where("writer.user_id", from === "here" ? "is not" : "is", null),
      ),
    );
  return (await fetchPage(listed, "posts.id", page)).map(toPost);
}
