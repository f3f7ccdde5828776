import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { root } from "../../scripts/project-files.ts";

let folder: string;
before(() => {
  folder = fs.mkdtempSync(path.join(tmpdir(), "kith-fuzzed-"));
  fs.mkdirSync(path.join(folder, "test"));
  fs.writeFileSync(path.join(folder, "package.json"), '{"type":"module"}');
  fs.writeFileSync(
    path.join(folder, "test/mutate.ts"),
    "export const seeded = (seed: number) => (below: number) => seed % below;",
  );
});
after(() => fs.rmSync(folder, { recursive: true }));

/** Fuzzes a package whose only target reads its input with this code. */
function fuzz(body: string, ...args: string[]) {
  fs.writeFileSync(
    path.join(folder, "test/fuzz-targets.ts"),
    `export const fuzzTargets = [{
      name: "made up",
      next: (random: (below: number) => number) => Buffer.from([random(256)]),
      run: async (input: Uint8Array): Promise<boolean> => { ${body} },
    }];`,
  );
  const script = path.join(root, "scripts/fuzz.ts");
  return spawnSync(
    process.execPath,
    [script, folder, "--minutes=0.01", "--slow-seconds=2", ...args],
    { encoding: "utf8", timeout: 60_000 },
  );
}

function inputNamedIn(said: string): Buffer {
  const [, file = ""] = /the input is in (\S+)/.exec(said) ?? [];
  const bytes = fs.readFileSync(file);
  fs.rmSync(path.dirname(file), { recursive: true });
  return bytes;
}

test("a run without a failure counts its inputs", () => {
  const { status, stdout } = fuzz("return input[0] === 7;", "--seed=7");
  assert.match(stdout, /seed 7/);
  assert.match(stdout, /made up: (\d+) runs, \1 understood/);
  assert.match(stdout, /0 failures/);
  assert.equal(status, 0);
});

test("a crash is reported, with its input", () => {
  const { status, stderr } = fuzz('throw new Error("not ours");', "--seed=65");
  assert.match(stderr, /made up: Error: not ours/);
  assert.match(stderr, /Run 1 of seed 65/);
  assert.deepEqual(inputNamedIn(stderr), Buffer.from("A"));
  assert.equal(status, 1);
});

test("a reader that never ends is stopped, with its input", () => {
  const { status, stderr } = fuzz("while (input[0] === 66);", "--seed=66");
  assert.match(stderr, /did not end within 2 s/);
  assert.deepEqual(inputNamedIn(stderr), Buffer.from("B"));
  assert.equal(status, 1);
});
