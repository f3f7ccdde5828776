/** A file of an archive. What is too large for memory says its size beforehand. */
export type TarEntry = {
  /** Relative, with `/` between its parts. */
  readonly path: string;
  readonly content:
    | string
    | Uint8Array
    | { readonly size: number; readonly chunks: AsyncIterable<Uint8Array> };
};

const BLOCK = 512;
/** What the name and size fields of ustar hold; beyond, or not in ASCII, pax says it. */
const MAX_NAME_BYTES = 100;
const MAX_SIZE = 0o77777777777;

/**
 * Writes an archive that every `tar` reads, entry by entry.
 * @throws where a path leads out of the archive, or an entry is not as large as it says
 * @see POSIX.1-2017, pax Interchange Format
 */
export async function* writeTar(
  entries: AsyncIterable<TarEntry>,
  modifiedAt: Date,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const entry of entries) yield* writeEntry(entry, modifiedAt);
  yield Buffer.alloc(2 * BLOCK);
}

async function* writeEntry(
  { path, content }: TarEntry,
  modifiedAt: Date,
): AsyncGenerator<Uint8Array, void, undefined> {
  checkPath(path);
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  const isWhole = bytes instanceof Uint8Array;
  const size = isWhole ? bytes.length : bytes.size;
  yield* writeExtendedHeader(path, size, modifiedAt);
  yield header(path, size, "0", modifiedAt);
  if (isWhole) yield bytes;
  else yield* ofSize(path, bytes.chunks, size);
  yield Buffer.alloc(paddingOf(size));
}

function checkPath(path: string): void {
  const parts = path.split("/");
  if (path.includes("\0") || parts.some((it) => ["", ".", ".."].includes(it)))
    throw new Error(`${path} is no path inside of an archive`);
}

/** The next header follows where this one says that it does, so the size must be true. */
async function* ofSize(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let left = size;
  for await (const chunk of chunks) {
    left -= chunk.length;
    if (left < 0) break;
    yield chunk;
  }
  if (left !== 0) throw new Error(`${path} is not as large as it says`);
}

function* writeExtendedHeader(
  path: string,
  size: number,
  modifiedAt: Date,
): Generator<Uint8Array, void, undefined> {
  const records = Buffer.concat([
    ...(fitsName(path) ? [] : [paxRecord("path", path)]),
    ...(size <= MAX_SIZE ? [] : [paxRecord("size", String(size))]),
  ]);
  if (records.length === 0) return;
  yield header("PaxHeader", records.length, "x", modifiedAt);
  yield records;
  yield Buffer.alloc(paddingOf(records.length));
}

function fitsName(path: string): boolean {
  return /^[\x20-\x7e]*$/.test(path) && path.length <= MAX_NAME_BYTES;
}

/** `<length> <name>=<value>\n`, where the length counts its own digits. */
function paxRecord(name: string, value: string): Buffer {
  const rest = ` ${name}=${value}\n`;
  const bytes = Buffer.byteLength(rest);
  let length = bytes + String(bytes).length;
  if (bytes + String(length).length > length) length += 1;
  return Buffer.from(`${length}${rest}`);
}

function header(
  path: string,
  size: number,
  type: "0" | "x",
  modifiedAt: Date,
): Buffer {
  const block = Buffer.alloc(BLOCK);
  const seconds = Math.floor(modifiedAt.getTime() / 1000);
  const fields: readonly (readonly [number, string])[] = [
    [0, fitsName(path) ? path : "long-name"],
    [100, octal(0o644, 7)],
    [108, octal(0, 7)],
    [116, octal(0, 7)],
    [124, octal(Math.min(size, MAX_SIZE), 11)],
    [136, octal(seconds, 11)],
    [148, " ".repeat(8)],
    [156, type],
    [257, "ustar"],
    [263, "00"],
  ];
  for (const [offset, text] of fields) block.write(text, offset, "latin1");
  let sum = 0;
  for (const byte of block) sum += byte;
  block.write(`${octal(sum, 6)}\0 `, 148, "latin1");
  return block;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, "0");
}

function paddingOf(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}
