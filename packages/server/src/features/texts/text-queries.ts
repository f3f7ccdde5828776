import type { Reader } from "../../db/db.ts";
import {
  isListed,
  isListedText,
  prepareQuery,
} from "../../db/prepared-query.ts";
import type { PersonId, PostId } from "../ids.ts";
import type { TextPlace } from "./text-place.ts";

const selectByHandle = prepareQuery<{ handles: string }, { id: PersonId }>(
  (reader, value) =>
    reader
      .selectFrom("people")
      .select("id")
      .where(isListedText(reader, "people.handle", value("handles")))
      .compile(),
);

/** The people with these handles who are known here. */
export async function listPersonIdsByHandle(
  reader: Reader,
  handles: readonly string[],
): Promise<PersonId[]> {
  if (handles.length === 0) return [];
  const rows = await selectByHandle(reader, {
    handles: JSON.stringify(handles),
  });
  return rows.map(({ id }) => id);
}

/** The people whom a text mentions. */
export type Mentions = {
  readonly people: readonly PersonId[];
  /** Has one of them an account here? */
  readonly areAnyLocal: boolean;
};

const selectMentioned = prepareQuery<
  { handles: string; ids: string },
  { id: PersonId; user_id: number | null }
>(
  (reader, value) =>
    reader
      .selectFrom("people")
      .select(["id", "user_id"])
      .where((eb) =>
        eb.or([
          isListedText(reader, "people.handle", value("handles")),
          isListed(reader, "people.id", value("ids")),
        ]),
      )
      .compile(),
  { types: { handles: "text", ids: "text" } },
);

/** Finds the people with these handles who are known here, and those with these ids. */
export async function findMentions(
  reader: Reader,
  handles: readonly string[],
  ids: readonly PersonId[],
): Promise<Mentions> {
  if (handles.length + ids.length === 0)
    return { people: [], areAnyLocal: false };
  const rows = await selectMentioned(reader, {
    handles: JSON.stringify(handles),
    ids: JSON.stringify(ids),
  });
  return {
    people: rows.map(({ id }) => id),
    areAnyLocal: rows.some(({ user_id: userId }) => userId !== null),
  };
}

const localAmong = prepareQuery<{ people: string }, { id: PersonId }>(
  (reader, value) =>
    reader
      .selectFrom("people")
      .select("id")
      .where(isListed(reader, "people.id", value("people")))
      .where("user_id", "is not", null)
      .limit(1)
      .compile(),
);

/** Has one of these people an account here? */
export async function isAnyLocal(
  reader: Reader,
  people: readonly PersonId[],
): Promise<boolean> {
  if (people.length === 0) return false;
  const rows = await localAmong(reader, { people: JSON.stringify(people) });
  return rows.length > 0;
}

/** The people mentioned in a post or comment. */
export async function listMentioned(
  reader: Reader,
  place: TextPlace,
): Promise<PersonId[]> {
  const rows = await selectMentions(reader, place)
    .where("former", "=", false)
    .execute();
  return rows.map((row) => row.person_id);
}

/** The same people, and those mentioned before an edit, who have the text. */
export async function listEverMentioned(
  reader: Reader,
  place: TextPlace,
): Promise<PersonId[]> {
  const rows = await selectMentions(reader, place).execute();
  return rows.map((row) => row.person_id);
}

function selectMentions(reader: Reader, { postId, commentId }: TextPlace) {
  const query = reader.selectFrom("text_mentions").select("person_id");
  return (
    commentId === null
      ? query.where("post_id", "=", postId).where("comment_id", "is", null)
      : query.where("comment_id", "=", commentId)
  ).orderBy("person_id");
}

/** The tags of a post. */
export async function listTags(
  reader: Reader,
  postId: PostId,
): Promise<string[]> {
  const rows = await reader
    .selectFrom("post_tags")
    .select("tag")
    .where("post_id", "=", postId)
    .execute();
  return rows.map((row) => row.tag);
}
