import { isListed, isListedText } from "../../db/prepared-query.ts";
import type { Reader } from "../../db/db.ts";
import type { PersonId, UserId } from "../ids.ts";

/** What decides in whose home a post is, beside who may see it. */
export type HomePost = {
  /** Its author, and the author of what it reshares. */
  readonly authors: readonly PersonId[];
  readonly tags: readonly string[];
};

/**
 * Which of these users have the post in their home: its author is one of their contacts or
 * they themselves, or they follow one of its tags. Whether they may see it is another
 * question.
 */
export async function listHomesWith(
  reader: Reader,
  { authors, tags }: HomePost,
  users: readonly UserId[],
): Promise<Set<UserId>> {
  const [author] = authors;
  if (author === undefined || users.length === 0) return new Set();
  const asked = JSON.stringify(users);
  const own = reader
    .selectFrom("people")
    .select("people.user_id")
    .where("people.id", "=", author)
    .where(isListed(reader, "people.user_id", asked));
  const contacts = reader
    .selectFrom("contacts")
    .select("contacts.user_id")
    .where("contacts.person_id", "=", author)
    .where("contacts.following", "=", true)
    .where(isListed(reader, "contacts.user_id", asked));
  const near = await own.union(contacts).execute();
  const isFound =
    tags.length > 0 && !(await isAnySilenced(reader, authors))
      ? await reader
          .selectFrom("followed_tags")
          .select("user_id")
          .distinct()
          .where(
            isListedText(reader, "followed_tags.tag", JSON.stringify(tags)),
          )
          .where(isListed(reader, "followed_tags.user_id", asked))
          .execute()
      : [];
  const ids = [...near, ...isFound].map((row) => row.user_id);
  return new Set(ids.filter((id) => id !== null));
}

/** Those whom moderators silenced are listed for their contacts alone. */
async function isAnySilenced(
  reader: Reader,
  authors: readonly PersonId[],
): Promise<boolean> {
  const row = await reader
    .selectFrom("people")
    .select("id")
    .where("id", "in", authors)
    .where("silenced", "=", true)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
