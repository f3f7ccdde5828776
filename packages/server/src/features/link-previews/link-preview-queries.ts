import type { Reader } from "../../db/db.ts";
import { isListed, prepareQuery } from "../../db/prepared-query.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { PersonId, PostId } from "../ids.ts";

/** Has this local author switched previews off? */
export async function hasOptedOut(
  reader: Reader,
  personId: PersonId,
): Promise<boolean> {
  const [row] = await optOut(reader, { personId });
  return row !== undefined;
}

const optOut = prepareQuery<{ personId: PersonId }, { id: number }>(
  (reader, value) =>
    reader
      .selectFrom("people")
      .innerJoin("users", "users.id", "people.user_id")
      .select("users.id")
      .where("people.id", "=", value("personId"))
      .where("users.link_previews", "=", false)
      .compile(),
  { types: { personId: "bigint" } },
);

export type DuePage = {
  readonly url: string;
  /** It was read, or tried, so recently that it is not read again. */
  readonly isFresh: boolean;
};

/** Lists pages that posts have been waiting for longest, each once. */
export async function listDuePages(
  reader: Reader,
  now: Timestamp,
  limit: number,
): Promise<DuePage[]> {
  const rows = await reader
    .selectFrom("post_links")
    .leftJoin("link_previews", (join) =>
      join
        .onRef("link_previews.url", "=", "post_links.url")
        .on("link_previews.expires_at", ">", now),
    )
    .select(["post_links.url", "link_previews.expires_at"])
    .where("post_links.due_at", "<=", now)
    .orderBy("post_links.due_at")
    .limit(limit)
    .execute();
  const pages = rows.map(
    ({ url, expires_at: end }) =>
      [url, { url, isFresh: end !== null }] as const,
  );
  return [...new Map(pages).values()];
}

type LinkRow = {
  readonly post_id: PostId;
  readonly url: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly site_name: string | null;
  readonly author_name: string | null;
  readonly image_url: string | null;
};

/** The links of these posts, with what is known about their pages. */
export async function listLinks(
  reader: Reader,
  postIds: readonly PostId[],
): Promise<LinkRow[]> {
  if (postIds.length === 0) return [];
  return links(reader, { list: JSON.stringify(postIds) });
}

const links = prepareQuery<{ list: string }, LinkRow>(
  (reader, value) =>
    reader
      .selectFrom("post_links")
      .leftJoin("link_previews", "link_previews.url", "post_links.url")
      .select([
        "post_links.post_id",
        "post_links.url",
        "title",
        "description",
        "site_name",
        "author_name",
        "image_url",
      ])
      .where(isListed(reader, "post_links.post_id", value("list")))
      .compile(),
  { types: { list: "text" } },
);

/** The addresses of some previews after this one, and whether a post uses them. */
export async function listPreviewsAfter(
  reader: Reader,
  after: string,
  limit: number,
): Promise<{ url: string; isUsed: boolean }[]> {
  const rows = await reader
    .selectFrom("link_previews")
    .select((eb) => [
      "url",
      eb
        .exists(
          eb
            .selectFrom("post_links")
            .select("post_id")
            .whereRef("post_links.url", "=", "link_previews.url"),
        )
        .as("used"),
    ])
    .where("url", ">", after)
    .orderBy("url")
    .limit(limit)
    .execute();
  return rows.map(({ url, used }) => ({ url, isUsed: Boolean(used) }));
}

/** The newest posts with this link. */
export async function listNewestWith(
  reader: Reader,
  url: string,
  limit: number,
): Promise<PostId[]> {
  const rows = await reader
    .selectFrom("post_links")
    .select("post_id")
    .where("url", "=", url)
    .orderBy("post_id", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ post_id: id }) => id);
}
