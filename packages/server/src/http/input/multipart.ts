import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { Busboy } from "@fastify/busboy";
import { KithError } from "../../lib/errors.ts";

/** A file of a multipart form. */
export class UploadedFile {
  readonly bytes: Buffer;
  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}

export type MultipartLimits = {
  /** The field whose file is kept, if the route takes one. */
  readonly fileName: string | undefined;
  /** How many files the field takes; one by default. */
  readonly maxFiles?: number | undefined;
  /** Other fields of which each takes one file. */
  readonly otherFiles?: readonly string[] | undefined;
  /** Fields whose files are recorded by name only, too. */
  readonly leftFiles?: readonly string[] | undefined;
  readonly maxParts: number;
};

/** Bytes parsed in one go; other requests run before the next piece. */
const PIECE_BYTES = 64 * 1024;

/**
 * Parses a multipart form. Files that the route does not take are recorded by
 * name only, as are those beyond the number of a field that takes several.
 * @throws {KithError} `bad_request`
 */
export async function parseMultipart(
  contentType: string,
  body: Buffer,
  limits: MultipartLimits,
): Promise<[string, unknown][]> {
  const { fileName, leftFiles = [], maxFiles = 1, maxParts } = limits;
  const pairs: [string, unknown][] = [];
  const taken: Buffer[] = [];
  const free = freeFiles(limits);
  const isSeveral = (name: string) => name === fileName && maxFiles > 1;
  const parser = createParser(contentType, body, maxParts);
  await new Promise<void>((resolve, reject) => {
    const pieces = Readable.from(cut(body));
    const refuse = (): void => {
      reject(malformed());
      // Stop reading a body that is already refused.
      pieces.unpipe(parser).destroy();
    };
    parser.on("field", (name, value) => void pairs.push([name, value]));
    parser.on("file", (name, stream, originalName) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => {
        taken.push(chunk);
        chunks.push(chunk);
      });
      stream.on("error", refuse);
      stream.on("end", () => {
        if (fileName === undefined || leftFiles.includes(name))
          pairs.push([name, ""]);
        else if ((free.get(name) ?? 0) < 1 && !isSeveral(name)) refuse();
        else {
          const bytes = Buffer.concat(chunks);
          // Browsers send this if no file was chosen; some programs name none.
          if (bytes.length === 0 && !originalName) return;
          if ((free.get(name) ?? 0) < 1) return void pairs.push([name, ""]);
          free.set(name, (free.get(name) ?? 0) - 1);
          pairs.push([name, new UploadedFile(bytes)]);
        }
      });
    });
    parser.on("partsLimit", refuse);
    parser.on("error", refuse);
    parser.on("finish", resolve);
    pieces.pipe(parser);
  });
  if (!(await isFaithful(pairs, body, taken))) throw malformed();
  return pairs;
}

/** How many files each field may still take. */
function freeFiles({
  fileName,
  maxFiles = 1,
  otherFiles = [],
}: MultipartLimits): Map<string, number> {
  const free = new Map(otherFiles.map((name) => [name, 1]));
  return fileName === undefined ? free : free.set(fileName, maxFiles);
}

function createParser(contentType: string, body: Buffer, parts: number) {
  try {
    return new Busboy({
      headers: { "content-type": contentType },
      limits: { parts, fieldSize: body.length },
    });
  } catch {
    throw malformed();
  }
}

async function* cut(body: Buffer): AsyncGenerator<Buffer, void, undefined> {
  for (let at = 0; at < body.length; at += PIECE_BYTES) {
    if (at > 0) await setImmediate();
    yield body.subarray(at, at + PIECE_BYTES);
  }
}

/**
 * The parser replaces bytes that are not UTF-8 by U+FFFD. If the user typed all
 * of those characters, the body contains as many, outside its files.
 */
async function isFaithful(
  pairs: readonly (readonly [string, unknown])[],
  body: Buffer,
  files: readonly Buffer[],
): Promise<boolean> {
  const texts = pairs.flat().filter((it) => typeof it === "string");
  const ambiguous = await countIn(Buffer.from(texts.join("")));
  if (ambiguous === 0) return true;
  const written = await countIn(body);
  return ambiguous <= written - (await countIn(Buffer.concat(files)));
}

const REPLACEMENT = Buffer.from("\uFFFD");

async function countIn(bytes: Buffer): Promise<number> {
  let count = 0;
  let before = 0;
  for await (const { length } of cut(bytes)) {
    // A character across two pieces is found with the second.
    const from = Math.max(before - REPLACEMENT.length + 1, 0);
    before += length;
    const piece = bytes.subarray(from, before);
    let at = piece.indexOf(REPLACEMENT);
    for (; at >= 0; at = piece.indexOf(REPLACEMENT, at + REPLACEMENT.length))
      count += 1;
  }
  return count;
}

function malformed(): KithError {
  return new KithError(
    "bad_request",
    "The multipart form is malformed, or has a file that is not taken here.",
  );
}
