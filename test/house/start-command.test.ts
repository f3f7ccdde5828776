import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

const ROOT = path.resolve(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(path.join(ROOT, file), "utf8");

test("npm start and the kith command start Node with the same options", () => {
  const { scripts } = JSON.parse(read("package.json")) as {
    scripts: { start: string };
  };
  const program = "packages/server/bin/kith.cjs";
  const [shebang = ""] = read(program).split("\n");
  const options = shebang.replace("#!/usr/bin/env -S node ", "");
  assert.match(options, /^--\S+$/);
  assert.equal(scripts.start, `node ${options} ${program} serve`);
});
