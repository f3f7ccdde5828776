import assert from "node:assert/strict";
import { test } from "node:test";
import { writeSetForm } from "./set-form.ts";

const GIVEN = `from unnest($1::text[], $2::bigint[]) with ordinality as each_set("uri", "by", set_nth)`;
const TYPES = { uri: "text", by: "bigint" } as const;

test("a selection is made for each set of values, and its rows have the number of the set", () => {
  const sql = `select "id" from "posts" where "uri" = $1 and "by" = $2 and $1 <> '$1' limit 1`;
  assert.deepEqual(writeSetForm({ sql, names: ["uri", "by"] }, TYPES), {
    sql:
      `select each_set.set_nth, one.* ${GIVEN} cross join lateral (select * from ` +
      `(select "id" from "posts" where "uri" = "each_set"."uri" and "by" = "each_set"."by" and "each_set"."uri" <> '$1' limit 1)` +
      ` as alone offset 0) as one order by each_set.set_nth`,
    names: ["uri", "by"],
  });
});

test("an insert returns what it inserted by the columns of its table", () => {
  const sql = `insert into "posts" ("uri", "by") values ($1, $2)
    on conflict do nothing returning "uri", exists (select 1 from jobs where awaits = $1) as awaited`;
  const set = writeSetForm({ sql, names: ["uri", "by"] }, TYPES);
  assert.equal(
    set.sql.replaceAll(/\s+/g, " "),
    `insert into "posts" ("uri", "by") select one.* ${GIVEN} cross join lateral (select * from ` +
      `(values ("each_set"."uri", "each_set"."by")) as alone offset 0) as one order by each_set.set_nth ` +
      `on conflict do nothing returning "uri", exists (select 1 from jobs where awaits = "posts"."uri") as awaited`,
  );
});

test("a value that stands twice under two numbers is given once", () => {
  const sql = "select 1 where $1 = $2 or $3 = 1";
  const { names } = writeSetForm({ sql, names: ["uri", "uri", "by"] }, TYPES);
  assert.deepEqual(names, ["uri", "by"]);
});

test("a value without a type, and one without a name, is refused", () => {
  const one = { sql: "select $1", names: ["other"] };
  assert.throws(() => writeSetForm(one, TYPES), /type of the value other/);
  const two = { sql: "select $1, $2", names: ["uri"] };
  assert.throws(() => writeSetForm(two, TYPES), /\$2 has no value/);
});
