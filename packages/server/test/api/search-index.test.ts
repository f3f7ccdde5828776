import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { migrate, MIGRATIONS } from "../../src/db/migrate.ts";
import { search } from "../../src/db/migrations/0058-search.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import type { PostRecord } from "../support/server/wire.ts";

type SearchRecord = { Posts: PostRecord[]; Incomplete: boolean };

forEachDatabase((kind) => {
  const kith = useKith(kind);

  /** As an older version of Kith left it. */
  async function dropIndex(): Promise<void> {
    const { db } = kith();
    await db.transaction(async (tx) => {
      for (const name of ["search_blocks", "search_fills", "person_words"])
        await sql`drop table ${sql.table(name)}`.execute(tx);
      if (kind === "sqlite")
        await sql`drop trigger post_search_deleted`.execute(tx);
      else await sql`drop index post_tags_prefix`.execute(tx);
      await sql`drop table post_search`.execute(tx);
      await sql`delete from schema_migrations
        where number = ${search.number}`.execute(tx);
    });
    await migrate(db, kith().clock, { migrations: MIGRATIONS });
  }

  test("posts that an older version has stored are indexed by a job, and a search says so until then", async () => {
    const ann = await kith().person();
    const texts: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      texts.unshift(`a garganey ${count}`);
      await ann.post("/posts", { post: `a garganey ${count}` });
    }
    const find = (more = {}) =>
      ann.get<SearchRecord>("/search", {
        q: "garganey",
        type: "posts",
        ...more,
      });
    await dropIndex();
    assert.deepEqual(await find(), {
      ...{ Posts: [], People: [], Tags: [], Incomplete: true },
    });
    await ann.post("/posts", { post: "a new garganey" });
    const early = await find();
    assert.deepEqual(
      early.Posts.map(({ Text }) => Text),
      ["a new garganey"],
    );
    await kith().server.prepare();
    await kith().settle();
    const { Posts, Incomplete } = await find();
    assert.equal(Incomplete, false);
    assert.deepEqual(
      Posts.map(({ Text }) => Text),
      ["a new garganey", ...texts],
    );
    const { People } = await ann.get<{ People: unknown[] }>("/search", {
      ...{ q: ann.username, type: "people" },
    });
    assert.equal(People.length, 1);
  });

  test("posts of several blocks are found in their order, both ways", async () => {
    const bea = await kith().person();
    const ids: number[] = [];
    for (let count = 0; count < 12; count += 1)
      ids.unshift(
        (await bea.post<PostRecord>("/posts", { post: `gadwall ${count}` })).ID,
      );
    const { db, server } = kith();
    await db.transaction(async (tx) => {
      await sql`delete from search_blocks`.execute(tx);
      const from = [0, ...ids.toReversed().slice(1)];
      for (const [at, id] of from.entries())
        await sql`insert into search_blocks (number, from_id)
          values (${at - 3}, ${id})`.execute(tx);
      for (const id of ids)
        await server.features.indexing.renewPost(tx, id as never);
    });
    const page = async (more: object) =>
      (
        await bea.get<SearchRecord>("/search", {
          ...{ q: "gadwall", type: "posts", limit: 5, ...more },
        })
      ).Posts.map(({ ID }) => ID);
    assert.deepEqual(await page({}), ids.slice(0, 5));
    assert.deepEqual(await page({ before: ids[4] }), ids.slice(5, 10));
    assert.deepEqual(await page({ before: ids[9] }), ids.slice(10));
    assert.deepEqual(await page({ after: ids[11] }), ids.slice(6, 11));
    assert.deepEqual(await page({ after: ids[5] }), ids.slice(0, 5));
    assert.deepEqual(await page({ limit: 12 }), ids);
    assert.deepEqual(
      await page({ limit: 12, after: ids[11] }),
      ids.slice(0, 11),
    );
  });

  test("posts written in one moment are found by their words, and one that goes in the same moment leaves none", async () => {
    const cora = await kith().person();
    const posts = await Promise.all(
      [1, 2, 3, 4].map((count) =>
        cora.post<PostRecord>("/posts", { post: `a smew ${count}` }),
      ),
    );
    const find = async () =>
      (
        await cora.get<SearchRecord>("/search", { q: "smew", type: "posts" })
      ).Posts.map(({ ID }) => ID);
    const ids = posts.map(({ ID }) => ID).sort((a, b) => b - a);
    assert.deepEqual(await find(), ids);
    const { db, server } = kith();
    const [gone, ...rest] = ids;
    await db.transaction(async (tx) => {
      await server.features.indexing.renewPost(tx, gone as never);
      await sql`delete from posts where id = ${gone}`.execute(tx);
    });
    assert.deepEqual(await find(), rest);
    const [table, column, row] =
      kind === "sqlite"
        ? ["post_search_docsize", "id", -Number(gone)]
        : ["post_search", "post_id", Number(gone)];
    const count = sql<{
      n: number;
    }>`select count(*) as n from ${sql.table(`${table}`)} where ${sql.ref(`${column}`)} = ${row}`;
    const { rows } = await count.execute(db.read);
    assert.equal(Number(rows[0]?.n), 0);
  });
});
