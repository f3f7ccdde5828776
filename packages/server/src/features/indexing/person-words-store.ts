import { sql } from "kysely";
import type { Tx } from "../../db/db.ts";
import { textsIn } from "../../db/dialect.ts";
import { dialectOf, prepareQuery } from "../../db/prepared-query.ts";
import type { PersonId } from "../ids.ts";
import {
  foldText,
  isLetter,
  MAX_WORD_LENGTH,
  readWords,
} from "../../lib/words.ts";

/** More words in a name help nobody. */
const MAX_NAME_WORDS = 20;

type Named = { handle: string; full_name: string; state: string };

const namedBy = prepareQuery<{ id: PersonId }, Named>((reader, value) =>
  reader
    .selectFrom("people")
    .innerJoin("profiles", "profiles.person_id", "people.id")
    .select(["people.handle", "profiles.full_name", "people.state"])
    .where("people.id", "=", value("id"))
    .compile(),
);
const forget = prepareQuery<{ id: PersonId }, never>((reader, value) =>
  sql<never>`delete from person_words where person_id = ${value("id")}`.compile(
    reader,
  ),
);
const insert = prepareQuery<{ id: PersonId; words: string }, never>(
  (reader, value) =>
    sql<never>`insert into person_words (word, person_id)
      select value, ${value("id")}
      from ${textsIn(dialectOf(reader), value("words"))} where true
      on conflict do nothing`.compile(reader),
);

/** Stores the words that the name and the handle of a person consist of. */
export async function renewPersonWords(tx: Tx, id: PersonId): Promise<void> {
  const [person] = await namedBy(tx, { id });
  await forget(tx, { id });
  if (!person || person.state === "closed") return;
  await insert(tx, { id, words: JSON.stringify(wordsOfPerson(person)) });
}

/** The handle as a whole, its first part as a whole, and all words of it and the name. */
export function wordsOfPerson({
  handle,
  full_name: name,
}: Pick<Named, "handle" | "full_name">): string[] {
  const folded = foldText(handle);
  const [username = ""] = folded.split("@");
  const words = [name, username].flatMap((text) => {
    const read = readWords(text, MAX_NAME_WORDS);
    return [...read.words, ...[...read.letters].filter(isLetter)];
  });
  return [
    ...new Set([
      folded.slice(0, 4 * MAX_WORD_LENGTH),
      username.slice(0, 4 * MAX_WORD_LENGTH),
      ...words,
    ]),
  ];
}
