import { sql } from "kysely";
import type { Db, Tx } from "../../../packages/server/src/db/db.ts";
import type {
  PersonId,
  PostId,
} from "../../../packages/server/src/db/schema/ids.ts";
import { insertPostWords } from "../../../packages/server/src/features/indexing/post-search-store.ts";
import { wordsOfPost } from "../../../packages/server/src/features/indexing/post-words.ts";
import { BLOCK_SIZE } from "../../../packages/server/src/features/indexing/search-blocks-store.ts";
import { tagsIn } from "../../../packages/server/src/lib/markdown/markdown.ts";

export const PEOPLE = 2_000;
const WORDS = 50_000;
const AT_ONCE = 1_000;
const BETWEEN_POSTS_MS = 30_000;

/** Deterministic. */
export function randomOf(start: number): (below: number) => number {
  let seed = start;
  return (below) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const ALPHABETS = [
  "aeioubcdfglmnprst",
  "aeiouäöüßklmnrstwz",
  "аеиокмнпрств",
  "αεικλμνορστ",
] as const;

/** The word of a rank, in one of several scripts; its frequency falls with the rank. */
export function wordOf(rank: number): string {
  const letters = ALPHABETS[rank % ALPHABETS.length] ?? "a";
  let word = "";
  for (let rest = rank + 30; rest > 0; rest = Math.floor(rest / letters.length))
    word += letters[rest % letters.length] ?? "";
  return word;
}

/** As Zipf found: the first words are in most texts, most words in few. */
const rankOf = (random: (below: number) => number): number =>
  Math.floor(WORDS ** (random(1_000_000) / 1_000_000)) - 1;

/** Every text contains `every`, each second one `even` or `odd`. */
function textOf(post: number, random: (below: number) => number): string {
  const words = Array.from({ length: 8 + random(50) }, () =>
    wordOf(rankOf(random)),
  );
  words.push("every", post % 2 === 0 ? "even" : "odd");
  if (random(3) === 0) words.push(`#tag${random(1_000)}`);
  if (random(3) === 0) words.push(`@{person${random(PEOPLE)}@remote.example}`);
  if (random(3) === 0)
    words.push(`[link](https://site${random(1_000)}.example/${post})`);
  if (random(10) === 0) words.push("今日は東京で鳥を見ました");
  return words.join(" ");
}

type Row = { readonly id: PostId; readonly by: number; readonly text: string };

/**
 * Posts of many people who allow searches, all indexed, with the viewer as recipient of every
 * two-hundredth.
 */
export async function fillSearch(
  db: Db,
  viewer: PersonId,
  posts: number,
): Promise<void> {
  const random = randomOf(42);
  const people = await db.transaction(insertPeople);
  const start = Date.now() - (posts + 1) * BETWEEN_POSTS_MS;
  await db.transaction(async (tx) => {
    await sql`delete from search_blocks`.execute(tx);
    await sql`insert into search_blocks (number, from_id) values (0, 0)`.execute(
      tx,
    );
  });
  const isPostgres = db.dialect === "postgres";
  // Built at the end, it takes a tenth of the time.
  if (isPostgres) await sql`drop index post_search_words`.execute(db.read);
  for (let first = 0; first < posts; first += AT_ONCE) {
    const rows = Array.from({ length: AT_ONCE }, (_, at): Row => {
      const id = Math.floor((start + (first + at) * BETWEEN_POSTS_MS) / 10);
      const by = people[random(people.length)] ?? 0;
      const text = textOf(first + at, random);
      return { id: (id * 4096) as PostId, by, text };
    });
    await db.transaction((tx) => insertSome(tx, viewer, rows, first));
    process.stderr.write(`\r${first + AT_ONCE} of ${posts} posts`);
  }
  process.stderr.write("\n");
  if (!isPostgres) return;
  await sql`create index post_search_words on post_search using gin (words)
    with (fastupdate = off)`.execute(db.read);
  await sql`analyze`.execute(db.read);
}

async function insertPeople(tx: Tx): Promise<number[]> {
  const at = new Date().toISOString();
  const ids: number[] = [];
  for (let number = 0; number < PEOPLE; number += 1) {
    const { id } = await tx
      .insertInto("people")
      .values({
        guid: `person-${number}-`.padEnd(32, "x"),
        handle: `person${number}@remote.example`,
        user_id: null,
        public_key_pem: "",
        state: "active",
        ...{ created_at: at, updated_at: at },
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await sql`insert into profiles (person_id, first_name, last_name, full_name,
      image_url, image_url_small, image_url_medium, gender, bio, location,
      searchable, bio_for, nsfw, indexable, created_at, updated_at)
      values (${id}, '', '', 'Person', '', '', '', '', '', '', ${true},
      'everyone', ${false}, ${true}, ${at}, ${at})`.execute(tx);
    ids.push(id);
  }
  return ids;
}

async function insertSome(
  tx: Tx,
  viewer: PersonId,
  rows: readonly Row[],
  first: number,
): Promise<void> {
  await tx
    .insertInto("posts")
    .values(
      rows.map(({ id, by, text }) => ({
        id,
        guid: `post-${id}-`.padEnd(32, "x"),
        person_id: by as PersonId,
        type: "StatusMessage" as const,
        ...{ public: true, listed: true, text, provider_name: "" },
        ...{ root_guid: null, root_person_id: null, aspect_id: null },
        ...{ uri: null, url: null, location_address: null },
        ...{ location_lat: null, location_lng: null },
        created_at: new Date((id / 4096) * 10).toISOString(),
        updated_at: new Date((id / 4096) * 10).toISOString(),
      })),
    )
    .execute();
  // SQLite writes those of one transaction at once in this order alone.
  const newestFirst = rows.map((row, at) => ({ row, at })).toReversed();
  const writing = newestFirst.map(async ({ row: { id, by, text }, at }) => {
    const number = first + at;
    const block = Math.floor(number / BLOCK_SIZE);
    if (number % BLOCK_SIZE === 0 && number > 0)
      await sql`insert into search_blocks (number, from_id)
        values (${block}, ${id})`.execute(tx);
    const words = wordsOfPost({
      ...{ personId: by as PersonId, isOpen: true, texts: [text] },
      finders: number % 200 === 0 ? [viewer] : [],
      ...{ tags: tagsIn(text), hasEvent: false, hasMedia: number % 5 === 0 },
      hasPoll: false,
    });
    if (words) await insertPostWords(tx, id, words, block);
  });
  await Promise.all(writing);
  // Homes are not measured with these.
  await sql`delete from unplaced_posts`.execute(tx);
  const received = rows.filter((_, at) => (first + at) % 200 === 0);
  await tx
    .insertInto("post_recipients")
    .values(received.map(({ id }) => ({ post_id: id, person_id: viewer })))
    .execute();
}
