import * as fs from "node:fs";
import path from "node:path";
import { findNpmCache } from "./npm-settings.ts";
import type { Command, Launch, System } from "./system.ts";

/**
 * Trees of folders, and processes of this system: absolute paths lead into the tree where it has
 * them. For users that may not mount.
 */
export const userSystem: System = {
  isSuperuser: false,
  makeRoot: (root) => fs.mkdirSync(root, { recursive: true }),
  launch,
  seal,
};

function launch(root: string, command: Command): Launch {
  const { env, folder, user, command: words } = command;
  const [file = "", ...args] = words.map((it) => within(root, it));
  const placed = Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, within(root, value)]),
  );
  const cache = findNpmCache();
  return {
    ...{ file, args, cwd: path.join(root, folder) },
    env: {
      PATH: process.env["PATH"],
      ...(cache === undefined ? {} : { npm_config_cache: cache }),
      ...placed,
    },
    ...(user === undefined ? {} : idsOf(user)),
  };
}

/** Only a superuser can become another user. */
function idsOf(user: string): { uid: number; gid: number } | undefined {
  const [uid = 0, gid = 0] = user.split(":").map(Number);
  return process.getuid?.() === 0 ? { uid, gid } : undefined;
}

/** Of a list such as PATH too. A path of which the tree has not even the folder is the system's. */
function within(root: string, text: string): string {
  return text
    .split(":")
    .map((part) => {
      // Two slashes begin the rest of a URL.
      if (!/^\/(?!\/)/.test(part)) return part;
      const folder = path.dirname(part);
      const isHere =
        fs.existsSync(path.join(root, part)) ||
        (folder !== "/" && fs.existsSync(path.join(root, folder)));
      return isHere ? path.join(root, part) : part;
    })
    .join(":");
}

/** A superuser's server runs as nobody that owns the tree; another user may write to no file. */
function seal(root: string, folder: string): void {
  const data = path.join(root, folder);
  fs.mkdirSync(data, { recursive: true });
  setModes(root, (mode) => mode & 0o555);
  fs.chmodSync(data, process.getuid?.() === 0 ? 0o777 : 0o700);
}

/** Gives back the right to remove a sealed tree. */
export function unseal(root: string): void {
  if (fs.existsSync(root)) setModes(root, (mode) => mode | 0o200);
}

function setModes(file: string, change: (mode: number) => number): void {
  const stat = fs.lstatSync(file);
  if (stat.isSymbolicLink()) return;
  fs.chmodSync(file, change(stat.mode & 0o777));
  if (!stat.isDirectory()) return;
  for (const name of fs.readdirSync(file))
    setModes(path.join(file, name), change);
}
