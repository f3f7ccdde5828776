import { sql } from "kysely";
import type { Reader } from "../../../db/db.ts";
import { isListed, prepareQuery } from "../../../db/prepared-query.ts";
import {
  loadJson,
  type JsonText,
} from "../../../db/schema/columns/json-text.ts";
import { primaryLanguage } from "../../../lib/language-tag.ts";
import type { PersonId, PostId, UserId } from "../../ids.ts";
import type { Viewer } from "../viewer.ts";
import type { FilterContext } from "./word-filters.ts";

type Row = { languages: JsonText<readonly string[]> | null };

const ofUser = prepareQuery<{ userId: UserId }, Row>((reader, value) =>
  reader
    .selectFrom("users")
    .select("read_languages as languages")
    .where("id", "=", value("userId"))
    .compile(),
);

/** Where the languages that the viewer reads apply: elsewhere posts were asked for by name. */
const CONTEXTS: readonly FilterContext[] = ["home", "public"];

/** @returns the primary subtags; undefined if nothing is left out */
export async function findReadLanguages(
  reader: Reader,
  viewer: Viewer,
  context: FilterContext,
): Promise<ReadonlySet<string> | undefined> {
  const userId = viewer?.userId ?? null;
  if (userId === null || !CONTEXTS.includes(context)) return undefined;
  const [row] = await ofUser(reader, { userId });
  return row?.languages ? new Set(loadJson(row.languages)) : undefined;
}

/**
 * Finds the posts in languages that the viewer does not read; a reshare is in the language
 * of its root. Neither the viewer's own posts, nor those that do not say their language.
 */
export async function listUnreadable(
  reader: Reader,
  viewer: Viewer,
  languages: ReadonlySet<string>,
  posts: readonly { readonly id: PostId; readonly personId: PersonId }[],
): Promise<Set<PostId>> {
  const foreign = posts.filter(({ personId }) => personId !== viewer?.personId);
  const rows = await reader
    .selectFrom("posts")
    .leftJoin("posts as root", "root.guid", "posts.root_guid")
    .select("posts.id")
    .select(
      sql<string | null>`coalesce(root.language, posts.language)`.as(
        "language",
      ),
    )
    .where(
      isListed(reader, "posts.id", JSON.stringify(foreign.map(({ id }) => id))),
    )
    .execute();
  const unreadable = rows.filter(
    ({ language }) =>
      language !== null && !languages.has(primaryLanguage(language)),
  );
  return new Set(unreadable.map(({ id }) => id));
}
