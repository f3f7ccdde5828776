import type { Reader } from "../../db/db.ts";
import {
  isListed,
  isListedText,
  prepareQuery,
} from "../../db/prepared-query.ts";
import type { CommentId, PersonId, PostId } from "../ids.ts";
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
  const rows = await selectMentions(reader, place);
  return rows
    .filter(({ former }) => !former)
    .map(({ person_id: personId }) => personId);
}

/** The same people, and those mentioned before an edit, who have the text. */
export async function listEverMentioned(
  reader: Reader,
  place: TextPlace,
): Promise<PersonId[]> {
  const rows = await selectMentions(reader, place);
  return rows.map(({ person_id: personId }) => personId);
}

type Mention = { person_id: PersonId; former: boolean | number };

const selectMentions = (
  reader: Reader,
  { postId, commentId }: TextPlace,
): Promise<Mention[]> =>
  commentId === null
    ? mentionsOfPost(reader, { postId })
    : mentionsOfComment(reader, { commentId });

const mentionsIn = (reader: Reader) =>
  reader
    .selectFrom("text_mentions")
    .select(["person_id", "former"])
    .orderBy("person_id");

const mentionsOfPost = prepareQuery<{ postId: PostId }, Mention>(
  (reader, value) =>
    mentionsIn(reader)
      .where("post_id", "=", value("postId"))
      .where("comment_id", "is", null)
      .compile(),
  { types: { postId: "bigint" } },
);

const mentionsOfComment = prepareQuery<{ commentId: CommentId }, Mention>(
  (reader, value) =>
    mentionsIn(reader).where("comment_id", "=", value("commentId")).compile(),
  { types: { commentId: "bigint" } },
);

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
