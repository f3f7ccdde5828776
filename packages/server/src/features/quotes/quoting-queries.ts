import type { Reader } from "../../db/db.ts";
import { isListedText } from "../../db/prepared-query.ts";
import type { PostId } from "../ids.ts";
import { fetchPage, type Page } from "../page.ts";
import {
  isNotBlockedOrIgnored,
  isPostHiddenBy,
  isPostVisibleAmongMany,
  isPostVisibleTo,
  POST_AUTHORS,
  prepareVisibleCounts,
  type Viewer,
} from "../visibility/index.ts";

const selectQuoting = (reader: Reader) =>
  reader
    .selectFrom("quotes")
    .innerJoin("posts", "posts.id", "quotes.post_id")
    .where("quotes.state", "=", "accepted");

/**
 * Lists one page of the posts that quote a post with its author's permission, newest first:
 * those that the viewer may see and does not avoid.
 */
export async function listQuoting(
  reader: Reader,
  quotedGuid: string,
  viewer: Viewer,
  page: Page,
): Promise<PostId[]> {
  const visible = selectQuoting(reader)
    .select("posts.id")
    .where("quotes.quoted_guid", "=", quotedGuid)
    .where(isPostVisibleTo(viewer));
  const query =
    viewer === null
      ? visible
      : visible
          .where((eb) => eb.not(isPostHiddenBy(viewer.userId)))
          .where(isNotBlockedOrIgnored(viewer.personId, POST_AUTHORS));
  return (await fetchPage(query, "posts.id", page)).map(({ id }) => id);
}

/** Counts, by Guid, the posts that quote each of these posts, of those that the viewer may see. */
export const countQuoting = prepareVisibleCounts((reader, guids, viewer) =>
  selectQuoting(reader)
    .select([
      "quoted_guid as guid",
      (eb) => eb.fn.countAll<number>().as("count"),
    ])
    .where(isListedText(reader, "quotes.quoted_guid", guids))
    .where(isPostVisibleAmongMany(viewer))
    .groupBy("quoted_guid"),
);
