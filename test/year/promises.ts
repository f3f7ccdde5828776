import { sql } from "kysely";
import type { Db } from "../../packages/server/src/db/db.ts";
import { openDatabase } from "../../packages/server/src/db/open-database.ts";
import type { Random } from "../support/random.ts";
import type { Inhabitant } from "./inhabitant.ts";
import type { Ledger, OwnPost } from "./ledger.ts";
import type { YearServer } from "./year-server.ts";

const SAMPLE = 400;

/** Compares all of the database with the ledger. @returns the deviations, in words */
export async function compareWhole(
  server: YearServer,
  ledger: Ledger,
): Promise<string[]> {
  const db = await openDatabase(server.place.location);
  try {
    const posts = await textsOf(db);
    const [comments, likes, photos, events] = await Promise.all(
      ["comments", "likes", "photos", "events"].map((table) =>
        guidsOf(db, table),
      ),
    );
    return [
      ...[...ledger.posts.values()]
        .filter(({ guid, text }) => posts.get(guid) !== text)
        .map(({ guid }) => `post ${guid} is lost, or has another text`),
      ...lost("post of another server", ledger.kept(), posts),
      ...lost("comment", ledger.comments.keys(), comments),
      ...lost("like", ledger.likes.keys(), likes),
      ...lost("photo", ledger.photos.keys(), photos),
      ...lost("event", ledger.events.keys(), events),
      ...lost("conversation", ledger.messages.keys(), posts),
      ...back("post", ledger.deleted.posts, posts),
      ...back("comment", ledger.deleted.comments, comments),
      ...back("like", ledger.deleted.likes, likes),
      ...back("photo", ledger.deleted.photos, photos),
    ];
  } finally {
    await db.close();
  }
}

type Stored = { has: (guid: string) => boolean } | undefined;

function lost(what: string, guids: Iterable<string>, stored: Stored): string[] {
  return [...guids]
    .filter((guid) => stored?.has(guid) !== true)
    .map((guid) => `${what} ${guid} is lost`);
}

function back(what: string, guids: Iterable<string>, stored: Stored): string[] {
  return [...guids]
    .filter((guid) => stored?.has(guid) !== false)
    .map((guid) => `${what} ${guid} was deleted and is there`);
}

async function textsOf(db: Db): Promise<Map<string, string>> {
  const { rows } = await sql<{ guid: string; text: string }>`
    select guid, text from posts`.execute(db.read);
  return new Map(rows.map(({ guid, text }) => [guid, text]));
}

async function guidsOf(db: Db, table: string): Promise<Set<string>> {
  const { rows } = await sql<{ guid: string }>`
    select guid from ${sql.table(table)}`.execute(db.read);
  return new Set(rows.map(({ guid }) => guid));
}

/** Reads some posts as their authors, as readers and as others. @returns the deviations */
export async function compareViews(
  people: ReadonlyMap<string, Inhabitant>,
  ledger: Ledger,
  random: Random,
): Promise<string[]> {
  const posts = [...ledger.posts.values()];
  const deleted = [...ledger.deleted.posts];
  const faults: string[] = [];
  for (let n = 0; n < SAMPLE; n += 1) {
    const post = random.pickAny(posts);
    if (post) faults.push(...(await compareView(people, post, random)));
    const gone = random.pickAny(deleted);
    const reader = random.pickAny([...people.values()]);
    if (gone === undefined || !reader) continue;
    const { status } = await reader.api.call("GET", `/posts/${gone}`);
    if (status !== 404) faults.push(`the deleted post ${gone} is ${status}`);
  }
  return faults;
}

async function compareView(
  people: ReadonlyMap<string, Inhabitant>,
  { guid, by, readers }: OwnPost,
  random: Random,
): Promise<string[]> {
  const faults: string[] = [];
  const other = random.pickAny([...people.values()]);
  for (const reader of new Set([people.get(by), other])) {
    if (!reader) continue;
    const mayRead =
      readers === undefined || reader.name === by || readers.has(reader.name);
    const { status } = await reader.api.call("GET", `/posts/${guid}`);
    if (status !== (mayRead ? 200 : 404))
      faults.push(`${reader.name} gets ${status} for the post ${guid}`);
  }
  return faults;
}
