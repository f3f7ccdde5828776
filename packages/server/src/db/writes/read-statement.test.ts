import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { WriteCollector } from "./collect-writes.ts";
import { readStatement } from "./read-statement.ts";

/** The writes of one statement with these parameters. */
function writesOf(sql: string, parameters: readonly unknown[] = []) {
  const collector = new WriteCollector();
  collector.note(readStatement(sql), parameters);
  return collector.take();
}

describe("the writes of a statement", () => {
  test("an insert of values is named by its parameters, on both databases", () => {
    const row = { guid: "g", person_id: 7, root_guid: null };
    const names = `"posts" ("guid", "text", "person_id")`;
    for (const [sql, parameters] of [
      [`insert into ${names} values (?, ?, ?)`, ["g", "text", 7]],
      [`insert into ${names} values ($1, $2, $3)`, ["g", "text", 7]],
      [
        `insert into ${names} select ?, lower(?), ? from (select ?) as free where true`,
        ["g", "text", 7, 1],
      ],
      [
        `insert into ${names} select $2, $1, $3 from free on conflict (id) do nothing`,
        ["text", "g", 7],
      ],
    ] as const)
      assert.deepEqual(writesOf(sql, parameters), [{ table: "posts", row }]);
  });

  test("each row of several, and constants, are named", () => {
    assert.deepEqual(
      writesOf(
        `insert into "likes" ("guid", "post_id") values (?, ?), (?, 5) on conflict do nothing returning "id"`,
        ["a", 3, "b"],
      ),
      [
        { table: "likes", row: { post_id: 3 } },
        { table: "likes", row: { post_id: 5 } },
      ],
    );
  });

  test("the rows of a list are named by the list, on both databases", () => {
    for (const select of [
      "select value, ? from json_each(?) as given",
      "select value, $1 from jsonb_array_elements_text($2::jsonb) as given(value)",
    ])
      assert.deepEqual(
        writesOf(
          `insert into post_tags (tag, post_id) ${select} where true on conflict do nothing`,
          [3, '["a","b"]'],
        ),
        [{ table: "post_tags", row: { post_id: 3, tag: '["a","b"]' } }],
      );
  });

  test("an upsert is named only if its names decide about the conflict", () => {
    const insert = `insert into "link_previews" ("url", "title") values (?, ?)`;
    const update = `do update set "title" = ?`;
    assert.deepEqual(
      writesOf(`${insert} on conflict ("url") ${update}`, ["u", "t", "t"]),
      [{ table: "link_previews", row: { url: "u" } }],
    );
    assert.deepEqual(
      writesOf(`${insert} on conflict ("title") ${update}`, ["u", "t", "t"]),
      [{ table: "link_previews" }],
    );
  });

  test("all else that may change a shown row has no names", () => {
    for (const sql of [
      `update "posts" set "text" = ? where "id" = ?`,
      `delete from "comments" where "id" = ?`,
      `with gone as (delete from likes returning post_id) select 1`,
      `insert into "posts" ("guid", "person_id") select guid, id from people`,
      `insert into "likes" ("guid", "post_id") values (?, (select max(id) from posts))`,
      `insert into "likes" ("guid", "post_id") values ('?', ?)`,
      `insert into "aspects" ("name") values (?)`,
      `insert or replace into likes (post_id) values (?)`,
      `replace into likes (post_id) values (?)`,
      `update or ignore posts set text = ''`,
      `truncate table posts`,
      `merge into posts using other on true when matched then delete`,
      `alter table posts add column more text`,
      `DELETE FROM posts`,
      `delete from "users" where "id" = ?`,
    ]) {
      const writes = writesOf(sql, [1, 2, 3]);
      assert.ok(writes && writes.length > 0, sql);
      for (const { row } of writes) assert.equal(row, undefined, sql);
    }
  });

  test("a change that no list shows is no write", () => {
    for (const sql of [
      `select * from "posts" where "id" = ? for update`,
      `select * from "posts" for no key update of "posts"`,
      `insert into "jobs" ("kind") values (?)`,
      `update "users" set "last_seen_at" = ? where "id" = ?`,
      `update "post_links" set "due_at" = ? where "url" in (?)`,
      `insert into "people" ("guid", "handle") values (?, ?) on conflict do nothing returning "id"`,
      `insert into post_arrivals (post_id) select post_id from unplaced_posts`,
      `delete from unplaced_posts where id in (select value from json_each(?))`,
      `begin`,
    ])
      assert.deepEqual(writesOf(sql, ["a", "b"]), [], sql);
    assert.deepEqual(
      writesOf(`update "post_links" set "due_at" = ?, "url" = ? where 1 = 1`),
      [{ table: "post_links" }],
    );
  });

  test("a transaction of very many writes may have written anything", () => {
    const collector = new WriteCollector();
    const statement = readStatement(
      `insert into "likes" ("post_id") values (?)`,
    );
    for (let id = 0; id < 2_000; id += 1) collector.note(statement, [id]);
    assert.equal(collector.take(), undefined);
    assert.deepEqual(collector.take(), []);
  });
});
