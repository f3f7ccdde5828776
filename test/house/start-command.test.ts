import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

const ROOT = path.resolve(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(path.join(ROOT, file), "utf8");

test("npm start and the kith command start Node without flags", () => {
  const { scripts } = JSON.parse(read("package.json")) as {
    scripts: { start: string };
  };
  const program = "packages/server/bin/kith.cjs";
  assert.equal(read(program).split("\n")[0], "#!/usr/bin/env node");
  assert.equal(scripts.start, `node ${program} serve`);
});
