import { sql, type OrderByDirection, type SqlBool } from "kysely";
import type { Reader } from "../../../db/db.ts";
import { prepareQuery } from "../../../db/prepared-query.ts";
import {
  appearsTo,
  isNotSilencedFor,
  POST_AUTHORS,
  type Viewer,
} from "../../visibility/index.ts";
import type { PersonId, PostId, UserId } from "../../ids.ts";
import { directionOf, isReadBackwards, type Page } from "../../page.ts";
import type { Post } from "../post.ts";
import { isFirstOfPost } from "./own-posts.ts";
import { selectPosts, toPost, type PostRow } from "./post-queries.ts";

/** Which public posts are listed. */
export type PublicPosts = {
  /** Only by people of this server, or only by those of others. */
  readonly from?: "here" | "elsewhere" | undefined;
  /** Only those with pictures? */
  readonly withPhotos?: boolean;
  /** Reshares, too? */
  readonly reshares?: boolean;
};

type Values = {
  /** null for nobody in particular. */
  readonly personId: PersonId | null;
  readonly userId: UserId | null;
  readonly before: number;
  readonly after: number;
  readonly limit: number;
  readonly offset: number;
};

/** The choices that decide how the query is written. */
type Form = Required<PublicPosts> & {
  readonly isForPerson: boolean;
  readonly isForUser: boolean;
  readonly direction: OrderByDirection;
};

/** As the conditions of the indexes are written, which are not used otherwise. */
const OF = {
  here: sql`posts.is_local and posts.public and posts.listed`,
  elsewhere: sql`not posts.is_local and posts.public and posts.listed`,
  anywhere: sql`posts.public and posts.listed`,
} as const;

function preparePublic(form: Form) {
  const { from, withPhotos, reshares, direction } = form;
  return prepareQuery<Values, PostRow>((reader, value) => {
    const userId = form.isForUser ? value("userId") : null;
    const personId = form.isForPerson ? value("personId") : null;
    const viewer = personId === null ? null : { personId, userId };
    // From picture to picture: posts without any are not read.
    const id = withPhotos ? sql<PostId>`photos.post_id` : sql<PostId>`posts.id`;
    let listed = selectPosts(reader)
      .$if(withPhotos, (all) =>
        all
          .innerJoin("photos", "photos.post_id", "posts.id")
          .where("photos.post_id", "is not", null)
          .where("photos.comment_id", "is", null)
          .where(isFirstOfPost),
      )
      .where(sql<SqlBool>`${OF[from ?? "anywhere"]}`)
      .where(appearsTo(viewer))
      .where(isNotSilencedFor(userId, POST_AUTHORS))
      .where(id, "<", sql<PostId>`${value("before")}`)
      .where(id, ">", sql<PostId>`${value("after")}`);
    if (!reshares) listed = listed.where("posts.root_guid", "is", null);
    return listed
      .orderBy(id, direction)
      .limit(sql<number>`${value("limit")}`)
      .offset(sql<number>`${value("offset")}`)
      .compile();
  });
}

const prepared = new Map<string, ReturnType<typeof preparePublic>>();

/** Lists one page of the listed public posts that belong in the viewer's lists, newest first. */
export async function listPublic(
  reader: Reader,
  viewer: Viewer,
  { from, withPhotos = false, reshares = true }: PublicPosts,
  page: Page,
): Promise<Post[]> {
  const form: Form = {
    ...{ from, withPhotos, reshares, direction: directionOf(page) },
    isForPerson: viewer !== null,
    isForUser: typeof viewer?.userId === "number",
  };
  const key = Object.values(form).join(" ");
  let query = prepared.get(key);
  if (!query) prepared.set(key, (query = preparePublic(form)));
  const { limit, offset } = page;
  const { before = Number.MAX_SAFE_INTEGER, after = 0 } = page;
  const rows = await query(reader, {
    personId: viewer?.personId ?? null,
    userId: viewer?.userId ?? null,
    ...{ before, after, limit, offset },
  });
  if (isReadBackwards(page)) rows.reverse();
  return rows.map(toPost);
}

/**
 * The newest listed public posts by people of this server, one of each, the newest first;
 * without those of silenced people. It costs a look per person here, however many posts others have sent.
 */
export async function listNewestHere(
  reader: Reader,
  limit: number,
): Promise<PostId[]> {
  const rows = await reader
    .selectFrom("people")
    .select((eb) =>
      eb
        .selectFrom("posts")
        .select("posts.id")
        .whereRef("posts.person_id", "=", "people.id")
        .where("posts.public", "=", true)
        .where("posts.listed", "=", true)
        .where("posts.root_guid", "is", null)
        .orderBy("posts.id", "desc")
        .limit(1)
        .as("newest"),
    )
    .where("people.user_id", "is not", null)
    .where("people.state", "=", "active")
    .where("people.silenced", "=", false)
    .execute();
  return rows
    .flatMap(({ newest }) => newest ?? [])
    .sort((a, b) => b - a)
    .slice(0, limit);
}
