import { fork, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { removeAtExit } from "../processes/remove-at-exit.ts";

/** Node reads the module format of the sources from it. */
const MANIFEST = fileURLToPath(
  new URL("../../../package.json", import.meta.url),
);

const CODE = path.join(import.meta.dirname, "..");

/**
 * Starts a program that may load its own code, but has no other access to
 * files, the network, processes or threads. It also gives up the permission to
 * load, by {@link dropPermissions}, before it gets any input.
 * @param program in `lib/`, with all that it imports except packages
 * @param maxMemoryMb of JavaScript
 * @param env more of the environment
 */
export function forkRestricted(
  program: URL,
  maxMemoryMb: number,
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  const file = fileURLToPath(program);
  const folder = mkdtempSync(path.join(tmpdir(), "kith-empty-"));
  // A server that stops kills its programs, and ends before they report it.
  const remove = removeAtExit(folder);
  const child = fork(file, {
    cwd: folder,
    // The server's environment contains secrets, so nothing of it is inherited.
    env: { MALLOC_ARENA_MAX: "2", ...env },
    execArgv: [
      "--permission",
      "--allow-addons",
      `--allow-fs-read=${path.join(CODE, "*")}`,
      ...packageFolders().map(
        (one) => `--allow-fs-read=${path.join(one, "*")}`,
      ),
      `--allow-fs-read=${MANIFEST}`,
      `--max-old-space-size=${maxMemoryMb}`,
    ],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  child.once("exit", remove).once("error", remove);
  return child;
}

/**
 * Called in such a program: from here on no file can be read and no addon
 * loaded. Addons that are loaded already are not restricted by this.
 */
export function dropPermissions(): void {
  process.permission.drop("fs.read");
  process.permission.drop("addon");
}

/**
 * The folders of the packages that such a program uses, and those that Node
 * searches before.
 */
function packageFolders(): string[] {
  const name = `${path.sep}node_modules${path.sep}`;
  const require = createRequire(import.meta.url);
  const found = require.resolve("sharp");
  const itself = found.slice(0, found.lastIndexOf(name) + name.length - 1);
  const above = (require.resolve.paths("sharp") ?? []).filter(existsSync);
  return [...new Set([itself, ...above])];
}
