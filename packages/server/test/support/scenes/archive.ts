import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The files of an archive by their paths, as the system's own tar unpacks them. */
export async function unpack(
  archive: Uint8Array,
): Promise<Map<string, Buffer>> {
  const folder = await mkdtemp(path.join(tmpdir(), "kith-export-"));
  try {
    const file = path.join(folder, "export.tar.gz");
    await writeFile(file, archive);
    await run("tar", ["-xzf", file, "-C", folder]);
    await rm(file);
    const options = { recursive: true, withFileTypes: true } as const;
    const files = new Map<string, Buffer>();
    for (const entry of await readdir(folder, options)) {
      if (!entry.isFile()) continue;
      const found = path.join(entry.parentPath, entry.name);
      const name = path.relative(folder, found).replaceAll(path.sep, "/");
      files.set(name, await readFile(found));
    }
    return files;
  } finally {
    await rm(folder, { recursive: true });
  }
}
