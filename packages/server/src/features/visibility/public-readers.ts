import type { Reader } from "../../db/db.ts";
import { isListed } from "../../db/prepared-query.ts";
import type { PersonId, PostId, UserId } from "../ids.ts";
import { listFiltersOfMany } from "./filters/filter-queries.ts";
import {
  loadTextsBeside,
  textsOf,
  type WrittenText,
} from "./filters/filtered-posts.ts";
import { matchFilters } from "./filters/word-filters.ts";

/** Somebody who reads what is public as it happens. */
type PublicReader = { readonly userId: UserId; readonly personId: PersonId };

export type WillingReader<R> = {
  readonly reader: R;
  /** Does a filter of the reader warn of it? */
  readonly isWarned: boolean;
};

/**
 * Of many readers, lists those whom something public by this author is shown to: neither blocks
 * the other, and no filter hides it. The number of queries does not depend on that of readers.
 * @param post undefined for one that was deleted: nothing is left to filter
 */
export async function listWilling<R extends PublicReader>(
  db: Reader,
  authorId: PersonId,
  post: WrittenText<PostId> | undefined,
  readers: readonly R[],
): Promise<WillingReader<R>[]> {
  const people = [...new Set(readers.map(({ personId }) => personId))];
  const kept = await listAway(db, authorId, people, post?.id);
  const near = readers.filter(({ personId }) => !kept.has(personId));
  if (!post) return near.map((reader) => ({ reader, isWarned: false }));
  const userIds = [...new Set(near.map(({ userId }) => userId))];
  const filters = await listFiltersOfMany(db, userIds, "public");
  if (filters.size === 0)
    return near.map((reader) => ({ reader, isWarned: false }));
  const beside = await loadTextsBeside(db, null, [post]);
  const texts = [...textsOf(post), ...(beside.get(post.id) ?? [])];
  return near.flatMap((reader) => {
    const own = filters.get(reader.userId);
    if (!own || reader.personId === authorId)
      return [{ reader, isWarned: false }];
    const matches = matchFilters(own, texts, [post.id]);
    const isHidden = matches.some(({ action }) => action === "hide");
    return isHidden ? [] : [{ reader, isWarned: matches.length > 0 }];
  });
}

/** Those of the people whom a block, an ignore or a hidden post keeps away from it. */
async function listAway(
  db: Reader,
  authorId: PersonId,
  people: readonly PersonId[],
  postId: PostId | undefined,
): Promise<Set<PersonId>> {
  const list = JSON.stringify(people);
  const blocking = db
    .selectFrom("blocks")
    .select("person_id as id")
    .where("blocked_person_id", "=", authorId)
    .where(isListed(db, "person_id", list));
  const blocked = db
    .selectFrom("blocks")
    .select("blocked_person_id as id")
    .where("person_id", "=", authorId)
    .where(isListed(db, "blocked_person_id", list));
  const ignoring = db
    .selectFrom("ignores")
    .select("person_id as id")
    .where("ignored_person_id", "=", authorId)
    .where(isListed(db, "person_id", list));
  const elsewhere = db
    .selectFrom("host_blocks")
    .innerJoin("people", "people.host", "host_blocks.host")
    .select("host_blocks.person_id as id")
    .where("people.id", "=", authorId)
    .where(isListed(db, "host_blocks.person_id", list));
  const away = blocking.union(blocked).union(ignoring).union(elsewhere);
  const rows = await (
    postId === undefined ? away : away.union(hiddenBy(db, postId))
  ).execute();
  return new Set(rows.map(({ id }) => id));
}

/** The people who have hidden a post. */
const hiddenBy = (db: Reader, postId: PostId) =>
  db
    .selectFrom("hidden_posts")
    .innerJoin("people", "people.user_id", "hidden_posts.user_id")
    .select("people.id as id")
    .where("hidden_posts.post_id", "=", postId);
