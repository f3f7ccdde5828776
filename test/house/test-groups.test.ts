import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, describe, test } from "node:test";
import { root } from "../../scripts/project-files.ts";
import { findTestFiles } from "../../scripts/testing/test-files.ts";
import { GroupEntries, groupFiles } from "../../scripts/testing/test-groups.ts";

const folder = fs.mkdtempSync(path.join(tmpdir(), "kith-groups-"));
after(() => fs.rmSync(folder, { recursive: true }));

/** @returns its path as that of a test file */
function write(name: string, source: string): string {
  const file = path.join(folder, name);
  fs.writeFileSync(file, `import { test, before } from "node:test";${source}`);
  return path.relative(root, file);
}

const passes = write("passes.test.mjs", `test("passes", () => {});`);

/** Runs files in one process, as `npm test` does. */
function runGroup(...files: string[]): { code: number | null; said: string } {
  const entries = new GroupEntries([{ files, databases: "sqlite" }]);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  try {
    const args = ["--test-reporter=tap", ...entries.files];
    const done = spawnSync(process.execPath, args, { env, encoding: "utf8" });
    return { code: done.status, said: done.stdout + done.stderr };
  } finally {
    entries.remove();
  }
}

describe("the processes of a test run", () => {
  const files = findTestFiles([]);

  for (const bothDatabases of [false, true])
    for (const shared of [false, true])
      test(`run each test file once (both databases: ${bothDatabases}, shared: ${shared})`, () => {
        const groups = groupFiles(files, { bothDatabases, shared });
        const grouped = groups
          // The other half of a file that has a process for each database.
          .filter(({ databases }) => databases !== "postgres")
          .flatMap((group) => group.files);
        assert.deepEqual(grouped.sort(), [...files].sort());
        assert.ok(shared || groups.every((group) => group.files.length === 1));
      });

  test("run stores, transactions, conformance and the privacy matrix on PostgreSQL, and with --both-databases everything", () => {
    const onBoth = (bothDatabases: boolean) =>
      groupFiles(files, { bothDatabases, shared: true })
        .filter(({ databases }) => databases !== "sqlite")
        .flatMap((group) => group.files);
    const chosen = onBoth(false);
    for (const file of files.filter((it) => it.endsWith(".db.test.ts")))
      assert.ok(chosen.includes(file), file);
    assert.ok(chosen.includes("test/conformance/conformance.test.ts"));
    assert.ok(chosen.includes("test/security/privacy-matrix.test.ts"));
    assert.ok(!chosen.includes("packages/server/test/api/likes.test.ts"));
    assert.equal(onBoth(true).length, files.length);
  });

  test("have files that mostly wait run beside those that compute, each in its own process", () => {
    const groups = groupFiles(files, { bothDatabases: false, shared: true });
    const waiting = groups.filter((it) => it.waits);
    assert.ok(waiting.every((group) => group.files.length === 1));
    const names = waiting.flatMap((group) => group.files);
    assert.ok(names.includes("test/e2e/outage.test.ts"));
    assert.ok(!names.includes("test/e2e/walk-diaspora.test.ts"));
  });

  test("keep the hooks of a file to itself, and name the database", () => {
    const hooked = write(
      "hooked.test.mjs",
      `before(() => { globalThis.hooked = true; });
       test("hooked", () => { if (!globalThis.hooked) throw new Error(); });`,
    );
    const first = write(
      "first.test.mjs",
      `test("first", () => {
         if (globalThis.hooked) throw new Error("a hook of another file ran");
         if (process.env.KITH_TEST_DATABASES !== "sqlite") throw new Error();
       });`,
    );
    const { code, said } = runGroup(first, hooked, passes);
    assert.equal(code, 0, said);
    assert.match(said, /^# pass 3$/m);
  });

  test("fail with a file that cannot be loaded, and run the others", () => {
    const broken = write("broken.test.mjs", `throw new Error("broken");`);
    const { code, said } = runGroup(broken, passes);
    assert.equal(code, 1, said);
    assert.match(said, /^not ok 1 - .*broken\.test\.mjs$/m);
    assert.match(said, /^# pass 1$/m);
  });

  test("fail with a file that awaits at its top level, and say so", () => {
    const awaits = write("awaits.test.mjs", `await 0; test("x", () => {});`);
    const { code, said } = runGroup(awaits, passes);
    assert.equal(code, 1, said);
    assert.match(said, /ERR_REQUIRE_ASYNC_MODULE/);
  });

  for (const others of [[], [passes]])
    test(`fail where a test ends the process (${others.length} files after it)`, () => {
      const ends = write(
        "ends.test.mjs",
        `test("ends", () => process.exit(0));`,
      );
      const { code, said } = runGroup(ends, ...others);
      assert.equal(code, 1, said);
      assert.match(said, /ended before its tests did/);
    });
});
