import assert from "node:assert/strict";
import {
  CompiledQuery,
  sql,
  type KyselyPlugin,
  type RootOperationNode,
  type QueryId,
} from "kysely";
import type { Db, Reader } from "../../../src/db/db.ts";
import type { PersonId, UserId } from "../../../src/features/ids.ts";
import type { Page } from "../../../src/features/page.ts";
import type { Viewer } from "../../../src/features/visibility/index.ts";
import { openTestDatabase } from "../server/databases.ts";

/** A database whose reads are noted, so that their plans can be looked at. */
export class WatchedReads {
  readonly db: Db;
  readonly #reader: Reader;
  readonly #seen: { node: RootOperationNode; queryId: QueryId }[] = [];

  constructor(db: Db) {
    this.#reader = db.read;
    const plugin: KyselyPlugin = {
      transformQuery: ({ node, queryId }) => {
        this.#seen.push({ node, queryId });
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    this.db = { ...db, read: db.read.withPlugin(plugin) };
  }

  /** The statements since the last call. */
  take(): CompiledQuery[] {
    const executor = this.#reader.getExecutor();
    return this.#seen
      .splice(0)
      .map(({ node, queryId }) => executor.compileQuery(node, queryId));
  }
}

/** SQLite's plan for the last query that `run` asks, in its steps: its parts come before it. */
export async function planOnSqlite(
  db: Db,
  run: (reader: Reader) => Promise<unknown>,
): Promise<string[]> {
  const watched = new WatchedReads(db);
  await run(watched.db.read);
  const query = watched.take().at(-1);
  if (!query) throw new Error("There was no query");
  return stepsOnSqlite(db.read, query);
}

const READER = { personId: 2 as PersonId, userId: 2 as UserId };
const PAGES: readonly Page[] = [
  { offset: 0, limit: 20 },
  { offset: 0, limit: 20, before: 1_000 },
  { offset: 0, limit: 20, after: 1_000 },
];

/**
 * Asserts that SQLite reads a list of posts or comments from picture to picture, in the order of the list,
 * for every viewer and page.
 * @param index of pictures, with the condition by which it is searched
 * @param lookUp the step that finds the post or comment of a picture
 */
export async function assertFromPictureToPicture(
  { index, lookUp }: { readonly index: RegExp; readonly lookUp: RegExp },
  list: (reader: Reader, viewer: Viewer, page: Page) => Promise<unknown>,
): Promise<void> {
  const { db, close } = await openTestDatabase("sqlite");
  for (const viewer of [null, READER])
    for (const page of PAGES) {
      const [first = "", ...rest] = await planOnSqlite(db, (reader) =>
        list(reader, viewer, page),
      );
      assert.match(first, /^SEARCH photos USING (COVERING )?INDEX /);
      assert.match(first, index);
      for (const step of rest)
        assert.doesNotMatch(step, /^SCAN|TEMP B-TREE|comments_person/, step);
      assert.ok(
        rest.some((it) => lookUp.test(it)),
        rest.join("\n"),
      );
    }
  await close();
}

/** Why a query would be slow with many rows; empty where it would not. */
export async function findSlowSteps(
  db: Db,
  query: CompiledQuery,
): Promise<string[]> {
  if (db.dialect === "sqlite") return findSlowStepsOfSqlite(db.read, query);
  return db.transaction(async (tx) => {
    // Otherwise it reads a whole index for a missing one.
    await sql`set local enable_seqscan = on`.execute(tx);
    return findSlowStepsOfPostgres(tx, query);
  });
}

/**
 * Read in its own order, up to a limit; and the people with an account, who come
 * first in theirs, where PostgreSQL merges them with the five users of the test.
 */
const IN_ORDER = [
  "posts_listed",
  "people_user_id_key",
  // These contain only the few people concerned by a decision about their servers.
  "people_shut_out",
  "people_silenced",
  "post_arrivals_pkey",
  "comment_arrivals_pkey",
];
/** Read from their beginning, up to a limit; what was read is deleted. */
const QUEUES = ["unplaced_posts", "unplaced_comments"];
/** Puts together sources of which each has bounds of its own. */
const isMerge = (query: CompiledQuery) =>
  /\b(kept_away|members)\b/.test(query.sql);
const isLimited = (query: CompiledQuery) =>
  /\blimit \S+( offset \S+)?\s*$/i.test(query.sql);

async function findSlowStepsOfSqlite(
  reader: Reader,
  query: CompiledQuery,
): Promise<string[]> {
  const details = await stepsOnSqlite(reader, query);
  const parts = partsIn(details);
  const isSlow = (detail: string): boolean => {
    const scan = readScan(detail);
    if (scan)
      return (
        !parts.has(scan.name) &&
        // A list of values that was given with the query is no table.
        !["CONSTANT", "2-ITEM", "json_each", "given"].includes(scan.name) &&
        !(QUEUES.includes(scan.name) && isLimited(query)) &&
        !IN_ORDER.includes(scan.index)
      );
    const isSort = detail.startsWith("USE TEMP B-TREE FOR ORDER BY");
    return isSort && isLimited(query) && !isMerge(query);
  };
  return details.filter(isSlow);
}

/** Tables that grow with the people and posts that a server knows. */
const GROWING = new Set([
  ...["people", "profiles", "remote_people", "contacts", "notifications"],
  ...["posts", "post_tags", "post_links", "post_recipients", "photos"],
  ...["comments", "likes", "bookmarks", "text_mentions", "quotes"],
]);

/** Indexes of a part of the rows, or in the order of a list that has a limit. */
const BOUNDED = new Set([
  ...["people_here", "people_shut_out", "people_silenced"],
  ...["posts_listed", "posts_local", "profiles_searchable"],
]);

/** The steps in which SQLite reads a whole table that grows, without a limit or not in its order. */
export async function findScansOnSqlite(
  db: Db,
  query: CompiledQuery,
): Promise<string[]> {
  const tables = new Map(
    [...query.sql.matchAll(/"?(\w+)"? as "?(\w+)"?/g)].map(
      ([, table = "", name = ""]) => [name, table],
    ),
  );
  const steps = await stepsOnSqlite(db.read, query);
  const parts = partsIn(steps);
  return steps.filter((step) => {
    const scan = readScan(step);
    if (!scan) return false;
    const { name, index } = scan;
    const isByKey = index.startsWith("sqlite_autoindex_") || index === "";
    const isInOrder = isByKey && isLimited(query);
    return (
      !parts.has(name) &&
      GROWING.has(tables.get(name) ?? name) &&
      !BOUNDED.has(index) &&
      !isInOrder
    );
  });
}

/** Finds the table or index that a step of SQLite's plan reads from end to end: `index` is empty for the table itself. */
function readScan(
  step: string,
): { readonly name: string; readonly index: string } | undefined {
  const [, name, index = ""] =
    /^SCAN (\S+)(?: USING (?:COVERING )?INDEX (\S+))?/.exec(step) ?? [];
  return name === undefined ? undefined : { name, index };
}

/** The names of parts of a query, which are no tables. */
function partsIn(steps: readonly string[]): ReadonlySet<string> {
  return new Set(
    steps.flatMap(
      (step) => /^(?:MATERIALIZE|CO-ROUTINE) (.+)$/.exec(step)?.[1] ?? [],
    ),
  );
}

async function stepsOnSqlite(
  reader: Reader,
  query: CompiledQuery,
): Promise<string[]> {
  const { rows } = await reader.executeQuery<{ detail: string }>(
    CompiledQuery.raw(`explain query plan ${query.sql}`, [...query.parameters]),
  );
  return rows.map(({ detail }) => detail);
}

type PlanNode = {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Index Cond"?: string;
  readonly Plans?: readonly PlanNode[];
};

/** Of the other tables the test has so few rows that PostgreSQL rightly reads them all. */
const MANY = [
  "people",
  "profiles",
  "contacts",
  "posts",
  "post_recipients",
  "post_arrivals",
  "comment_arrivals",
  "comments",
  "likes",
  "notifications",
];

async function findSlowStepsOfPostgres(
  reader: Reader,
  query: CompiledQuery,
): Promise<string[]> {
  const { rows } = await reader.executeQuery<{
    "QUERY PLAN": [{ Plan: PlanNode }];
  }>(
    CompiledQuery.raw(`explain (format json) ${query.sql}`, [
      ...query.parameters,
    ]),
  );
  const plan = rows[0]?.["QUERY PLAN"][0].Plan;
  return plan
    ? stepsOf(plan)
        .filter((step) => isSlowStep(step, query))
        .map(nameOf)
    : ["No plan"];
}

const stepsOf = (node: PlanNode): PlanNode[] => [
  node,
  ...(node.Plans ?? []).flatMap(stepsOf),
];

function isSlowStep(step: PlanNode, query: CompiledQuery): boolean {
  const table = step["Relation Name"];
  if (step["Node Type"] === "Sort") return isLimited(query) && !isMerge(query);
  if (table === undefined || !MANY.includes(table)) return false;
  return (
    step["Node Type"] === "Seq Scan" ||
    (step["Node Type"].startsWith("Index") &&
      step["Index Cond"] === undefined &&
      // Statistics determine which of its two orders PostgreSQL follows to the limit.
      !(isMerge(query) && step["Index Name"] === "posts_pkey") &&
      !IN_ORDER.includes(step["Index Name"] ?? ""))
  );
}

const nameOf = (node: PlanNode): string =>
  [node["Node Type"], node["Relation Name"], node["Index Name"]]
    .filter((part) => part !== undefined)
    .join(" ");
