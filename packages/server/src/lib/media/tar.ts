import { once } from "node:events";
import { pack as createPack, type Pack } from "tar-stream";

/** A file of an archive. A file that is too large for memory declares its size beforehand. */
export type TarEntry = {
  /** Relative, with `/` between its parts. */
  readonly path: string;
  readonly content:
    | string
    | Uint8Array
    | { readonly size: number; readonly chunks: AsyncIterable<Uint8Array> };
};

/**
 * Writes an archive that every `tar` reads, entry by entry, as fast as it is read.
 * @throws if a path leads out of the archive, or an entry has another size than declared
 */
export async function* writeTar(
  entries: AsyncIterable<TarEntry>,
  modifiedAt: Date,
): AsyncGenerator<Uint8Array, void, undefined> {
  const pack = createPack();
  const adding = addEntries(pack, entries, modifiedAt);
  try {
    for await (const chunk of pack)
      if (chunk instanceof Uint8Array) yield chunk;
  } finally {
    // If the reader stops, an entry must not wait for it.
    pack.destroy(new Error("Nobody reads the archive any more"));
    await adding;
  }
}

/** Never rejects: if an entry fails, reading the archive fails. */
async function addEntries(
  pack: Pack,
  entries: AsyncIterable<TarEntry>,
  modifiedAt: Date,
): Promise<void> {
  try {
    for await (const entry of entries) await addEntry(pack, entry, modifiedAt);
    pack.finalize();
  } catch (error) {
    pack.destroy(error instanceof Error ? error : new Error(String(error)));
  }
}

async function addEntry(
  pack: Pack,
  { path, content }: TarEntry,
  mtime: Date,
): Promise<void> {
  checkPath(path);
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  const isWhole = bytes instanceof Uint8Array;
  const size = isWhole ? bytes.length : bytes.size;
  const added = Promise.withResolvers<void>();
  const sink = pack.entry({ name: path, size, mtime }, (error) =>
    error ? added.reject(error) : added.resolve(),
  );
  sink.on("error", added.reject);
  const writing = writeChunks(sink, isWhole ? [bytes] : bytes.chunks);
  await Promise.all([writing, added.promise]);
}

async function writeChunks(
  sink: ReturnType<Pack["entry"]>,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> {
  for await (const chunk of chunks) {
    if (sink.destroyed) return;
    if (!sink.write(chunk)) await once(sink, "drain");
  }
  sink.end(null);
}

function checkPath(path: string): void {
  const parts = path.split("/");
  if (path.includes("\0") || parts.some((it) => ["", ".", ".."].includes(it)))
    throw new Error(`${path} is no path inside of an archive`);
}
