import { sql } from "kysely";
import type { Reader } from "../../db/db.ts";
import { isListed, prepareQuery } from "../../db/prepared-query.ts";
import type { PersonId } from "../ids.ts";
import { fetchPage, type Page } from "../page.ts";
import {
  isNotBlockedOrIgnoredAmongMany,
  isNotSuspendedAmongMany,
  mayShowPicturesOf,
  type Viewer,
} from "../visibility/index.ts";
import type { Timestamp } from "../../lib/time/clock.ts";

/** The reactions with one emoji to a post or comment. */
export type ReactionCount = {
  /** One emoji, or `:name:`. */
  readonly emoji: string;
  /** The image of a `:name:`, on the server of who reacted. */
  readonly emojiUrl: string | null;
  readonly count: number;
};

/** A reaction with the person who gave it. */
export type ListedReaction = Omit<ReactionCount, "count"> & {
  readonly id: number;
  readonly personId: PersonId;
  readonly createdAt: Timestamp;
};

export type ReactionTarget = "Post" | "Comment";

/** More emojis of one post or comment are not shown. */
const MAX_SHOWN = 20;
/** Of all posts or comments of a page; more are not counted. */
const MAX_READ = 5_000;

type Row = { target: number; emoji: string; emojiUrl: string | null };

/** The picture, unless those of the person's server are rejected. */
const shownUrl = sql<string | null>`case when ${mayShowPicturesOf(
  "reactions.person_id",
)} then reactions.emoji_url end`;

/** One by one: to group them in the database, it would have to sort them. */
function selectShown(reader: Reader, type: ReactionTarget, ids: string) {
  const column = type === "Post" ? "post_id" : "comment_id";
  return reader
    .selectFrom("reactions")
    .select([`reactions.${column} as target`, "reactions.emoji"])
    .select(shownUrl.as("emojiUrl"))
    .where(isListed(reader, `reactions.${column}`, ids))
    .where(isNotSuspendedAmongMany("reactions.person_id"))
    .$if(type === "Post", (query) => query.where("comment_id", "is", null))
    .limit(MAX_READ)
    .$castTo<Row>();
}

const forAnybody = (type: ReactionTarget) =>
  prepareQuery<{ ids: string }, Row>((reader, value) =>
    selectShown(reader, type, value("ids")).compile(),
  );

const forViewer = (type: ReactionTarget) =>
  prepareQuery<{ ids: string; viewerId: PersonId }, Row>((reader, value) =>
    selectShown(reader, type, value("ids"))
      .where(
        isNotBlockedOrIgnoredAmongMany(
          value("viewerId"),
          "reactions.person_id",
        ),
      )
      .compile(),
  );

const ANYBODY = { Post: forAnybody("Post"), Comment: forAnybody("Comment") };
const VIEWER = { Post: forViewer("Post"), Comment: forViewer("Comment") };

/**
 * Counts the reactions to each of these posts or comments, which the caller has found visible:
 * those given most first, without those of people whom the viewer blocked or ignores.
 */
export async function countReactions(
  reader: Reader,
  type: ReactionTarget,
  ids: readonly number[],
  viewer: Viewer,
): Promise<Map<number, ReactionCount[]>> {
  if (ids.length === 0) return new Map();
  const list = JSON.stringify(ids);
  const rows = await (viewer === null
    ? ANYBODY[type](reader, { ids: list })
    : VIEWER[type](reader, { ids: list, viewerId: viewer.personId }));
  const byTarget = Map.groupBy(rows, ({ target }) => target);
  return new Map([...byTarget].map(([id, some]) => [id, countEach(some)]));
}

function countEach(rows: readonly Row[]): ReactionCount[] {
  const each = Map.groupBy(rows, (it) => `${it.emoji} ${it.emojiUrl ?? ""}`);
  return [...each.values()]
    .flatMap(([first, ...more]) =>
      first
        ? [
            {
              emoji: first.emoji,
              emojiUrl: first.emojiUrl,
              count: more.length + 1,
            },
          ]
        : [],
    )
    .sort((one, other) => other.count - one.count)
    .slice(0, MAX_SHOWN);
}

/** Lists a page of the reactions to a post or comment that the caller has found visible. */
export async function listReactionsTo(
  reader: Reader,
  target: { readonly type: ReactionTarget; readonly id: number },
  viewer: Viewer,
  page: Page,
): Promise<ListedReaction[]> {
  const query = reader
    .selectFrom("reactions")
    .select(["reactions.id", "reactions.person_id", "reactions.emoji"])
    .select(["reactions.created_at", shownUrl.as("url")])
    .where(isNotSuspendedAmongMany("reactions.person_id"))
    .$if(target.type === "Post", (some) => some.where("comment_id", "is", null))
    .where(
      sql<boolean>`${sql.ref(target.type === "Post" ? "post_id" : "comment_id")} = ${target.id}`,
    );
  const shown =
    viewer === null
      ? query
      : query.where(
          isNotBlockedOrIgnoredAmongMany(
            viewer.personId,
            "reactions.person_id",
          ),
        );
  const rows = await fetchPage(shown, "reactions.id", page);
  return rows.map((row) => ({
    id: row.id,
    personId: row.person_id,
    emoji: row.emoji,
    emojiUrl: row.url,
    createdAt: row.created_at,
  }));
}
