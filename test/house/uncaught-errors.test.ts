import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { root } from "../../scripts/project-files.ts";

// The test processes track no promises: an error that nobody catches must fail all the same.

const PRELOADED = path.join(root, "scripts/testing/untracked-promises.ts");
const folder = mkdtempSync(path.join(tmpdir(), "kith-uncaught-"));
after(() => rmSync(folder, { recursive: true }));

/** @returns how a run of one test that does this ends */
function runTest(body: string): { code: number | null; output: string } {
  const file = path.join(folder, "one.test.mjs");
  writeFileSync(
    file,
    `import { test } from "node:test";
     test("one", async () => { ${body} });`,
  );
  const env: NodeJS.ProcessEnv = { ...process.env };
  delete env["NODE_TEST_CONTEXT"];
  const args = ["--import", pathToFileURL(PRELOADED).href, "--test", file];
  const ended = spawnSync(process.execPath, args, { env, encoding: "utf8" });
  return { code: ended.status, output: ended.stdout };
}

test("a test that leaves no error passes", () => {
  assert.equal(runTest("await 1;").code, 0);
});

for (const [what, body] of Object.entries({
  "a rejection that nobody handles":
    "void Promise.resolve().then(() => { throw new Error('left alone'); }); await new Promise((done) => setTimeout(done, 50));",
  "a rejection after an await":
    "await 1; void (async () => { await 1; throw new Error('left alone'); })(); await new Promise((done) => setTimeout(done, 50));",
  "an error thrown by a timer":
    "setTimeout(() => { throw new Error('left alone'); }, 1); await new Promise((done) => setTimeout(done, 50));",
  "an error after the end of its test":
    "setTimeout(() => { throw new Error('left alone'); }, 20);",
}))
  test(`${what} fails its file`, () => {
    const { code, output } = runTest(body);
    assert.equal(code, 1, output);
    assert.match(output, /left alone/);
  });
