import { globSync } from "node:fs";
import path from "node:path";
import { root } from "../project-files.ts";

/** The slowest and most idle ones first: the others fill the gaps. */
const patterns = [
  "test/e2e/*.test.ts",
  "test/**/*.test.ts",
  "packages/server/test/**/*.test.ts",
  "packages/*/src/**/*.test.ts",
];

/**
 * The test files, relative to the root: all, or those named in `wanted` by file,
 * folder or glob.
 * @throws if an entry of `wanted` matches none, because a typo must not pass
 */
export function findTestFiles(wanted: string[]): string[] {
  const listed = patterns.flatMap((pattern) =>
    globSync(pattern, { cwd: root })
      .map((file) => file.replaceAll(path.sep, "/"))
      .filter((file) => !file.startsWith("test/vectors/"))
      .sort(),
  );
  const all = [...new Set(listed)];
  if (wanted.length === 0) return all;
  const chosen = wanted.flatMap((want) => {
    const found = all.filter((file) => isNamed(file, want));
    if (found.length === 0) throw new Error(`No test file matches ${want}`);
    return found;
  });
  return all.filter((file) => chosen.includes(file));
}

function isNamed(file: string, want: string): boolean {
  const name = path
    .relative(root, path.resolve(want))
    .replaceAll(path.sep, "/");
  if (name === "" || file === name || file.startsWith(`${name}/`)) return true;
  return path.matchesGlob(file, name);
}
