import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";

/** The folder of the repository. */
export const root = path.join(import.meta.dirname, "..");

/**
 * The files under `folders` that git tracks or would track (new ones that are
 * not ignored included), relative to `from`, without those deleted on disk.
 * @throws where git is missing or `from` is not in a repository
 */
export function listProjectFiles(folders: string[], from = root): string[] {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const output = execFileSync("git", [...args, "--", ...folders], {
    cwd: from,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  const files = new Set(output.split("\0").filter((file) => file !== ""));
  return [...files].filter((file) => existsSync(path.join(from, file))).sort();
}
