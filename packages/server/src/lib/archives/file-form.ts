import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { createGunzip } from "node:zlib";

/** The forms of files that are imported; `text` for anything else, such as a list. */
export type FileForm = "json" | "json.gz" | "tar.gz" | "text" | "zip";

/** Enough to tell the form of a file. */
export const HEAD_BYTES = 512;

/** Tells the form of a file by its first bytes, whatever its name is. */
export async function readForm(file: string): Promise<FileForm> {
  const head = await readHead(file);
  const form = formOfHead(head);
  if (form !== "tar.gz") return form;
  return beginsJson(await readPackedHead(file)) ? "json.gz" : form;
}

/** Tells the form by the first bytes; `tar.gz` for anything that gzip compressed. */
export function formOfHead(head: Buffer): Exclude<FileForm, "json.gz"> {
  if (head.subarray(0, 2).toString("latin1") === "PK") return "zip";
  if (head[0] === 0x1f && head[1] === 0x8b) return "tar.gz";
  return beginsJson(head) ? "json" : "text";
}

const beginsJson = (head: Buffer): boolean =>
  /^\uFEFF?\s*(?:\{\s*["}]|\[\s*[[\]{"])/.test(head.toString("utf8"));

/** The first bytes of a file. */
export async function readHead(
  file: string,
  length = HEAD_BYTES,
): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(
      ...([Buffer.alloc(length), 0, length, 0] as const),
    );
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** The first bytes of a compressed file; none for one that is damaged. */
async function readPackedHead(file: string): Promise<Buffer> {
  const packed = createReadStream(file);
  const plain = packed.pipe(createGunzip());
  packed.once("error", (error) => plain.destroy(error));
  try {
    const first = plain[Symbol.asyncIterator]();
    const { value } = (await first.next()) as { readonly value: unknown };
    if (Buffer.isBuffer(value)) return value.subarray(0, HEAD_BYTES);
  } catch {
    // The reader of the archive says what is wrong with it.
  } finally {
    packed.destroy();
    plain.destroy();
  }
  return Buffer.alloc(0);
}
