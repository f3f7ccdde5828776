import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { compose, type Server } from "../packages/server/src/compose/server.ts";
import { readConfig } from "../packages/server/src/config/config.ts";
import type { Db } from "../packages/server/src/db/db.ts";
import { migrate } from "../packages/server/src/db/migrate.ts";
import {
  openDatabase,
  type DatabaseLocation,
} from "../packages/server/src/db/open-database.ts";
import type { Author } from "../packages/server/src/features/posts/index.ts";
import { systemClock } from "../packages/server/src/lib/time/clock.ts";
import { silentLog } from "../packages/server/src/observability/log.ts";
import { startPostgres } from "../scripts/testing/test-postgres.ts";
import {
  fillSearch,
  PEOPLE,
  randomOf,
  wordOf,
} from "./kit/fill/fill-search.ts";
import { writeResults } from "./kit/results.ts";

const POSTS = 1_000_000;
const SEARCHES = 100;
const WARM_UP = 20;
const TARGET = "50 ms";
const RECEIVED = 2_000;

/** Measures searches among many posts, in process, on both databases. */
export async function benchSearch(
  options: ReadonlyMap<string, string>,
): Promise<void> {
  const posts = Number(options.get("posts") ?? POSTS);
  const only = options.get("on");
  const columns: string[][] = [];
  for (const kind of ["sqlite", "postgres"] as const)
    if (only === undefined || only === kind)
      columns.push(...(await measureOn(kind, posts)));
  writeResults({
    name: "search",
    options:
      (posts === POSTS ? "" : ` --posts=${posts}`) +
      (only === undefined ? "" : ` --on=${only}`),
    head: ["", "", "p50", "p95", "worst", "processor p95", "target p95"],
    rows: columns,
  });
}

