import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { codeOf, messageOf } from "../errors.ts";
import { failed, ok, skipped, warning, type Finding } from "../finding.ts";

/**
 * Everyone but the owner. Windows reports no such permissions that could be
 * trusted.
 */
const OTHERS = 0o077;
const HAS_RIGHTS = process.platform !== "win32";
const NAMED = 3;

/**
 * Can others than its owner access it? False for a missing file, and where that
 * cannot be known.
 */
export function isOpenToOthers(file: string): boolean {
  if (!HAS_RIGHTS) return false;
  const { mode } = statSync(file, { throwIfNoEntry: false }) ?? { mode: 0 };
  return (mode & OTHERS) !== 0;
}

/**
 * Checks whether others may read the data directory or files in it. Files in a
 * private folder are private.
 */
export function examineFiles(dataDir: string): Finding {
  const check = "files";
  if (!HAS_RIGHTS)
    return skipped(check, "Windows says nothing of who may read them.");
  try {
    const all = [
      dataDir,
      ...readdirSync(dataDir).map((name) => path.join(dataDir, name)),
    ];
    const open = all.filter(isOpenToOthers);
    if (open.length === 0)
      return ok(
        check,
        `Only their owner can read ${dataDir} and what is in it.`,
      );
    const more = open.length > NAMED ? ` and ${open.length - NAMED} more` : "";
    return warning(
      check,
      `${open.slice(0, NAMED).join(", ")}${more} can be read by other users of this machine.`,
      `Take that right away: chmod -R go-rwx ${quote(dataDir)}`,
    );
  } catch (error) {
    if (codeOf(error) === "ENOENT")
      return skipped(check, `There is no ${dataDir} yet.`);
    return failed(
      check,
      `${dataDir}: ${messageOf(error)}.`,
      "Let the user that runs Kith own it, and run kith doctor as that one.",
    );
  }
}

/** Quotes a path for a shell, if necessary. */
function quote(text: string): string {
  return /^[\w./-]+$/.test(text)
    ? text
    : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
