import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { Reader } from "../../db/db.ts";
import type { PersonId } from "../ids.ts";
import { foldText, readWords } from "../../lib/words.ts";
import type { Page } from "../page.ts";
import type { Author } from "../posts/index.ts";
import {
  isNotBlockedByAuthor,
  isNotBlockedOrIgnored,
  isNotSilencedFor,
} from "../visibility/index.ts";

/** More words of a name narrow nothing. */
const MAX_WORDS = 5;
/** People beyond these are found by more of their name. */
const MAX_PEOPLE = 1_000;

/** Greater than every word that begins like this one, and no greater than others. */
const endOf = (beginning: string) => `${beginning}\u{10ffff}`;

const hasWord = (column: string, beginning: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`exists (select 1 from person_words as other
    where other.person_id = ${sql.ref(column)}
      and other.word >= ${beginning} and other.word < ${endOf(beginning)})`;

/**
 * Finds people by the beginnings of words of their name or handle: people whom the viewer
 * follows first, then those who may be found by everyone.
 */
export async function searchPeople(
  reader: Reader,
  { userId, personId }: Author,
  text: string,
  { offset, limit }: Page,
): Promise<PersonId[]> {
  const words = wordsOf(text);
  const first = words.toSorted((a, b) => b.length - a.length)[0];
  if (first === undefined) return [];
  const others = words.filter((word) => word !== first);
  const isNamed = (column: string, beginnings: readonly string[]) =>
    sql.join(
      [sql`true`, ...beginnings.map((word) => hasWord(column, word))],
      sql` and `,
    );
  const followed = sql`select contacts.person_id as id, 0 as place from contacts
    where contacts.user_id = ${userId} and contacts.following
      and ${isNamed("contacts.person_id", words)}`;
  const anyone = sql`select named.person_id as id, 1 as place from person_words as named
    join people on people.id = named.person_id
    join profiles on profiles.person_id = people.id
    where named.word >= ${first} and named.word < ${endOf(first)}
      and ${isNamed("named.person_id", others)}
      and (profiles.searchable or people.id = ${personId})
      and people.state = 'active'
      and ${isNotSilencedFor(userId, ["people.id"])}
    order by named.word, named.person_id limit ${MAX_PEOPLE}`;
  const { rows } = await sql<{ id: PersonId }>`select people.id
    from (select id, min(place) as place from (
        select id, place from (${followed}) as followed
        union all select id, place from (${anyone}) as anyone) as named
      group by id) as found
    join people on people.id = found.id
    where people.state = 'active'
      and ${isNotBlockedOrIgnored(personId, ["people.id"])}
      and ${isNotBlockedByAuthor(personId, ["people.id"])}
    order by found.place, people.id
    limit ${limit} offset ${offset}`.execute(reader);
  return rows.map(({ id }) => id);
}

/** A handle, or a part of one, is one word. */
function wordsOf(text: string): string[] {
  const words = text
    .split(/\s+/)
    .flatMap((part) =>
      /\S@\S/.test(part)
        ? [foldText(part.replace(/^@/, ""))]
        : readWords(part, MAX_WORDS).words,
    )
    .filter((word) => !/[\u{10fffe}\u{10ffff}\0]/u.test(word));
  return [...new Set(words)].slice(0, MAX_WORDS);
}
