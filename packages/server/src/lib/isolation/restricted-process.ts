import { fork, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** Node looks here for how to read the sources. */
const MANIFEST = fileURLToPath(
  new URL("../../../package.json", import.meta.url),
);

const CODE = path.join(import.meta.dirname, "..");

/**
 * Starts a program that may load its own code, and do nothing else with files, the
 * network, processes or threads. It gives up the right to load as well, by
 * {@link giveUpRights}, before it is given anything.
 * @param program in `lib/`, with all that it imports but for packages
 * @param maxMemoryMb of JavaScript
 */
export function forkRestricted(
  program: URL,
  maxMemoryMb: number,
): ChildProcess {
  const file = fileURLToPath(program);
  const folder = mkdtempSync(path.join(tmpdir(), "kith-empty-"));
  const child = fork(file, {
    cwd: folder,
    // Nothing of the server's environment: it holds secrets.
    env: { MALLOC_ARENA_MAX: "2" },
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
  const remove = () => rmSync(folder, { recursive: true, force: true });
  child.once("exit", remove).once("error", remove);
  return child;
}

/**
 * In such a program: from here on no file can be read and no addon loaded.
 * Addons that are loaded already are not held by this.
 */
export function giveUpRights(): void {
  process.permission.drop("fs.read");
  process.permission.drop("addon");
}

/** Where the packages are that such a program uses, and where Node looks for them before. */
function packageFolders(): string[] {
  const name = `${path.sep}node_modules${path.sep}`;
  const require = createRequire(import.meta.url);
  const found = require.resolve("sharp");
  const itself = found.slice(0, found.lastIndexOf(name) + name.length - 1);
  const above = (require.resolve.paths("sharp") ?? []).filter(existsSync);
  return [...new Set([itself, ...above])];
}
