import type { Reader } from "../../../db/db.ts";
import { isListedText, prepareQuery } from "../../../db/prepared-query.ts";
import { isPostVisibleTo, type Viewer } from "../../visibility/index.ts";
import type { PersonId } from "../../ids.ts";
import { fetchPage, type Page } from "../../page.ts";
import type { Post } from "../post.ts";
import { listPostsById, selectPosts, toPost } from "./post-queries.ts";

/** Lists one page of the reshares of a post, newest first. */
export async function listReshares(
  reader: Reader,
  rootGuid: string,
  viewer: Viewer,
  page: Page,
): Promise<Post[]> {
  const visible = selectPosts(reader)
    .where("root_guid", "=", rootGuid)
    .where(isPostVisibleTo(viewer));
  return (await fetchPage(visible, "posts.id", page)).map(toPost);
}

export async function findReshare(
  reader: Reader,
  rootGuid: string,
  personId: PersonId,
): Promise<Post | undefined> {
  const row = await selectPosts(reader)
    .where("root_guid", "=", rootGuid)
    .where("person_id", "=", personId)
    .executeTakeFirst();
  return row && toPost(row);
}

const RESHARED_BY = prepareQuery<
  { personId: PersonId; list: string },
  { root_guid: string | null }
>((reader, value) =>
  reader
    .selectFrom("posts")
    .select("root_guid")
    .where("person_id", "=", value("personId"))
    .where(isListedText(reader, "root_guid", value("list")))
    .compile(),
);

/** The Guids of those of the posts that this person has reshared. */
export async function listResharedBy(
  reader: Reader,
  personId: PersonId,
  guids: readonly string[],
): Promise<Set<string>> {
  if (guids.length === 0) return new Set();
  const list = JSON.stringify(guids);
  const rows = await RESHARED_BY(reader, { personId, list });
  return new Set(rows.flatMap(({ root_guid }) => root_guid ?? []));
}

/** Lists the people who reshared a post. */
export async function listResharerIds(
  reader: Reader,
  rootGuid: string,
): Promise<PersonId[]> {
  const rows = await reader
    .selectFrom("posts")
    .select("person_id")
    .where("root_guid", "=", rootGuid)
    .execute();
  return rows.map((row) => row.person_id);
}

const selectReshares = (reader: Reader) =>
  reader
    .selectFrom("posts")
    .innerJoin("people", "people.id", "posts.person_id")
    .where("posts.public", "=", true)
    .where("people.user_id", "is not", null)
    .where("people.state", "=", "active");

/** Lists the newest reshares of a post by active people here. */
export async function listResharesHere(
  reader: Reader,
  rootGuid: string,
  limit: number,
): Promise<Post[]> {
  const rows = await selectReshares(reader)
    .selectAll("posts")
    .where("posts.root_guid", "=", rootGuid)
    .orderBy("posts.id", "desc")
    .limit(limit)
    .execute();
  return rows.map(toPost);
}

/** Lists the newest reshare by each active person here of any post of a person, the newest first. */
export async function listResharersHere(
  reader: Reader,
  rootPersonId: PersonId,
  limit: number,
): Promise<Post[]> {
  const newest = await selectReshares(reader)
    .select((eb) => eb.fn.max("posts.id").as("id"))
    .where("posts.root_person_id", "=", rootPersonId)
    .groupBy("posts.person_id")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return listPostsById(
    reader,
    newest.map(({ id }) => id),
    null,
  );
}
