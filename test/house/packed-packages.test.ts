import assert from "node:assert/strict";
import * as fs from "node:fs";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { root } from "../../scripts/project-files.ts";
import {
  installPacked,
  listTypeErrors,
  runIn,
} from "../support/packed-package.ts";
import type { PackedPackage } from "../support/packed-package.ts";

/** The complete programs among the examples of a README: they import the package by its name and print something. */
function programsOf(readme: string, name: string): string[] {
  return [...readme.matchAll(/^```ts\n(.*?)^```$/gms)]
    .map(([, code]) => code ?? "")
    .filter(
      (code) =>
        code.includes(`from "@kith/${name}"`) && code.includes("console.log("),
    );
}

function readReadme({ installed }: PackedPackage): string {
  return fs.readFileSync(path.join(installed, "README.md"), "utf8");
}

/** The output of a program according to its comments. */
function promisedBy(program: string): string {
  const comments = [...program.matchAll(/^console\.log\(.*\/\/ (.*)$/gm)];
  return comments.map(([, text]) => text).join("\n");
}

const WRONG_USE = {
  activitypub: `import { readNote } from "@kith/activitypub";
// @ts-expect-error A note is read from JSON that was parsed, not from text.
readNote("{}");
`,
  diaspora: `import { buildEntity } from "@kith/diaspora";
// @ts-expect-error A comment has a text, a guid and a parent.
buildEntity({ type: "comment", author: "alice@example.org" });
`,
};

for (const name of ["activitypub", "diaspora"] as const) {
  describe(`@kith/${name}, packed`, () => {
    let packed: PackedPackage;
    before(() => {
      packed = installPacked(name);
    });
    after(() => packed.remove());

    test("contains exactly the files for running, typing and documentation", () => {
      for (const file of ["README.md", "LICENSE", "dist/index.js"]) {
        assert.ok(packed.files.includes(file), file);
      }
      const others = packed.files.filter(
        (file) => !/^dist\/[a-z0-9/-]+(\.d\.ts|\.js|\.json)$/.test(file),
      );
      assert.deepEqual(others, ["LICENSE", "README.md", "package.json"]);
      const undeclared = packed.files.filter(
        (file) =>
          file.endsWith(".js") &&
          !packed.files.includes(file.replace(/\.js$/, ".d.ts")),
      );
      assert.deepEqual(undeclared, []);
    });

    test("names only built files, and no tool of the workspace", () => {
      const { manifest } = packed;
      assert.deepEqual(manifest["exports"], {
        ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
        "./package.json": "./package.json",
      });
      assert.deepEqual(manifest["engines"], { node: ">=26" });
      assert.equal(manifest["license"], "AGPL-3.0-or-later");
      assert.equal("scripts" in manifest, false);
      assert.equal("devDependencies" in manifest, false);
      for (const file of packed.files) {
        if (!file.startsWith("dist/")) continue;
        const text = fs.readFileSync(path.join(packed.installed, file), "utf8");
        assert.doesNotMatch(text, /from "[^"]*\.ts"/, file);
        const imported = [...text.matchAll(/from "([^".][^"]*)"/g)];
        for (const [, module = ""] of imported) {
          const isDeclared = module in (manifest.dependencies ?? {});
          assert.ok(isDeclared || module.startsWith("node:"), module);
        }
      }
    });

    test("exports to plain Node the same names as the sources", async () => {
      const door = (await import(
        path.join(root, "packages", name, "src/index.ts")
      )) as object;
      const file = path.join(packed.folder, "names.mjs");
      fs.writeFileSync(
        file,
        `import * as door from "@kith/${name}";
console.log(import.meta.resolve("@kith/${name}"));
console.log(Object.keys(door).sort().join());`,
      );
      const [place, names] = runIn(packed.folder, file).split("\n");
      assert.match(
        place ?? "",
        /node_modules\/@kith\/[a-z]+\/dist\/index\.js$/,
      );
      assert.equal(names, Object.keys(door).sort().join());
      const readme = readReadme(packed);
      for (const exported of Object.keys(door)) {
        assert.ok(readme.includes(`\`${exported}\``), `README: ${exported}`);
      }
    });

    test("runs the examples of its README, far from the repository", () => {
      assert.ok(!packed.folder.startsWith(root));
      assert.equal(
        fs.existsSync(path.join(packed.installed, "../../../tsconfig.json")),
        false,
      );
      const programs = programsOf(readReadme(packed), name);
      assert.ok(programs.length > 0);
      programs.forEach((program, at) => {
        const file = path.join(packed.folder, `example-${at}.ts`);
        fs.writeFileSync(file, program);
        const promised = promisedBy(program);
        assert.notEqual(promised, "");
        assert.equal(runIn(packed.folder, file).trim(), promised);
      });
    });

    test("is typed: the README's programs compile, a wrong use does not", () => {
      // The other program is the same, but expects no error.
      const unexpected = WRONG_USE[name].replace(
        "@ts-expect-error",
        "Not expected:",
      );
      const programs = { expected: WRONG_USE[name], unexpected };
      for (const [use, program] of Object.entries(programs))
        fs.writeFileSync(path.join(packed.folder, `${use}-use.ts`), program);
      const errors = listTypeErrors(packed.folder);
      const files = errors.map((line) => line.replace(/\(.*/, ""));
      assert.deepEqual(files, ["unexpected-use.ts"], errors.join("\n"));
    });
  });
}
