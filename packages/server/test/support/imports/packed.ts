import { writeFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { pack, type Header } from "tar-stream";
import { ZipFile } from "yazl";

export type PackedFiles = Readonly<Record<string, string | Uint8Array>>;

/** Writes a tar.gz file. @param more entries of other kinds than plain files */
export async function writeTarGz(
  target: string,
  files: PackedFiles,
  more: readonly Partial<Header>[] = [],
): Promise<string> {
  const packing = pack();
  for (const [name, content] of Object.entries(files))
    packing.entry({ name }, Buffer.from(content));
  for (const { name = "", ...header } of more)
    if (header.type === undefined) packing.entry({ name, ...header }, "");
    else packing.entry({ name, ...header });
  packing.finalize();
  await writeFile(target, gzipSync(await buffer(packing)));
  return target;
}

/** Writes a zip file. @param mode of all files, with their kind */
export async function writeZip(
  target: string,
  files: PackedFiles,
  mode = 0o100644,
): Promise<string> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files))
    zip.addBuffer(Buffer.from(content), name, { mode });
  zip.end();
  await writeFile(target, await buffer(zip.outputStream));
  return target;
}
