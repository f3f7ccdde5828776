import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { pathToFileURL } from "node:url";

const PROJECT = path.join(import.meta.dirname, "../..");
const KITH = path.join(PROJECT, "packages/server/bin/kith.cjs");
const { findBundle, FOLDER } = createRequire(import.meta.url)(
  "../../packages/server/bin/find-bundle.cjs",
) as {
  findBundle: (folder?: string, root?: string) => string | undefined;
  FOLDER: string;
};

test("kith starts from its bundle", () => {
  const bundle = findBundle();
  assert.ok(bundle, "it was bundled before the tests");
  const loaded = loadedBy([KITH, "--version"]);
  assert.ok(loaded.includes(bundle));
  assert.ok(!loaded.some((url) => url.endsWith(".ts")), "no source is loaded");
});

test("the bundle imports Node's module for HTTP by require alone", () => {
  const manifest = fs.readFileSync(path.join(FOLDER, "bundle.json"), "utf8");
  const { files } = JSON.parse(manifest) as { files: readonly string[] };
  const read = (name: string) =>
    fs.readFileSync(path.join(FOLDER, name), "utf8");
  const imports = (source: string) =>
    /^(?:import\b.*|\} from) ?"(?:node:)?http";$/m.test(source);
  assert.ok(imports('import { Server } from "node:http";'));
  assert.ok(files.some((name) => read(name).includes('require("node:http")')));
  assert.deepEqual(
    files.filter((name) => imports(read(name))),
    [],
  );
});

test("npm run dev starts from the sources, which Node watches", () => {
  const sources = path.join(PROJECT, "packages/server/bin/start-sources.cjs");
  const loaded = loadedBy([sources, "--version"]);
  const main = path.join(PROJECT, "packages/server/src/main.ts");
  assert.ok(loaded.includes(pathToFileURL(main).href));
  const manifest = fs.readFileSync(path.join(PROJECT, "package.json"), "utf8");
  const { scripts } = JSON.parse(manifest) as { scripts: { dev: string } };
  assert.match(
    scripts.dev,
    /--watch .* packages\/server\/bin\/start-sources\.cjs /,
  );
});

/** @returns the addresses of the modules that the program loads */
function loadedBy(args: readonly string[]): string[] {
  const hook = `import { registerHooks } from "node:module";
    registerHooks({ load(url, context, next) { console.error(url); return next(url, context); } });`;
  const flag = `--import=data:text/javascript,${encodeURIComponent(hook)}`;
  const { PATH } = process.env;
  const command = `"$0" "$@" 2>&1 >/dev/null`;
  const output = execFileSync(
    "sh",
    ["-c", command, process.execPath, flag, ...args],
    {
      env: { PATH },
      encoding: "utf8",
    },
  );
  return output.split("\n");
}

describe("a bundle", () => {
  let root: string;
  let folder: string;
  beforeEach(() => {
    root = fs.mkdtempSync(path.join(tmpdir(), "kith-bundle-"));
    folder = path.join(root, "bundle");
    fs.mkdirSync(folder);
    write("a.ts", "1", 10);
    write("b.ts", "22", 20);
    write("bundle/bundle.json", describeBundle({ "a.ts": 1, "b.ts": 2 }), 20);
  });
  afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

  function write(name: string, content: string, modifiedS: number): void {
    const file = path.join(root, name);
    fs.writeFileSync(file, content);
    fs.utimesSync(file, modifiedS, modifiedS);
  }

  const describeBundle = (sizes: Readonly<Record<string, number>>): string =>
    JSON.stringify({ entry: "main.mjs", files: ["main.mjs"], sizes });

  test("is used while it is of these files", () => {
    const entry = pathToFileURL(path.join(folder, "main.mjs")).href;
    assert.equal(findBundle(folder, root), entry);
  });

  for (const [what, change] of [
    ["a newer file", () => write("a.ts", "2", 21)],
    ["a file of another size", () => write("a.ts", "11", 10)],
    ["a missing file", () => fs.rmSync(path.join(root, "a.ts"))],
    ["no manifest", () => fs.rmSync(path.join(folder, "bundle.json"))],
    ["half a manifest", () => write("bundle/bundle.json", '{"entry":', 20)],
    [
      "a manifest of something else",
      () => write("bundle/bundle.json", "{}", 20),
    ],
  ] as const)
    test(`is not used with ${what}`, () => {
      change();
      assert.equal(findBundle(folder, root), undefined);
    });
});
