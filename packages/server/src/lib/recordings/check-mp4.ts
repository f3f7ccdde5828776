import { RecordingRefused } from "./recording.ts";

/** Boxes of these names have boxes (ISO/IEC 14496-12). */
const PARENTS = new Set([
  ...["moov", "trak", "mdia", "minf", "stbl", "moof", "traf"],
]);

/** Two hours of 120 frames a second have half as many. */
const MAX_SAMPLES = 2_000_000;
/** Writers end a chunk after some seconds or one MiB. */
const MAX_SAMPLES_PER_CHUNK = 16_384;
const MAX_BOXES = 100_000;
const HEAD_BYTES = 8;

/**
 * Tables of MP4 write a number and how often it is repeated, so that a short
 * file can claim to have billions of samples. This refuses such a file before
 * the library writes the repetitions out.
 * @throws {RecordingRefused}
 */
export function checkMp4(file: Uint8Array): void {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length);
  const open: { at: number; readonly end: number }[] = [
    { at: 0, end: bytes.length },
  ];
  for (let boxes = 0; ; boxes += 1) {
    const level = open.at(-1);
    if (!level) return;
    if (level.at + HEAD_BYTES > level.end) {
      open.pop();
      continue;
    }
    if (boxes >= MAX_BOXES)
      throw new RecordingRefused("too_large", "It has too many parts");
    const { name, start, end } = readBox(bytes, level);
    level.at = end;
    if (!PARENTS.has(name)) checkTable(name, bytes.subarray(start, end));
    else if (open.length > PARENTS.size)
      throw new RecordingRefused("broken", "Its parts are nested too deeply");
    else open.push({ at: start, end });
  }
}

function readBox(
  bytes: Buffer,
  { at, end: limit }: { readonly at: number; readonly end: number },
) {
  const short = bytes.readUInt32BE(at);
  const name = bytes.toString("latin1", at + 4, at + HEAD_BYTES);
  const isLong = short === 1;
  const head = isLong ? 2 * HEAD_BYTES : HEAD_BYTES;
  const size = isLong
    ? at + head <= limit
      ? Number(bytes.readBigUInt64BE(at + HEAD_BYTES))
      : 0
    : short === 0
      ? limit - at
      : short;
  if (size < head)
    throw new RecordingRefused("broken", "A part has an impossible size");
  return { name, start: at + head, end: Math.min(at + size, limit) };
}

function checkTable(name: string, table: Buffer): void {
  switch (name) {
    case "stts":
    case "ctts": {
      let samples = 0;
      for (const [count] of rowsOf(table, 2)) samples += count ?? 0;
      return refuseMany(samples);
    }
    case "stsc": {
      for (const [, perChunk = 0] of rowsOf(table, 3))
        if (perChunk > MAX_SAMPLES_PER_CHUNK) refuseMany(Infinity);
      return;
    }
    case "stsz":
      return refuseMany(table.length < 12 ? 0 : table.readUInt32BE(8));
    case "trun":
      return refuseMany(table.length < 8 ? 0 : table.readUInt32BE(4));
  }
}

/** The rows of a table with a version, flags and the number of its rows. */
function* rowsOf(table: Buffer, columns: number): Generator<number[]> {
  const claimed = table.length < 8 ? 0 : table.readUInt32BE(4);
  const size = 4 * columns;
  const rows = Math.floor((table.length - 8) / size);
  if (claimed > rows)
    throw new RecordingRefused("broken", "A table is cut off");
  for (let row = 0; row < claimed; row += 1)
    yield Array.from({ length: columns }, (_, column) =>
      table.readUInt32BE(8 + row * size + 4 * column),
    );
}

function refuseMany(samples: number): void {
  if (samples > MAX_SAMPLES)
    throw new RecordingRefused("too_large", "It has too many parts");
}
