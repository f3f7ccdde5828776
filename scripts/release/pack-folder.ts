import * as fs from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { pack, type Pack } from "tar-stream";

/**
 * Packs a folder under its own name. The same content gives the same bytes: files are
 * sorted, belong to root, and have one time.
 */
export async function packFolder(
  folder: string,
  archive: string,
  mtime: Date,
): Promise<void> {
  const tar = pack();
  const written = pipeline(
    tar,
    createGzip({ level: 9 }),
    fs.createWriteStream(archive),
  );
  const parent = path.dirname(folder);
  for (const file of listFiles(folder))
    await addFile(tar, path.join(parent, file), { name: file, mtime });
  tar.finalize();
  await written;

  function listFiles(from: string): string[] {
    return fs
      .readdirSync(from, { withFileTypes: true })
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap((entry) => {
        const file = path.join(from, entry.name);
        return entry.isDirectory()
          ? listFiles(file)
          : [path.relative(parent, file)];
      });
  }
}

function addFile(
  tar: Pack,
  file: string,
  header: { readonly name: string; readonly mtime: Date },
): Promise<void> {
  const stat = fs.lstatSync(file);
  return new Promise((resolve, reject) => {
    const done = (error?: Error | null) => (error ? reject(error) : resolve());
    if (stat.isSymbolicLink()) {
      const linkname = fs.readlinkSync(file);
      tar.entry({ ...header, type: "symlink", linkname }, done);
      return;
    }
    const mode = stat.mode & 0o111 ? 0o755 : 0o644;
    tar.entry({ ...header, mode }, fs.readFileSync(file), done);
  });
}
