import {
  sql,
  type ExpressionBuilder,
  type RawBuilder,
  type SqlBool,
} from "kysely";
import type { Reader } from "../../../db/db.ts";
import { isListed } from "../../../db/prepared-query.ts";
import type { Database } from "../../../db/schema/schema.ts";
import type { PersonId, PostId } from "../../ids.ts";
import {
  isNotBlockedByAuthor,
  isNotBlockedOrIgnored,
  isNotSilencedFor,
  isPostHiddenBy,
  isPostVisibleTo,
  POST_AUTHORS,
  type Viewer,
} from "../../visibility/index.ts";
import { selectPosts, toPost } from "./post-queries.ts";
import type { Post } from "../post.ts";

/** Narrows what is found, where an index cannot. */
export type FoundOptions = {
  /** Only posts by these people, if any are given. */
  readonly by?: readonly PersonId[];
};

/**
 * Lists those of the posts that a search may show to the viewer, newest first: that the viewer
 * may see and has neither hidden nor blocked, and that it wrote, received or took part in, or
 * whose author lets everyone search them.
 */
export async function listFound(
  reader: Reader,
  ids: readonly PostId[],
  viewer: NonNullable<Viewer>,
  { by }: FoundOptions = {},
): Promise<Post[]> {
  if (ids.length === 0) return [];
  const found = selectPosts(reader)
    .where(isListed(reader, "posts.id", JSON.stringify(ids)))
    .where((eb) => isFoundBy(eb, viewer))
    .orderBy("posts.id", "desc");
  const rows = await (
    by === undefined
      ? found
      : found.where(isListed(reader, "posts.person_id", JSON.stringify(by)))
  ).execute();
  return rows.map(toPost);
}

function isFoundBy(
  eb: ExpressionBuilder<Database, "posts">,
  viewer: NonNullable<Viewer>,
) {
  const { personId, userId } = viewer;
  return eb.and([
    isPostVisibleTo(viewer)(eb),
    // A private conversation is found among conversations alone.
    eb("posts.participants", "is", null),
    eb.not(isPostHiddenBy(userId)),
    isNotBlockedOrIgnored(personId, POST_AUTHORS),
    isNotBlockedByAuthor(personId, POST_AUTHORS),
    eb.or([
      eb("posts.person_id", "=", personId),
      eb.and([isOpen(), isNotSilencedFor(userId, POST_AUTHORS)]),
      tookPart(personId),
    ]),
  ]);
}

const isOpen = (): RawBuilder<SqlBool> => sql<SqlBool>`(posts.public
  and posts.listed and exists (select 1 from profiles
    where profiles.person_id = posts.person_id and profiles.indexable))`;

/** Received it, or commented, liked, voted, was mentioned or reshared it. */
const tookPart = (id: PersonId): RawBuilder<SqlBool> => sql<SqlBool>`(
  exists (select 1 from post_recipients as received
    where received.post_id = posts.id and received.person_id = ${id})
  or exists (select 1 from text_mentions as mention
    where mention.post_id = posts.id and mention.person_id = ${id})
  or exists (select 1 from posts as reshare
    where reshare.root_guid = posts.guid and reshare.person_id = ${id})
  or exists (select 1 from comments as comment
    where comment.post_id = posts.id and comment.person_id = ${id})
  or exists (select 1 from likes as liked
    where liked.post_id = posts.id and liked.person_id = ${id})
  or exists (select 1 from polls join poll_votes on poll_votes.poll_id = polls.id
    where polls.post_id = posts.id and poll_votes.person_id = ${id}))`;
