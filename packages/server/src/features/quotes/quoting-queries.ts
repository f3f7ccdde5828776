import type { Reader } from "../../db/db.ts";
import { isOneOf } from "../../db/dialect.ts";
import { dialectOf, prepareQuery } from "../../db/prepared-query.ts";
import type { PersonId, PostId } from "../ids.ts";
import { fetchPage, type Page } from "../page.ts";
import {
  isNotBlockedOrIgnored,
  isPostHiddenBy,
  isPostVisibleAmongMany,
  isPostVisibleTo,
  POST_AUTHORS,
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

type Counted = { quoted_guid: string | null; count: number };

const selectCounts = (reader: Reader, guids: string, viewer: Viewer) =>
  selectQuoting(reader)
    .select(["quoted_guid", (eb) => eb.fn.countAll<number>().as("count")])
    .where(isOneOf(dialectOf(reader), "quotes.quoted_guid", guids))
    .where(isPostVisibleAmongMany(viewer))
    .groupBy("quoted_guid");

const countForAll = prepareQuery<{ guids: string }, Counted>((reader, value) =>
  selectCounts(reader, value("guids"), null).compile(),
);
const countFor = prepareQuery<{ guids: string; personId: PersonId }, Counted>(
  (reader, value) => {
    const viewer = { personId: value("personId"), userId: null };
    return selectCounts(reader, value("guids"), viewer).compile();
  },
);

/** Counts, by Guid, the posts that quote each of these posts, of those that the viewer may see. */
export async function countQuoting(
  reader: Reader,
  guids: readonly string[],
  viewer: Viewer,
): Promise<Map<string, number>> {
  if (guids.length === 0) return new Map();
  const wanted = { guids: JSON.stringify(guids) };
  const rows = await (viewer === null
    ? countForAll(reader, wanted)
    : countFor(reader, { ...wanted, personId: viewer.personId }));
  return new Map(rows.map((row) => [row.quoted_guid ?? "", Number(row.count)]));
}
