import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { DATABASE_KINDS } from "../../packages/server/test/support/server/databases.ts";
import { startKith } from "../../packages/server/test/support/server/kith-server.ts";
import { checkReport, type Results } from "./report.ts";
import { ROWS } from "./rows/rows.ts";
import { readSpecRows } from "./rows/spec-rows.ts";
import { Stage } from "./stage.ts";

const rows = readSpecRows();
const results: Results = new Map();

test("every row of the specification has a test, and every test a row", () => {
  const ids = rows.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length, "two rows have one name");
  const untested = ids.filter((id) => !(id in ROWS));
  const orphans = Object.keys(ROWS).filter((id) => !ids.includes(id));
  assert.deepEqual(untested, [], "rows without a test");
  assert.deepEqual(orphans, [], "tests without a row");
});

for (const kind of DATABASE_KINDS)
  describe(kind, () => {
    let stage: Stage;
    before(async () => {
      stage = await Stage.open(await startKith(kind));
    });
    after(async () => {
      await stage?.close();
      await stage?.kith.close();
    });

    for (const { id, text } of rows)
      test(id, async () => {
        const result = results.get(id) ?? {};
        results.set(id, { ...result, [kind]: "fails" });
        const run = ROWS[id];
        assert.ok(run, `there is no test for the row ${id}`);
        await run(stage, text);
        results.set(id, { ...result, [kind]: "passes" });
      });
  });

test("docs/api-conformance.md matches this run", () =>
  checkReport(rows, results));
