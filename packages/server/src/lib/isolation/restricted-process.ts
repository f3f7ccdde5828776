import { fork, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** Node reads the module format of the sources from it. */
const MANIFEST = fileURLToPath(
  new URL("../../../package.json", import.meta.url),
);

const CODE = path.join(import.meta.dirname, "..");

/** The folders of the programs that run. */
const folders = new Set<string>();

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
  const folder = makeFolder();
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
  const remove = () => removeFolder(folder);
  child.once("exit", remove).once("error", remove);
  return child;
}

function makeFolder(): string {
  // A server that stops kills its programs, and ends before they report it.
  if (!process.listeners("exit").includes(removeFolders))
    process.once("exit", removeFolders);
  const folder = mkdtempSync(path.join(tmpdir(), "kith-empty-"));
  folders.add(folder);
  return folder;
}

function removeFolders(): void {
  folders.forEach(removeFolder);
}

function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  folders.delete(folder);
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