async function measureOn(
  kind: "sqlite" | "postgres",
  posts: number,
): Promise<string[][]> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "kith-bench-"));
  const postgres =
    kind === "postgres" ? await startPostgres({ durable: true }) : undefined;
  const location: DatabaseLocation = postgres
    ? { kind: "postgres", url: postgres.url }
    : { kind: "sqlite", file: path.join(dataDir, "kith.sqlite") };
  const db = await openDatabase(location);
  try {
    await migrate(db, systemClock);
    const { config } = readConfig({ KITH_DATA_DIR: dataDir }, {});
    const server = compose({
      ...{ config, db, clock: systemClock, log: silentLog(), version: "0" },
      secretKey: randomBytes(32),
    });
    const viewer = await makeViewer(db);
    const startedAt = performance.now();
    await fillSearch(db, viewer.personId, posts);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
    process.stderr.write(`Filled in ${seconds} s\n`);
    const rows: string[][] = [];
    for (const [name, write] of Object.entries(CASES))
      rows.push(await measure(kind, server, viewer, name, write));
    rows.push(await measureSize(db, kind), await measureCost(db, kind, server));
    await server.close();
    return rows;
  } finally {
    await db.close();
    await postgres?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function makeViewer(db: Db): Promise<Author> {
  const at = systemClock.now().toISOString();
  return db.transaction(async (tx) => {
    const user = await tx
      .insertInto("users")
      .values({
        ...{ username: "viewer", password_hash: "", role: "user" },
        ...{ state: "active", locale: "en", time_zone: "UTC" },
        ...{ last_seen_at: null, created_at: at, updated_at: at },
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    const person = await tx
      .insertInto("people")
      .values({
        ...{ guid: "viewer", handle: "viewer@localhost", public_key_pem: "" },
        ...{ user_id: user.id, state: "active" },
        ...{ created_at: at, updated_at: at },
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    return { userId: user.id, personId: person.id };
  });
}

type Random = (below: number) => number;
const person = (random: Random) =>
  `from:person${random(PEOPLE)}@remote.example`;

const CASES: Readonly<Record<string, (random: Random) => string>> = {
  "a word": (random) => wordOf(50 + random(2_000)),
  "two words": (random) =>
    `${wordOf(5 + random(100))} ${wordOf(5 + random(500))}`,
  "a rare word": (random) => wordOf(20_000 + random(25_000)),
  "a word in every post": () => "every",
  "a word in no post": (random) => `nowhere${random(1_000)}`,
  "a word in every post, one in none": (random) =>
    `every nowhere${random(1_000)}`,
  "two frequent words, never together": () => "even odd",
  "a word in every post, from:": (random) => `every ${person(random)}`,
  "a word, from:": (random) => `${wordOf(random(500))} ${person(random)}`,
  "from: and has: what that person has not": (random) =>
    `${person(random)} has:poll`,
  "a phrase": (random) => `"${wordOf(random(20))} ${wordOf(random(20))}"`,
  "a phrase of words in every second post": () => '"every odd"',
  "the phrase the other way round": () => '"odd every"',
  "a tag": (random) => `#tag${random(1_000)}`,
  "a word, in:library": (random) => `${wordOf(random(500))} in:library`,
  "a word, without another": (random) =>
    `${wordOf(random(500))} -${wordOf(random(20))}`,
  "a word, before: long ago": (random) =>
    `${wordOf(random(500))} before:2026-03-01`,
  東京: () => "東京",
};

async function measure(
  kind: string,
  { features }: Server,
  viewer: Author,
  name: string,
  write: (random: Random) => string,
): Promise<string[]> {
  const random = randomOf(7);
  const times: number[] = [];
  const used: number[] = [];
  const page = { offset: 0, limit: 20 };
  let cut = 0;
  for (let count = -WARM_UP; count < SEARCHES; count += 1) {
    const text = write(random);
    const before = process.cpuUsage();
    const startedAt = performance.now();
    const { isCut } = await features.search.posts(viewer, text, {}, page);
    if (count < 0) continue;
    times.push(performance.now() - startedAt);
    const { user, system } = process.cpuUsage(before);
    used.push((user + system) / 1000);
    if (isCut) cut += 1;
  }
  const at = (part: number, of = times) =>
    `${(of.toSorted((a, b) => a - b)[Math.min(of.length - 1, Math.floor(of.length * part))] ?? NaN).toFixed(1)} ms`;
  const label = cut === 0 ? name : `${name} (incomplete: ${cut})`;
  // The processor time of PostgreSQL is spent in another process.
  const processor = kind === "sqlite" ? at(0.95, used) : "";
  const row = [kind, label, at(0.5), at(0.95), at(1), processor, TARGET];
  process.stderr.write(`${row.join("  ")}\n`);
  return row;
}

async function measureSize(db: Db, kind: string): Promise<string[]> {
  const { rows } = await (
    db.dialect === "sqlite"
      ? sql<{ index: number; posts: number }>`select
          (select sum(length(block)) from post_search_data) as "index",
          (select sum(length(text)) from posts) as posts`
      : sql<{ index: number; posts: number }>`select
          pg_total_relation_size('post_search') as "index",
          (select sum(length(text)) from posts) as posts`
  ).execute(db.read);
  const mb = (value: unknown) => `${(Number(value) / 1024 ** 2).toFixed(0)} MB`;
  const [row] = rows;
  return [
    ...[kind, `size of the index, of texts of ${mb(row?.posts)}`],
    ...[mb(row?.index), "", "", "", ""],
  ];
}

/** The time to index posts again, one transaction each, as when one arrives. */
async function measureCost(
  db: Db,
  kind: string,
  { features }: Server,
): Promise<string[]> {
  const { rows } = await sql<{ id: never }>`select id from posts
    order by id desc limit ${RECEIVED}`.execute(db.read);
  const times: number[] = [];
  for (const { id } of rows)
    await db.transaction(async (tx) => {
      const startedAt = performance.now();
      await features.indexing.renewPost(tx, id);
      times.push(performance.now() - startedAt);
    });
  times.sort((a, b) => a - b);
  const at = (part: number) =>
    `${(times[Math.floor(times.length * part)] ?? NaN).toFixed(2)} ms`;
  return [kind, "indexing one post", at(0.5), at(0.95), at(0.999), "", ""];
}
