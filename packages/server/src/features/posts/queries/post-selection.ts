import { sql } from "kysely";
import { STORED_POST_TYPES } from "../../../db/schema/columns/stored-names.ts";
import {
  POST_AUTHORS,
  type Viewer,
  appearsTo,
  isNotSilencedFor,
} from "../../visibility/index.ts";
import type { Reader } from "../../../db/db.ts";
import type { PersonId, PostId } from "../../ids.ts";
import { directionOf, isWithin, type Page } from "../../page.ts";
import type { Post } from "../post.ts";
import { selectPosts, toPost } from "./post-queries.ts";

/** Selects posts that meet at least one of these conditions. */
export type Selection = {
  /** As returned by `foldTag`. */
  readonly tags?: readonly string[];
  readonly people?: readonly PersonId[];
  readonly ids?: readonly PostId[];
  /** Pages, in the spelling of `readWebUrl`, that public posts show a preview of. */
  readonly links?: readonly string[];
};

/**
 * Lists one page of the posts of a selection that the viewer may see and has not hidden or
 * blocked, newest first. Each tag and each person is read through its own index, no
 * further than the page reaches.
 */
export async function listSelected(
  reader: Reader,
  viewer: Viewer,
  selection: Selection,
  page: Page,
): Promise<Post[]> {
  const sources = sourcesOf(reader, viewer, selection, page);
  const [first, ...others] = sources;
  if (!first) return [];
  const ids = others.reduce((all, source) => all.union(source), first);
  const wanted = reader
    .selectFrom(ids.as("wanted"))
    .select("id")
    .orderBy("id", directionOf(page))
    .offset(page.offset)
    .limit(page.limit);
  const rows = await selectPosts(reader)
    .where("posts.id", "in", wanted)
    .orderBy("posts.id", "desc")
    .execute();
  return rows.map(toPost);
}

function sourcesOf(
  reader: Reader,
  viewer: Viewer,
  { tags = [], people = [], ids = [], links = [] }: Selection,
  page: Page,
) {
  const reach = Math.min(page.offset + page.limit, Number.MAX_SAFE_INTEGER);
  const direction = directionOf(page);
  const byTag = tags.map((tag) =>
    reader
      .selectFrom("post_tags")
      .innerJoin("posts", "posts.id", "post_tags.post_id")
      .select("post_tags.post_id as id")
      .where("post_tags.tag", "=", tag)
      .where(appearsTo(viewer))
      .where(isNotSilencedFor(viewer?.userId ?? null, POST_AUTHORS))
      .where(isWithin("post_tags.post_id", page))
      .orderBy("post_tags.post_id", direction)
      .limit(reach),
  );
  const byPerson = people.map((personId) =>
    reader
      .selectFrom("posts")
      .select("posts.id")
      .where("posts.person_id", "=", personId)
      .where(appearsTo(viewer))
      .where(isWithin("posts.id", page))
      .orderBy("posts.id", direction)
      .limit(reach),
  );
  // Only pages of which a preview is shown.
  const byLink = links.map((url) =>
    reader
      .selectFrom("post_links")
      .innerJoin("link_previews", "link_previews.url", "post_links.url")
      .innerJoin("posts", "posts.id", "post_links.post_id")
      .select("post_links.post_id as id")
      .where("post_links.url", "=", url)
      .where("link_previews.title", "is not", null)
      .where("posts.public", "=", true)
      .where("posts.listed", "=", true)
      .where(appearsTo(viewer))
      .where(isNotSilencedFor(viewer?.userId ?? null, POST_AUTHORS))
      .where(isWithin("post_links.post_id", page))
      .orderBy("post_links.post_id", direction)
      .limit(reach),
  );
  const byId = reader
    .selectFrom("posts")
    .select("posts.id")
    .where("posts.id", "in", ids)
    .where(appearsTo(viewer))
    .where(isWithin("posts.id", page))
    .orderBy("posts.id", direction)
    .limit(reach);
  const all = [
    ...byTag,
    ...byPerson,
    ...byLink,
    ...(ids.length > 0 ? [byId] : []),
  ];
  // SQLite accepts an order and a limit within a union only one level down.
  return all.map((source) =>
    reader.selectFrom(source.as("source")).select("source.id"),
  );
}

/** Of a tag; older posts do not make it known. */
const NEWEST_OF_TAG = 50;

/** Does one of the newest posts with a tag belong in the viewer's list of that tag? */
export async function hasTagged(
  reader: Reader,
  viewer: Viewer,
  tag: string,
): Promise<boolean> {
  const newest = reader
    .selectFrom("post_tags")
    .select("post_tags.post_id")
    .where("post_tags.tag", "=", tag)
    .orderBy("post_tags.post_id", "desc")
    .limit(NEWEST_OF_TAG);
  const row = await reader
    .selectFrom("posts")
    .select("posts.id")
    .where("posts.id", "in", newest)
    .where(appearsTo(viewer))
    .where(isNotSilencedFor(viewer?.userId ?? null, POST_AUTHORS))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The text of a post, as returned by `listTexts`. */
export type PostText = { readonly id: PostId; readonly text: string };

/**
 * Lists the texts of posts before a given post that the viewer may see and has not hidden
 * or blocked, newest first.
 */
export async function listTexts(
  reader: Reader,
  viewer: NonNullable<Viewer>,
  below: PostId | null,
  limit: number,
): Promise<PostText[]> {
  return reader
    .selectFrom("posts")
    .select(["posts.id", "posts.text"])
    .where(sql.ref<number>("posts.id"), "<", below ?? Number.MAX_SAFE_INTEGER)
    .where("posts.type", "=", STORED_POST_TYPES.post)
    .where(appearsTo(viewer))
    .where(isNotSilencedFor(viewer.userId, POST_AUTHORS))
    .orderBy("posts.id", "desc")
    .limit(limit)
    .execute();
}
