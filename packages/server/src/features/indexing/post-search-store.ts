import { sql } from "kysely";
import type { Tx } from "../../db/db.ts";
import { dialectOf, prepareQuery } from "../../db/prepared-query.ts";
import { deferWrite } from "../../db/together/deferred-writes.ts";
import type { PostId } from "../ids.ts";
import { MARKS } from "./marks.ts";
import type { PostWords } from "./post-words.ts";
import { octetOf } from "./search-blocks-store.ts";

const insertText = prepareQuery<{ id: PostId; words: string }, never>(
  (reader, value) =>
    sql<never>`insert or replace into post_search (rowid, words)
      values (-${value("id")}, ${value("words")})`.compile(reader),
);
const findStored = prepareQuery<{ id: PostId }, { id: PostId }>(
  (reader, value) =>
    reader
      .selectFrom("posts")
      .select("id")
      .where("id", "=", value("id"))
      .compile(),
);
const insertVector = prepareQuery<{ id: PostId; words: string }, never>(
  (reader, value) =>
    sql<never>`insert into post_search (post_id, words)
      values (${value("id")}, cast(${value("words")} as tsvector))
      on conflict (post_id) do update set words = excluded.words`.compile(
      reader,
    ),
  { types: { id: "bigint", words: "text" } },
);

/** On SQLite, so that the newest posts come first. */
const rowOf = (id: PostId): number => -Number(id);

/** Stores the words of a post in place of those before. */
export async function insertPostWords(
  tx: Tx,
  id: PostId,
  { words, marks }: PostWords,
  block: number,
): Promise<void> {
  const placed = [...marks, MARKS.block(block), MARKS.octet(octetOf(block))];
  if (dialectOf(tx) === "sqlite") {
    const text = [...words, ...placed].join(" ");
    return deferWrite(tx, rowOf(id), async () => {
      // The post may be gone again by then.
      const [post] = await findStored(tx, { id });
      if (post) await insertText(tx, { id, words: text });
    });
  }
  await insertVector(tx, { id, words: vectorOf(words, placed) });
}

const MAX_POSITION = 16_383;
/** PostgreSQL keeps no more of one word. */
const MAX_POSITIONS = 256;

/** In the text form of a tsvector. Neither words nor marks contain a sign with a meaning there. */
function vectorOf(words: readonly string[], marks: readonly string[]): string {
  const places = new Map<string, number[]>();
  for (const [index, word] of words.entries()) {
    const known = places.get(word);
    if (!known) places.set(word, [index + 1]);
    else if (known.length < MAX_POSITIONS)
      known.push(Math.min(index + 1, MAX_POSITION));
  }
  const placed = [...places].map(([word, at]) => `'${word}':${at.join()}`);
  return [...placed, ...marks.map((mark) => `'${mark}'`)].join(" ");
}

const deleteText = prepareQuery<{ id: PostId }, never>((reader, value) =>
  sql<never>`delete from post_search
    where ${
      dialectOf(reader) === "sqlite"
        ? sql`rowid = -${value("id")}`
        : sql`post_id = ${value("id")}`
    }`.compile(reader),
);

export async function deletePostWords(tx: Tx, id: PostId): Promise<void> {
  await deferWrite(
    tx,
    rowOf(id),
    async () => void (await deleteText(tx, { id })),
  );
}
