import type { Reader } from "../../../db/db.ts";
import { isListedText, prepareQuery } from "../../../db/prepared-query.ts";
import { isPostVisibleTo, type Viewer } from "../../visibility/index.ts";
import type { PersonId } from "../../ids.ts";
import { fetchPage, type Page } from "../../page.ts";
import type { Post } from "../post.ts";
import { selectPosts, toPost } from "./post-queries.ts";

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

/** Lists the newest reshares of a post, or of all posts of a person, by active people here. */
export async function listResharesHere(
  reader: Reader,
  of: { readonly guid: string } | { readonly personId: PersonId },
  limit: number,
): Promise<Post[]> {
  const rows = await selectPosts(reader)
    .innerJoin("people", "people.id", "posts.person_id")
    .where((eb) =>
      "guid" in of
        ? eb("posts.root_guid", "=", of.guid)
        : eb("posts.root_person_id", "=", of.personId),
    )
    .where("posts.public", "=", true)
    .where("people.user_id", "is not", null)
    .where("people.state", "=", "active")
    .orderBy("posts.id", "desc")
    .limit(limit)
    .execute();
  return rows.map(toPost);
}
